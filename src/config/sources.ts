import { existsSync, statSync, readFileSync } from 'node:fs';
import { resolve, delimiter, join } from 'node:path';
import { BonafideError } from '../errors.ts';
import { nearestWord } from '../normalise/typo.ts';
import { SETTING_NAMES, SETTINGS, type SettingName, type Setting, VARIABLE_NAMES } from './settings.ts';
import { homedir } from 'node:os';

export const FILE_NAMES = ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'jsonc', 'yaml', 'yml', 'toml'].map(
  (end) => `bonafide.config.${end}`,
);

/** The settings file's own values. c12 reads every usual format; it is loaded only where there is a file. */
export async function readSettingsFile(file: string | undefined, cwd: string) {
  const name = file ?? FILE_NAMES.find((name) => existsSync(resolve(cwd, name)));
  if (name === undefined) return { name: '', values: {} as Record<string, unknown> };
  const path = resolve(cwd, name);
  if (!existsSync(path)) throw new BonafideError('file_not_found', `There is no settings file ${path}.`);
  if (statSync(path).isDirectory())
    throw new BonafideError('unreadable_file', `${path} is a folder: name the settings file itself.`);
  const { loadConfig } = await import('c12');
  const read = await loadConfig({
    cwd,
    configFile: path,
    rcFile: false,
    globalRc: false,
    packageJson: false,
    dotenv: false,
    giget: false,
    extend: false,
    envName: false,
  }).then(
    ({ config }) => config as Record<string, unknown>,
    () => {
      throw new BonafideError(
        'unreadable_file',
        `The settings file ${path} cannot be read. Check its syntax.`,
      );
    },
  );
  if (Array.isArray(read))
    throw new BonafideError('invalid_config', `${name} holds a list, and settings are names with values.`);
  // It names the schema to an editor, and says nothing to us.
  const { $schema: _, ...values } = read;
  const unknown = Object.keys(values).find((key) => !(SETTING_NAMES as string[]).includes(key));
  if (unknown !== undefined) {
    const meant = nearestWord(unknown, SETTING_NAMES);
    const hint = meant ? `Did you mean ${meant}?` : `Known are ${SETTING_NAMES.join(', ')}.`;
    throw new BonafideError('invalid_config', `${name} has an unknown option ${unknown}. ${hint}`);
  }
  return { name, values };
}

// Values of settings as the environment and flags write them.
/** A text as the value that it stands for; undefined where there is none. */
export function parseSettingText(option: SettingName, text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  const { read }: Setting = SETTINGS[option];
  switch (read) {
    case 'number':
      return /^\d+$/.test(text) ? Number(text) : text;
    case 'paths':
      return text.split(delimiter).filter(Boolean);
    case 'commas':
      return text.split(',').map((one) => one.trim());
    case 'pairs':
      return pairs(text);
    default:
      return text;
  }
}

/** `every=24h,to=/backups,keep=7` as an object; numbers and true and false are what they say. */
function pairs(text: string): Record<string, unknown> {
  const value = (word: string) => {
    if (word === 'true' || word === 'false') return word === 'true';
    return /^\d+(\.\d+)?$/.test(word) ? Number(word) : word;
  };
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [name = '', word = ''] = pair.split(/=(.*)/s);
      return [name.trim(), value(word.trim())];
    }),
  );
}

// The variables of the environment that are ours, and those that only look so.
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/**
 * Variables that Kubernetes sets for a service whose name begins with `bonafide`: `BONAFIDE_SERVICE_HOST`, `BONAFIDE_PORT_80_TCP_ADDR` …
 * `BONAFIDE_PORT` is one of them where its value is an address. See kubernetes.io, "Accessing the Service", environment variables.
 */
const SERVICE_LINK = /_SERVICE_(?:HOST|PORT)(?:_\w+)?$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/;
const isServiceLink = (name: string, value = '') =>
  SERVICE_LINK.test(name) || (name.endsWith('_PORT') && /^(?:tcp|udp|sctp):/i.test(value));

export function readVariable(name: string, env: EnvironmentVariables): string | undefined {
  return isServiceLink(name, env[name]) ? undefined : env[name];
}

/** What commands and clients that ask another server go by; no settings of this one. */
const OF_CLIENTS = ['BONAFIDE_KEY', 'BONAFIDE_URL'];

/** A variable that nobody reads is a setting that was meant and is not in force. Errors: invalid_config. */
export function refuseUnknownVariables(env: EnvironmentVariables, featureSettings: string): void {
  const known = Object.values(VARIABLE_NAMES);
  const unknown = Object.keys(env).filter(
    (name) =>
      name.startsWith('BONAFIDE_') &&
      ![...known, ...OF_CLIENTS].includes(name) &&
      !isServiceLink(name, env[name]),
  );
  if (unknown.length === 0) return;
  // The features' keys are in variables of the operator's choice, which their settings name, or a command that sets them.
  const named = [...keyVariables(featureSettings), ...process.argv.join(' ').matchAll(/key_env=(\w+)/g)].map(
    ([, name]) => name,
  );
  const wrong = unknown.find((name) => !named.includes(name));
  if (wrong === undefined) return;
  const meant = nearestWord(wrong, known);
  throw new BonafideError(
    'invalid_config',
    `There is no setting ${wrong}. ${meant ? `Did you mean ${meant}?` : `Known are ${known.join(', ')}.`}`,
  );
}

function keyVariables(file: string): RegExpMatchArray[] {
  return statSync(file, { throwIfNoEntry: false })?.isFile()
    ? [...readFileSync(file, 'utf8').matchAll(/"key_env"\s*:\s*"(\w+)"/g)]
    : [];
}

// Where data lies for which nobody named a folder.
/** The folder of one's own records, and that of the demo's invented people. */
export interface DefaultFolders {
  own: string;
  demo: string;
}

const IN_A_CLONE: DefaultFolders = { own: 'data/local', demo: 'data/demo' };

/**
 * A clone keeps its data to itself. What is installed works in the same folder wherever it is started: the one that systemd gives a
 * service (STATE_DIRECTORY), else the one of the XDG base directories, see https://specifications.freedesktop.org/basedir-spec.
 */
export function findDefaultFolders(installed: boolean, env: EnvironmentVariables): DefaultFolders {
  if (!installed) return IN_A_CLONE;
  const [state] = (env.STATE_DIRECTORY ?? '').split(':');
  if (state) return { own: state, demo: join(state, 'demo') };
  const data = env.XDG_DATA_HOME || join(homedir(), '.local/share');
  return { own: join(data, 'bonafide'), demo: join(data, 'bonafide-demo') };
}
