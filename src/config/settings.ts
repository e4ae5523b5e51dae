// Every setting, once: what it must be, its default, and what it is for. File, environment, flags, pages and editors follow from this table.
import { isIP } from 'node:net';
import { isSupportedCountry } from 'libphonenumber-js/min';
import * as v from 'valibot';
import { GRAPH_SCHEMA } from './graph.ts';

const TEXT = v.pipe(v.string(), v.minLength(1));
const PORT = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535));
const WORKERS = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(64));
const DAYS = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36_500));

const REGION = v.pipe(v.string(), v.toUpperCase(), v.check(isSupportedCountry));

/** Whether a text is a country by its two ISO letters, in any letter case. */
export const isRegion = (text: string): boolean => v.is(REGION, text);

const UNITS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `24h`, `30m`, `7d`, `0s` as milliseconds; undefined where it is no such time. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const length = UNITS[unit];
  return length === undefined ? undefined : Number(count) * length;
}

/** Backups that the server makes by itself. */
const BACKUP = v.strictObject({
  /** How often, such as 24h. */
  every: v.pipe(
    v.string(),
    v.check((text) => (parseDuration(text) ?? 0) >= 60_000),
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

/** Where notices of quotas go. */
const WEBHOOK = v.strictObject({
  url: v.pipe(v.string(), v.url(), v.regex(/^https?:/)),
  /** File whose first line is the secret that they are signed under. */
  secretFile: TEXT,
});

/** Where the store is, where it is not in the data folder. */
const STORE = v.pipe(
  v.strictObject({
    url: v.optional(v.pipe(v.string(), v.url(), v.regex(/^postgres(?:ql)?:/))),
    /** File whose first line is the address. */
    urlFile: v.optional(TEXT),
  }),
  v.check(({ url, urlFile }) => (url === undefined) !== (urlFile === undefined)),
);

/** Files of the certificate, with its chain, and of its key, in PEM. */
const TLS = v.strictObject({ cert: TEXT, key: TEXT });

/** Where finished spans are sent, as OTLP over HTTP in JSON. */
const TRACING = v.strictObject({
  /** Such as http://127.0.0.1:4318; `/v1/traces` is added where no path is given. */
  endpoint: v.pipe(v.string(), v.url(), v.regex(/^https?:/)),
  /** A header that the collector wants, `Name: value`. */
  header: v.optional(v.pipe(v.string(), v.regex(/^[\w-]+:\s*\S/))),
  /** Which share of the calls that come without a `traceparent` are traced, 0 to 1. */
  share: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), 1),
});

const NETWORK = v.pipe(v.string(), v.check(isNetwork));

/** An address, or a network as `10.0.0.0/8`. */
function isNetwork(text: string): boolean {
  const [address = '', bits = '0', ...more] = text.split('/');
  const widest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= widest;
}

const MOST_WINDOW_MS = 32 * 86_400_000;

const MOST_WARM_UP_MS = 60_000;
const isWarmUp = (text: string) => (parseDuration(text) ?? Infinity) <= MOST_WARM_UP_MS;

function isWindow(text: string): boolean {
  const length = parseDuration(text) ?? 0;
  return length >= 60_000 && length <= MOST_WINDOW_MS;
}

export interface Setting {
  schema: v.GenericSchema;
  /** What a wrong value is told to be: `port must be …`. */
  must: string;
  about: string;
  /** How a text from the environment or a flag is read, where the value is no text. */
  read?: 'number' | 'paths' | 'commas' | 'pairs';
  /** The value, or these parts of it, are shown to nobody. */
  secret?: true | string[];
}

export const SETTINGS = {
  dataDir: {
    schema: v.optional(TEXT, 'data/local'),
    must: 'a folder',
    about: 'Folder of the databases and the secret',
  },
  host: {
    schema: v.optional(TEXT, '127.0.0.1'),
    must: 'an address to listen on, such as 127.0.0.1',
    about: 'Address to listen on',
  },
  port: {
    schema: v.optional(PORT, 8787),
    must: 'a whole number from 0 to 65535',
    about: 'Port to listen on, 0 for a free one',
    read: 'number',
  },
  listen: {
    schema: v.optional(v.pipe(v.string(), v.regex(/^unix:.+/))),
    must: 'unix:PATH',
    about: 'unix:PATH to listen on a socket file in place of host and port',
  },
  socketMode: {
    schema: v.optional(v.pipe(v.string(), v.regex(/^0?[0-7]{3}$/)), '600'),
    must: 'three octal digits, such as 660',
    about: 'Mode of the socket file',
  },
  tls: {
    schema: v.optional(TLS),
    must: 'cert and key, two files in PEM',
    about: 'Files of a certificate and its key; they are read again when they change',
    read: 'pairs',
  },
  workers: {
    schema: v.optional(v.union([v.literal('auto'), WORKERS]), 1),
    must: 'auto or a whole number from 1 to 64',
    about: 'Threads that serve, auto for as many as the machine has cores for',
    read: 'number',
  },
  trustedProxies: {
    schema: v.optional(v.array(NETWORK), []),
    must: 'a list of addresses and networks, such as 127.0.0.1 or 10.0.0.0/8',
    about: 'Proxies whose X-Forwarded-For is believed',
    read: 'commas',
  },
  region: {
    schema: v.optional(REGION, 'US'),
    must: 'a country by its two ISO letters, such as US or GB',
    about: 'Country of numbers and addresses that name none',
  },
  secret: {
    schema: v.optional(TEXT),
    must: '64 hexadecimal characters',
    about: 'The graph’s secret; without it, the file `secret` in the data folder',
    secret: true,
  },
  log: {
    schema: v.optional(v.picklist(['auto', 'json', 'pretty', 'silent']), 'auto'),
    must: 'auto, json, pretty or silent',
    about: 'Form of the log; auto is pretty in a terminal and json elsewhere',
  },
  metrics: {
    schema: v.optional(v.picklist(['loopback', 'key', 'off']), 'loopback'),
    must: 'loopback, key or off',
    about: 'Who may read /metrics: this machine and keys with the scope metrics, such keys alone, or nobody',
  },
  tracing: {
    schema: v.optional(TRACING),
    must: 'endpoint (an address such as http://127.0.0.1:4318), and may have header (Name: value) and share (0 to 1)',
    about: 'Where spans are sent, as OTLP over HTTP',
    read: 'pairs',
    secret: ['header'],
  },
  warmUp: {
    schema: v.optional(v.pipe(v.string(), v.check(isWarmUp)), '1s'),
    must: 'a time of at most 60s, such as 1s or 0s',
    about: 'How long a start may take to become as fast as it will be, 0s for none of it',
  },
  graph: {
    schema: v.optional(GRAPH_SCHEMA),
    must: 'parts of the setting graph, each as the page on settings says',
    about: 'Which identity graph answers, and whether other servers may ask this one’s',
    read: 'pairs',
    secret: ['database', 'options'],
  },
  plugins: {
    schema: v.optional(v.array(TEXT), []),
    must: 'a list of files and folders',
    about: 'Plugins of your own: files, or folders of them',
    read: 'paths',
  },
  calibration: {
    schema: v.optional(TEXT),
    must: 'the name of a calibration',
    about: 'Map of scores, made by `calibrate`, that answers go by',
  },
  nameTables: {
    schema: v.optional(v.array(TEXT), []),
    must: 'a list of files',
    about: 'Files with names of your own: short forms, spellings, equivalents',
    read: 'paths',
  },
  retentionDays: {
    schema: v.optional(DAYS, 90),
    must: 'a whole number of days from 0 to 36500',
    about: 'Days that a call stays in the call log, 0 for ever',
    read: 'number',
  },
  idempotencyWindow: {
    schema: v.optional(v.pipe(v.string(), v.check(isWindow)), '24h'),
    must: 'a time of a minute to 32 days, such as 24h',
    about: 'How long an Idempotency-Key is known for after its call',
  },
  backup: {
    schema: v.optional(BACKUP),
    must: 'every (a time of a minute or more, such as 24h) and to (a folder), and may have keep (a number), passphraseFile and withSecret',
    about: 'Backups that `serve` makes by itself',
    read: 'pairs',
  },
  store: {
    schema: v.optional(STORE),
    must: 'url (an address such as postgres://user:password@host:5432/database) or urlFile (a file whose first line it is)',
    about: 'PostgreSQL that holds keys, accounts, usage and the call log in place of store.db',
    read: 'pairs',
    secret: ['url'],
  },
  webhook: {
    schema: v.optional(WEBHOOK),
    must: 'url (an http or https address) and secretFile (a file)',
    about: 'Where notices of quotas that are near or reached are sent',
    read: 'pairs',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

type Schemas = { [O in SettingName]: (typeof SETTINGS)[O]['schema'] };
export const SETTINGS_SCHEMA = v.object(
  Object.fromEntries(SETTING_NAMES.map((option) => [option, SETTINGS[option].schema])) as Schemas,
);

export type Config = v.InferOutput<typeof SETTINGS_SCHEMA>;

const words = (option: string, between: string) =>
  option.replace(/[A-Z]/g, (letter) => between + letter).toLowerCase();

/** `dataDir` as BONAFIDE_DATA_DIR. */
export const VARIABLE_NAMES = Object.fromEntries(
  SETTING_NAMES.map((option) => [option, `BONAFIDE_${words(option, '_').toUpperCase()}`]),
) as Record<SettingName, string>;

/** `dataDir` as --data-dir. */
export const toFlag = (option: SettingName): string => `--${words(option, '-')}`;
