import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { isSupportedCountry } from 'libphonenumber-js/min';
import * as v from 'valibot';
import { BonafideError } from './errors.ts';
import { nearest } from './normalise/nearest.ts';

const PORT = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535));
const DAYS = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36_500));
const TEXT = v.pipe(v.string(), v.minLength(1));

const UNITS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `24h`, `30m`, `7d`, `0s` as milliseconds; undefined where it is no such time. */
export function milliseconds(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const length = UNITS[unit];
  return length === undefined ? undefined : Number(count) * length;
}

/** Backups that the server makes by itself. */
const BACKUP = v.strictObject({
  /** How often, such as 24h. */
  every: v.pipe(
    v.string(),
    v.check((text) => (milliseconds(text) ?? 0) >= 60_000),
  ),
  /** Folder of the copies. */
  to: TEXT,
  /** How many copies are kept. */
  keep: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 7),
  /** File whose first line is the passphrase that copies are encrypted under. */
  passphraseFile: v.optional(TEXT),
  /** Whether the secret is in the copies. */
  withSecret: v.optional(v.boolean(), false),
});

export const DEFAULT_DATA_DIR = 'data/local';

/** Every setting, its default, and what it must be. Names in the file are these; see `ENVIRONMENT` for the variables. */
const SCHEMA = v.object({
  /** Folder of the databases and the secret. */
  dataDir: v.optional(TEXT, DEFAULT_DATA_DIR),
  host: v.optional(TEXT, '127.0.0.1'),
  /** 0 takes a free port. */
  port: v.optional(PORT, 8787),
  /** Country (ISO 3166, two letters) in which numbers and addresses that name none are read. */
  region: v.optional(v.pipe(v.string(), v.toUpperCase(), v.check(isSupportedCountry)), 'US'),
  /** The graph's secret, 64 hexadecimal characters; without it, the file `secret` in the data folder. */
  secret: v.optional(TEXT),
  /** `auto` is pretty in a terminal and json elsewhere. */
  log: v.optional(v.picklist(['auto', 'json', 'pretty', 'silent']), 'auto'),
  /** Plugins of your own: files, or folders of them. */
  plugins: v.optional(v.array(TEXT), []),
  /** Files with names of your own: short forms, spellings, equivalents. */
  nameTables: v.optional(v.array(TEXT), []),
  /** How many days a call stays in the call log; 0 for ever. */
  retentionDays: v.optional(DAYS, 90),
  /** Backups that `serve` makes by itself. */
  backup: v.optional(BACKUP),
});

export type Config = v.InferOutput<typeof SCHEMA>;
export type Option = keyof Config;

const MUST: Record<Option, string> = {
  dataDir: 'a folder',
  host: 'an address to listen on, such as 127.0.0.1',
  port: 'a whole number from 0 to 65535',
  region: 'a country by its two ISO letters, such as US or GB',
  secret: '64 hexadecimal characters',
  log: 'auto, json, pretty or silent',
  plugins: 'a list of files and folders',
  nameTables: 'a list of files',
  retentionDays: 'a whole number of days from 0 to 36500',
  backup:
    'every (a time of a minute or more, such as 24h) and to (a folder), and may have keep (a number), passphraseFile and withSecret',
};

export const ENVIRONMENT: Record<Option, string> = {
  dataDir: 'BONAFIDE_DATA_DIR',
  host: 'BONAFIDE_HOST',
  port: 'BONAFIDE_PORT',
  region: 'BONAFIDE_REGION',
  secret: 'BONAFIDE_SECRET',
  log: 'BONAFIDE_LOG',
  plugins: 'BONAFIDE_PLUGINS',
  nameTables: 'BONAFIDE_NAME_TABLES',
  retentionDays: 'BONAFIDE_RETENTION_DAYS',
  backup: 'BONAFIDE_BACKUP',
};
const OPTIONS = Object.keys(MUST) as Option[];
const FILE_NAMES = ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'yaml', 'yml', 'toml'].map(
  (end) => `bonafide.config.${end}`,
);

export interface Sources {
  /** What the command line said; undefined where it said nothing. */
  flags?: { [O in Option]?: string | undefined };
  /** The folder to work in where nobody names one. */
  defaultDataDir?: string | undefined;
  /** A settings file to read instead of `bonafide.config.*` in the working folder. */
  file?: string | undefined;
  env?: Record<string, string | undefined>;
  cwd?: string;
}

/** The environment, for the parts that are handed it. No other file reads process.env. */
export const environment: Readonly<Record<string, string | undefined>> = process.env;

/**
 * Reads the settings once: flags over environment over file over defaults. `dataDir` comes back absolute.
 *
 * Errors: invalid_config (names the option, never its value), file_not_found, unreadable_file.
 */
export async function loadConfig({
  flags = {},
  defaultDataDir,
  file,
  env = environment,
  cwd = process.cwd(),
}: Sources = {}): Promise<Config> {
  const found = await readSettings(file, cwd);
  const values: Record<string, unknown> = {};
  const origin: Partial<Record<Option, string>> = {};
  const take = (option: Option, value: unknown, from: string) => {
    if (value === undefined || value === '') return;
    values[option] = value;
    origin[option] = from;
  };
  take('dataDir', defaultDataDir, 'default');
  for (const option of OPTIONS) {
    take(option, found.values[option], found.name);
    take(option, fromText(option, ownValue(ENVIRONMENT[option], env)), ENVIRONMENT[option]);
    take(
      option,
      fromText(option, flags[option]),
      `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    );
  }
  const result = v.safeParse(SCHEMA, values);
  if (result.success) {
    const config = { ...result.output, dataDir: resolve(cwd, result.output.dataDir) };
    refuseUnknown(env, join(config.dataDir, 'features.json'));
    return config;
  }
  const wrong = String(result.issues[0].path?.[0]?.key) as Option;
  throw new BonafideError('invalid_config', `${wrong} (from ${origin[wrong]}) must be ${MUST[wrong]}.`);
}

/**
 * Variables that Kubernetes sets for a service whose name begins with `bonafide`: `BONAFIDE_SERVICE_HOST`, `BONAFIDE_PORT_80_TCP_ADDR` …
 * `BONAFIDE_PORT` is one of them where its value is an address. See kubernetes.io, "Accessing the Service", environment variables.
 */
const SERVICE_LINK = /_SERVICE_(?:HOST|PORT)(?:_\w+)?$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/;
const isServiceLink = (name: string, value = '') =>
  SERVICE_LINK.test(name) || (name.endsWith('_PORT') && /^(?:tcp|udp|sctp):/i.test(value));

function ownValue(name: string, env: NonNullable<Sources['env']>): string | undefined {
  return isServiceLink(name, env[name]) ? undefined : env[name];
}

/** A variable that nobody reads is a setting that was meant and is not in force. Errors: invalid_config. */
function refuseUnknown(env: NonNullable<Sources['env']>, featureSettings: string): void {
  const known = Object.values(ENVIRONMENT);
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith('BONAFIDE_') && !known.includes(name) && !isServiceLink(name, env[name]),
  );
  if (unknown.length === 0) return;
  // The features' keys are in variables of the operator's choice, which their settings name, or a command that sets them.
  const named = [...keyVariables(featureSettings), ...process.argv.join(' ').matchAll(/key_env=(\w+)/g)].map(
    ([, name]) => name,
  );
  const wrong = unknown.find((name) => !named.includes(name));
  if (wrong === undefined) return;
  const meant = nearest(wrong, known);
  throw new BonafideError(
    'invalid_config',
    `There is no setting ${wrong}. ${meant ? `Did you mean ${meant}?` : `Known are ${known.join(', ')}.`}`,
  );
}

function keyVariables(file: string): RegExpMatchArray[] {
  return existsSync(file) ? [...readFileSync(file, 'utf8').matchAll(/"key_env"\s*:\s*"(\w+)"/g)] : [];
}

function fromText(option: Option, value: string | undefined): unknown {
  if (value === undefined || value === '') return undefined;
  if (option === 'port' || option === 'retentionDays') return /^\d+$/.test(value) ? Number(value) : value;
  if (option === 'plugins' || option === 'nameTables') return value.split(delimiter).filter(Boolean);
  if (option === 'backup') return pairs(value);
  return value;
}

/** `every=24h,to=/backups,keep=7` as an object; whole numbers and true and false are what they say. */
function pairs(text: string): Record<string, unknown> {
  const value = (word: string) => {
    if (word === 'true' || word === 'false') return word === 'true';
    return /^\d+$/.test(word) ? Number(word) : word;
  };
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [name = '', word = ''] = pair.split(/=(.*)/s);
      return [name.trim(), value(word.trim())];
    }),
  );
}

/** The settings file's own values. c12 reads every usual format; it is loaded only where there is a file. */
async function readSettings(file: string | undefined, cwd: string) {
  const name = file ?? FILE_NAMES.find((name) => existsSync(resolve(cwd, name)));
  if (name === undefined) return { name: '', values: {} as Record<string, unknown> };
  const path = resolve(cwd, name);
  if (!existsSync(path)) throw new BonafideError('file_not_found', `There is no settings file ${path}.`);
  const { loadConfig } = await import('c12');
  const values = await loadConfig({
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
  const unknown = Object.keys(values).find((key) => !OPTIONS.includes(key as Option));
  if (unknown !== undefined) {
    throw new BonafideError(
      'invalid_config',
      `${name} has an unknown option ${unknown}. Known are ${OPTIONS.join(', ')}.`,
    );
  }
  return { name, values };
}
