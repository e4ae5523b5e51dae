// Sources of settings: the settings file, environment variables, and the default folders.
import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { BonafideError, resultOr } from '../errors.ts';
import { readTextFile, requireRegularFileWithinLimit } from '../platform/files.ts';
import { formatNameSuggestion, replaceDeprecatedSettingNames } from './names.ts';
import { SETTING_NAMES, SETTINGS, SETTING_VARIABLE_NAMES } from './settings.ts';
import type { SettingDefinition, SettingName } from './settings.ts';

/** Names of the settings file in the working folder, most preferred first. */
const FILE_NAMES = ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'jsonc', 'yaml', 'yml', 'toml'].map(
  (extension) => `bonafide.config.${extension}`,
);

interface SettingsFile {
  /** Name from the operator, or of the file found in the working folder; empty without a settings file. */
  name: string;
  values: Record<string, unknown>;
}

/** Reads a settings file; if `file` is undefined, the one in the folder `cwd`. Errors: file_not_found, unreadable_file, invalid_config. */
export async function readSettingsFile(file: string | undefined, cwd: string): Promise<SettingsFile> {
  const name = file ?? FILE_NAMES.find((known) => existsSync(resolve(cwd, known)));
  if (name === undefined) return { name: '', values: {} };
  const content = await parseFile(resolve(cwd, name), cwd);
  if (Array.isArray(content))
    throw new BonafideError(
      'invalid_config',
      `The settings file ${name} contains a list. Write an object with the settings by name.`,
    );
  // `$schema` is for editors, and not a setting.
  const { $schema: _, ...values } = replaceDeprecatedSettingNames(content);
  const unknown = Object.keys(values).find((key) => !(SETTING_NAMES as string[]).includes(key));
  if (unknown === undefined) return { name, values };
  throw new BonafideError(
    'invalid_config',
    `Unknown setting ${unknown} (${name}). ${formatNameSuggestion(unknown, SETTING_NAMES, 'settings')}`,
  );
}

async function parseFile(path: string, cwd: string): Promise<Record<string, unknown>> {
  if (!existsSync(path))
    throw new BonafideError('file_not_found', `There is no settings file ${path}. Check its path.`);
  requireRegularFileWithinLimit(statSync(path), path);
  // c12 parses all formats. It loads slowly, so it is imported only if there is a file.
  const { loadConfig } = await import('c12');
  const options = {
    cwd,
    configFile: path,
    rcFile: false,
    globalRc: false,
    packageJson: false,
    dotenv: false,
    giget: false,
    extend: false,
    envName: false,
  } as const;
  try {
    return (await loadConfig(options)).config as Record<string, unknown>;
  } catch {
    throw new BonafideError('unreadable_file', `The settings file ${path} cannot be read. Check its syntax.`);
  }
}

/** Parses the text of an environment variable or a flag to the value of a setting; undefined for an empty text. */
export function parseSettingText(name: SettingName, text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  const { read }: SettingDefinition = SETTINGS[name];
  switch (read) {
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    case 'number':
      return /^\d+$/.test(text) ? Number(text) : text;
    case 'paths':
      return text.split(delimiter).filter(Boolean);
    case 'commas':
      return text.split(',').map((item) => item.trim());
    case 'pairs':
      return parsePairs(text);
    default:
      return text;
  }
}

/** Parses `every=24h,to=/backups,keep=7` or a JSON object. Numbers, `true` and `false` get their types. Invalid JSON is returned unchanged. */
function parsePairs(text: string): unknown {
  if (text.startsWith('{')) return resultOr(() => JSON.parse(text), text);
  const parseValue = (value: string) => {
    if (value === 'true' || value === 'false') return value === 'true';
    return /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  };
  return Object.fromEntries(
    splitPairs(text).map((pair) => {
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      return [name.trim(), parseValue(value.trim())];
    }),
  );
}

/** Splits pairs at commas, except at the commas between PostgreSQL hosts. */
function splitPairs(text: string): string[] {
  const pairs: string[] = [];
  for (const part of text.split(',')) {
    const last = pairs.at(-1) ?? '';
    const hasHosts = /=\s*postgres(?:ql)?:\/\//.test(last) || last.trimStart().startsWith('readers=');
    if (hasHosts && !/^\s*\w+=/.test(part)) pairs.push(`${pairs.pop()},${part}`);
    else pairs.push(part);
  }
  return pairs;
}

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/**
 * Matches variables that Kubernetes sets for a service named `bonafide…`, such as `BONAFIDE_SERVICE_HOST`. See kubernetes.io, "Accessing the
 * Service".
 */
const KUBERNETES_NAME =
  /_SERVICE_(?:HOST|PORT)(?:_\w+)?$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/;

/** True if Kubernetes has set the variable. `BONAFIDE_PORT` is set by Kubernetes if its value is an address. */
const isFromKubernetes = (name: string, value = '') =>
  KUBERNETES_NAME.test(name) || (name.endsWith('_PORT') && /^(?:tcp|udp|sctp):/i.test(value));

/** Returns the value of a setting's environment variable, unless Kubernetes has set it. */
export function readSettingVariable(name: string, env: EnvironmentVariables): string | undefined {
  return isFromKubernetes(name, env[name]) ? undefined : env[name];
}

/** Environment variables for commands and clients that call another server. They are not settings. */
const CLIENT_VARIABLES = ['BONAFIDE_KEY', 'BONAFIDE_URL'];

/**
 * Throws for an environment variable `BONAFIDE_…` that is not a setting, because it would have no effect. Variables with API keys of AI models
 * (`key_env`) are accepted. Errors: invalid_config.
 */
export function refuseUnknownSettingVariables(env: EnvironmentVariables, featureSettingsFile: string): void {
  const knownVariables = Object.values(SETTING_VARIABLE_NAMES);
  const unknown = Object.keys(env).filter(
    (name) =>
      name.startsWith('BONAFIDE_') &&
      ![...knownVariables, ...CLIENT_VARIABLES].includes(name) &&
      !isFromKubernetes(name, env[name]),
  );
  if (unknown.length === 0) return;
  const keyVariables = [
    ...readText(featureSettingsFile).matchAll(/"key_env"\s*:\s*"(\w+)"/g),
    ...process.argv.join(' ').matchAll(/key_env=(\w+)/g),
  ].map(([, name]) => name);
  const name = unknown.find((variable) => !keyVariables.includes(variable));
  if (name === undefined) return;
  throw new BonafideError(
    'invalid_config',
    `Unknown environment variable ${name}. ${formatNameSuggestion(name, knownVariables, 'variables')}`,
  );
}

const readText = (file: string): string => (existsSync(file) ? readTextFile(file) : '');

/** Data folders that are used if none is configured. */
export interface DefaultDataFolders {
  own: string;
  /** Data folder of `serve --demo`. */
  demo: string;
}

/**
 * Returns the default data folders: inside a clone, or for an installed program the folder from systemd (STATE_DIRECTORY) or the XDG data folder
 * (https://specifications.freedesktop.org/basedir-spec).
 */
export function findDefaultDataFolders(isInstalled: boolean, env: EnvironmentVariables): DefaultDataFolders {
  if (!isInstalled) return { own: 'data/local', demo: 'data/demo' };
  const [stateFolder] = (env.STATE_DIRECTORY ?? '').split(':');
  if (stateFolder) return { own: stateFolder, demo: join(stateFolder, 'demo') };
  const dataFolder = env.XDG_DATA_HOME || join(homedir(), '.local/share');
  return { own: join(dataFolder, 'bonafide'), demo: join(dataFolder, 'bonafide-demo') };
}
