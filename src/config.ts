import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { BonafideError } from './errors.ts';
import {
  readSettingsFile,
  parseSettingText,
  readVariable,
  refuseUnknownVariables,
  type EnvironmentVariables,
  findDefaultFolders,
  type DefaultFolders,
} from './config/sources.ts';
import {
  VARIABLE_NAMES,
  toFlag,
  SETTING_NAMES,
  SETTINGS_SCHEMA,
  SETTINGS,
  type Config,
  type SettingName,
} from './config/settings.ts';
import { BUILT } from './platform/assets.ts';

export { enginesOf, parseKeep, DEFAULT_GRAPH } from './config/graph.ts';
export type { GraphSettings } from './config/graph.ts';
export { VARIABLE_NAMES, isRegion, parseDuration, SETTINGS } from './config/settings.ts';
export type { Config, SettingName } from './config/settings.ts';
export { buildSettingsSchema, listSettings } from './config/show.ts';
export type { ListedSetting } from './config/show.ts';

export interface ConfigSources {
  /** What the command line said; undefined where it said nothing. */
  flags?: { [O in SettingName]?: string | undefined };
  /** What holds where nobody says otherwise, in place of a setting's own default. */
  defaults?: Partial<Config> | undefined;
  /** A settings file to read instead of `bonafide.config.*` in the working folder. */
  file?: string | undefined;
  env?: EnvironmentVariables;
  cwd?: string;
}

/** The environment, for the parts that are handed it. No other file reads process.env. */
export const environment: EnvironmentVariables = process.env;

/** The folders to work in where nobody names one. */
export const getDefaultFolders = (env: EnvironmentVariables = environment): DefaultFolders =>
  findDefaultFolders(BUILT, env);

/**
 * Has SQLite keep what does not fit into memory beside the databases, unless somebody said where (https://sqlite.org/tempfiles.html): what is on
 * its way into a graph has no place in a folder that everybody shares, and where the root is read-only there is none.
 */
export function setSqliteTempFolder(folder: string): void {
  process.env.SQLITE_TMPDIR ??= folder;
}

/** Settings, and for each that is not the default where it came from: a file, a variable or a flag. */
export interface ConfigWithOrigins {
  config: Config;
  origin: Partial<Record<SettingName, string>>;
}

/**
 * Reads the settings once: flags over environment over file over defaults. `dataDir` comes back absolute.
 *
 * Errors: invalid_config (names the option, never its value), file_not_found, unreadable_file.
 */
export async function loadConfig(sources: ConfigSources = {}): Promise<Config> {
  return (await readConfig(sources)).config;
}

/** The same, with where each came from. Errors: those of `loadConfig`. */
export async function readConfig({
  flags = {},
  env = environment,
  defaults = {},
  file,
  cwd = process.cwd(),
}: ConfigSources = {}): Promise<ConfigWithOrigins> {
  const found = await readSettingsFile(file, cwd);
  const values: Record<string, unknown> = {};
  const origin: ConfigWithOrigins['origin'] = {};
  const take = (option: SettingName, value: unknown, from: string) => {
    if (value === undefined || value === '') return;
    values[option] = value;
    origin[option] = from;
  };
  take('dataDir', getDefaultFolders(env).own, 'default');
  for (const option of SETTING_NAMES) {
    take(option, defaults[option], 'default');
    take(option, found.values[option], found.name);
    take(option, parseSettingText(option, readVariable(VARIABLE_NAMES[option], env)), VARIABLE_NAMES[option]);
    take(option, parseSettingText(option, flags[option]), toFlag(option));
  }
  const result = v.safeParse(SETTINGS_SCHEMA, values);
  if (!result.success) throw wrongSettings(result.issues, origin);
  const config = { ...result.output, dataDir: resolve(cwd, result.output.dataDir) };
  refuseUnknownVariables(env, join(config.dataDir, 'features.json'));
  return { config, origin };
}

/** Every setting that cannot be, by its name and place; a validator's own words would repeat the value. */
function wrongSettings(issues: v.BaseIssue<unknown>[], origin: ConfigWithOrigins['origin']): BonafideError {
  const wrong = Map.groupBy(issues, ({ path }) => String(path?.[0]?.key) as SettingName);
  const sentences = Array.from(
    wrong,
    ([option, found]) =>
      `${option} (from ${origin[option]}) must be ${SETTINGS[option].must}${partsOf(found)}.`,
  );
  return new BonafideError('invalid_config', sentences.join('\n'));
}

/** Which parts of a setting cannot be. A part that nobody knows is not named: an address may have been written in its place. */
function partsOf(issues: v.BaseIssue<unknown>[]): string {
  const known = issues.filter(({ type }) => type !== 'strict_object');
  const parts = new Set(known.flatMap(({ path }) => (path?.[1]?.type === 'object' ? [path[1].key] : [])));
  return parts.size === 0 ? '' : `; ${[...parts].join(', ')} cannot be so`;
}
