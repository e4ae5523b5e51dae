import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { replaceDeprecatedSettingNames } from './config/names.ts';
import {
  SETTING_NAMES,
  SETTINGS_SCHEMA,
  toCommandLineFlag,
  SETTING_VARIABLE_NAMES,
} from './config/settings.ts';
import type { Config, SettingName } from './config/settings.ts';
import { describeSettingIssue, type SettingOrigins } from './config/show.ts';
import {
  findDefaultDataFolders,
  parseSettingText,
  readSettingsFile,
  readSettingVariable,
  refuseUnknownSettingVariables,
} from './config/sources.ts';
import type { DefaultDataFolders, EnvironmentVariables } from './config/sources.ts';
import { BonafideError } from './errors.ts';
import { IS_CODE_BUILT } from './platform/assets.ts';

export {
  DEFAULT_GRAPH_SETTINGS,
  listConfiguredGraphEngines,
  parseRecordEncryptionAndRetention,
} from './config/graph.ts';
export type { GraphSettings } from './config/graph.ts';
export { formatNameSuggestion, replaceDeprecatedName } from './config/names.ts';
export { isSupportedRegion, SETTING_VARIABLE_NAMES } from './config/settings.ts';
export type { Config, SettingName } from './config/settings.ts';
export { buildSettingsJsonSchema, listSettings } from './config/show.ts';
export { parseDuration } from './config/values.ts';

export interface ConfigSources {
  /** Values of command-line flags, by setting. */
  flags?: { [S in SettingName]?: string | undefined };
  /** Values that replace the defaults of settings. */
  defaults?: Partial<Config> | undefined;
  /** Path of the settings file; by default `bonafide.config.*` in the working folder. */
  file?: string | undefined;
  env?: EnvironmentVariables;
  cwd?: string;
}

/** Environment variables of this process. Other modules receive them as arguments, and never read `process.env`. */
export const processEnvironment: EnvironmentVariables = process.env;

/** Returns the data folders that are used if none is configured. */
export const getDefaultDataFolders = (env: EnvironmentVariables = processEnvironment): DefaultDataFolders =>
  findDefaultDataFolders(IS_CODE_BUILT, env);

/**
 * Sets the folder for SQLite's temporary files, unless SQLITE_TMPDIR is set (https://sqlite.org/tempfiles.html). These files contain personal
 * data, which must not be in the system's shared folder.
 */
export function setSqliteTempFolder(folder: string): void {
  process.env.SQLITE_TMPDIR ??= folder;
}

/** Settings, and the source (such as a flag or a file) of each value. */
export interface ConfigWithOrigins {
  config: Config;
  origin: SettingOrigins;
}

/**
 * Reads the settings. Flags have priority over environment variables, then the settings file, then defaults. `dataDir` becomes an absolute path.
 * Errors: invalid_config (names the setting, never its value), file_not_found, unreadable_file.
 */
export async function loadConfig(sources: ConfigSources = {}): Promise<Config> {
  return (await loadConfigWithOrigins(sources)).config;
}

/** Reads the settings and the source of each value. Errors: those of `loadConfig`. */
export async function loadConfigWithOrigins({
  flags = {},
  env: variables = processEnvironment,
  defaults = {},
  file,
  cwd = process.cwd(),
}: ConfigSources = {}): Promise<ConfigWithOrigins> {
  const settingsFile = await readSettingsFile(file, cwd);
  const env = replaceDeprecatedSettingNames(variables);
  const values: Record<string, unknown> = {};
  const origin: SettingOrigins = {};
  const setValue = (name: SettingName, value: unknown, source: string) => {
    if (value === undefined || value === '') return;
    values[name] = value;
    origin[name] = source;
  };
  setValue('dataDir', getDefaultDataFolders(env).own, 'default');
  for (const name of SETTING_NAMES) {
    const variable = SETTING_VARIABLE_NAMES[name];
    setValue(name, defaults[name], 'default');
    setValue(name, settingsFile.values[name], settingsFile.name);
    setValue(name, parseSettingText(name, readSettingVariable(variable, env)), variable);
    setValue(name, parseSettingText(name, flags[name]), toCommandLineFlag(name));
  }
  const result = v.safeParse(SETTINGS_SCHEMA, values);
  if (!result.success) {
    const messages = new Set(result.issues.map((issue) => describeSettingIssue(issue, values, origin)));
    throw new BonafideError('invalid_config', [...messages].join('\n'));
  }
  const config = { ...result.output, dataDir: resolve(cwd, result.output.dataDir) };
  refuseUnknownSettingVariables(env, join(config.dataDir, 'features.json'));
  return { config, origin };
}
