// Table of all settings: schema, default and purpose. The settings file, environment variables, flags, pages
// and editor support use this table.
import { isIP } from 'node:net';
import { isSupportedCountry } from 'libphonenumber-js/min';
import * as v from 'valibot';
import { GRAPH_SETTINGS_SCHEMA } from './graph.ts';
import {
  postgresAddressSchema,
  createDurationTextSchema,
  booleanSchema,
  createNonEmptyTextSchema,
  createMatchingTextSchema,
  createCheckedTextSchema,
  webAddressSchema,
  createWholeNumberSchema,
  createMinWholeNumberSchema,
  createChoiceSchema,
} from './values.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const COUNTRY = 'a country by its two ISO letters, such as US or GB';
const COUNTRY_SCHEMA = v.pipe(v.string(COUNTRY), v.toUpperCase(), v.check(isSupportedCountry, COUNTRY));

/** True if the text is the two-letter ISO code of a supported country. */
export const isSupportedRegion = (code: string): boolean => v.is(COUNTRY_SCHEMA, code);

const BACKUP = v.strictObject(
  {
    /** Interval between two backups, such as `24h`. */
    every: createDurationTextSchema(MINUTE_MS, Infinity, 'a time of a minute or more, such as 24h'),
    to: createNonEmptyTextSchema('a folder'),
    keep: v.optional(createMinWholeNumberSchema(1), 7),
    /** Path of a file whose first line is the passphrase for encrypting backups. */
    passphraseFile: v.optional(createNonEmptyTextSchema('a file whose first line is a passphrase')),
    withSecret: v.optional(booleanSchema, false),
  },
  'every (a time such as 24h) and to (a folder), and optionally keep (a number), passphraseFile and withSecret',
);

/** Setting `webhook`: web address that receives notices (such as of a failed backup) for the operator. */
const WEBHOOK = v.strictObject(
  {
    url: webAddressSchema,
    /** Path of a file whose first line is the secret for signing notices. */
    secretFile: createNonEmptyTextSchema('a file whose first line is the secret for signatures'),
  },
  'url (an http or https address without user and password) and secretFile (a file)',
);

const LINE = 'a line of 1 to 100 characters';
const lineSchema = createCheckedTextSchema((text) => /^[^\p{Cc}\p{Zl}\p{Zp}]{1,100}$/u.test(text), LINE);
const LINES = 'a list of at most 8 lines';
const ISSUER = 'name (a line), and optionally address (a list of lines) and taxId (a line)';
const PERCENT = 'a number of per cent from 0 to 100 with at most four decimal places, such as 8.1';
const TAXES = 'a list of objects with name (a line) and rate (per cent, such as 8.1)';
const MAX_TAXES = 8;

/** Setting `invoice`: issuer, taxes and terms of invoices. */
const INVOICE = v.strictObject(
  {
    issuer: v.optional(
      v.strictObject(
        {
          name: lineSchema,
          address: v.optional(v.pipe(v.array(lineSchema, LINES), v.maxLength(8, LINES)), []),
          taxId: v.optional(lineSchema),
        },
        ISSUER,
      ),
    ),
    /** Taxes that are added to each invoice line. */
    tax: v.optional(
      v.pipe(
        v.array(
          v.strictObject(
            {
              name: lineSchema,
              rate: v.pipe(
                v.union([v.number(PERCENT), v.string(PERCENT)], PERCENT),
                v.transform(String),
                v.regex(/^(?:100|\d{1,2}(?:\.\d{1,4})?)$/, PERCENT),
              ),
            },
            TAXES,
          ),
          TAXES,
        ),
        v.maxLength(MAX_TAXES, TAXES),
      ),
      [],
    ),
    dueDays: v.optional(createWholeNumberSchema(0, 365), 30),
    /** Text at the start of each invoice number. */
    numberPrefix: v.optional(
      createMatchingTextSchema(/^[\w./-]{0,20}$/, 'up to 20 letters, digits and . / - _'),
      '',
    ),
  },
  'issuer (name, address and taxId), tax (a list of name and rate), dueDays (a number) and numberPrefix (a text)',
);

const STORE_PARTS =
  'either url (an address such as postgres://user:password@host:5432/database) or urlFile (a file with that address in its first line)';

/** Setting `store`: PostgreSQL database instead of the file store.db. */
const STORE = v.pipe(
  v.strictObject(
    {
      url: v.optional(postgresAddressSchema),
      urlFile: v.optional(createNonEmptyTextSchema('a file whose first line is a postgres:// address')),
    },
    STORE_PARTS,
  ),
  v.check(({ url, urlFile }) => (url === undefined) !== (urlFile === undefined), STORE_PARTS),
);

/** Setting `tls`: PEM files of the certificate chain and the private key. */
const TLS = v.strictObject(
  { cert: createNonEmptyTextSchema('a file in PEM'), key: createNonEmptyTextSchema('a file in PEM') },
  'cert and key, two files in PEM',
);

const NAME_MATCHING = v.strictObject(
  { disclose: v.optional(createChoiceSchema('request', 'record'), 'request') },
  'disclose (request or record)',
);

/** Setting `jobs`: files of checks that the server processes in the background. */
const JOBS = v.strictObject(
  {
    /** Number of hours for which the results of a finished job are kept. */
    keep_hours: v.optional(createWholeNumberSchema(1, 720), 24),
  },
  'keep_hours (a whole number from 1 to 720)',
);

const SHARE = 'a number from 0 to 1';

/** Setting `tracing`: receiver of tracing spans (OTLP over HTTP, in JSON). */
const TRACING = v.strictObject(
  {
    /** Address of the collector, such as http://127.0.0.1:4318. If it has no path, `/v1/traces` is added. */
    endpoint: webAddressSchema,
    /** HTTP header for the collector, in the form `Name: value`. */
    header: v.optional(createMatchingTextSchema(/^[\w-]+:\s*\S/, 'an HTTP header such as Name: value')),
    /** Share (0 to 1) of traced calls among those without a `traceparent` header. */
    share: v.optional(v.pipe(v.number(SHARE), v.minValue(0, SHARE), v.maxValue(1, SHARE)), 1),
  },
  'endpoint (an address such as http://127.0.0.1:4318), and optionally header (Name: value) and share (0 to 1)',
);

/** True for an IP address, or a network such as `10.0.0.0/8`. */
function isNetwork(value: string): boolean {
  const [ip = '', bits = '0', ...more] = value.split('/');
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(ip)] ?? -1;
  return more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= maxBits;
}

export interface SettingDefinition {
  schema: v.GenericSchema;
  /** Purpose of the setting, as a noun phrase. */
  about: string;
  /** Parser for the value in an environment variable or a flag; undefined for a text. */
  read?: 'number' | 'boolean' | 'paths' | 'commas' | 'pairs';
  /** True if the value is never shown; or the names of its members that are never shown. */
  secret?: true | string[];
}

const setting = <S extends v.GenericSchema>(
  about: string,
  schema: S,
  options: Pick<SettingDefinition, 'read' | 'secret'> = {},
) => ({ about, schema, ...options });

const NUMBER = { read: 'number' } as const;
const PATHS = { read: 'paths' } as const;
const PAIRS = { read: 'pairs' } as const;

const FILES = 'a list of files';
const FILES_AND_FOLDERS = 'a list of files and folders';
const NETWORKS = 'a list of addresses and networks, such as 127.0.0.1 or 10.0.0.0/8';
const WORKERS = 'auto or a whole number from 1 to 64';

export const SETTINGS = {
  dataDir: setting(
    'Folder of the databases and the secret',
    v.optional(createNonEmptyTextSchema('a folder'), 'data/local'),
  ),
  host: setting(
    'Address to listen on',
    v.optional(createNonEmptyTextSchema('an address to listen on, such as 127.0.0.1'), '127.0.0.1'),
  ),
  port: setting(
    'Port to listen on; 0 takes a free port',
    v.optional(createWholeNumberSchema(0, 65_535), 8787),
    NUMBER,
  ),
  listen: setting(
    'Socket file to listen on, in place of host and port',
    v.optional(createMatchingTextSchema(/^unix:.+/, 'unix:PATH')),
  ),
  socketMode: setting(
    'Permissions of the socket file',
    v.optional(createMatchingTextSchema(/^0?[0-7]{3}$/, 'three octal digits, such as 660'), '600'),
  ),
  tls: setting(
    'Files of a certificate and its private key; they are read again when they change',
    v.optional(TLS),
    PAIRS,
  ),
  workers: setting(
    'Number of server threads; auto starts one for each processor core',
    v.optional(v.union([v.literal('auto'), createWholeNumberSchema(1, 64)], WORKERS), 1),
    NUMBER,
  ),
  trustedProxies: setting(
    'Proxies whose X-Forwarded-For header is trusted',
    v.optional(v.array(createCheckedTextSchema(isNetwork, NETWORKS), NETWORKS), []),
    { read: 'commas' },
  ),
  region: setting(
    'Country of phone numbers and addresses without a country',
    v.optional(COUNTRY_SCHEMA, 'US'),
  ),
  secret: setting(
    'Secret of the graph; by default the content of the file `secret` in the data folder',
    v.optional(createNonEmptyTextSchema('64 hexadecimal characters')),
    { secret: true },
  ),
  log: setting(
    'Format of the log; auto is pretty in a terminal and json elsewhere',
    v.optional(createChoiceSchema('auto', 'json', 'pretty', 'silent'), 'auto'),
  ),
  metrics: setting(
    'Access to /metrics: loopback for this machine and keys with the scope metrics, key for such keys only, off for nobody',
    v.optional(createChoiceSchema('loopback', 'key', 'off'), 'loopback'),
  ),
  tracing: setting('Receiver of trace spans, as OTLP over HTTP', v.optional(TRACING), {
    ...PAIRS,
    secret: ['header'],
  }),
  warmUp: setting(
    'Maximum time that a server warms up before it is ready; 0s for no warm-up',
    v.optional(createDurationTextSchema(0, MINUTE_MS, 'a time of at most 60s, such as 1s or 0s'), '1s'),
  ),
  graph: setting(
    'Identity graph that answers checks, and access of other servers to this graph',
    v.optional(GRAPH_SETTINGS_SCHEMA),
    { ...PAIRS, secret: ['database', 'options'] },
  ),
  plugins: setting(
    'Your own plugins: files, or folders with plugins',
    v.optional(v.array(createNonEmptyTextSchema(FILES_AND_FOLDERS), FILES_AND_FOLDERS), []),
    PATHS,
  ),
  calibration: setting(
    'Calibration of the scores, made by `calibrate`',
    v.optional(createNonEmptyTextSchema('the name of a calibration')),
  ),
  nameTables: setting(
    'Files with your own names: short forms, spellings, equivalents',
    v.optional(v.array(createNonEmptyTextSchema(FILES), FILES), []),
    PATHS,
  ),
  nameMatching: setting(
    'Words of a name on record that name matching shows: disclose is request (those that were submitted) or record (all)',
    v.optional(NAME_MATCHING),
    PAIRS,
  ),
  retentionDays: setting(
    'Number of days that a call stays in the call log; 0 for no limit',
    v.optional(createWholeNumberSchema(0, 36_500), 90),
    NUMBER,
  ),
  idempotencyWindow: setting(
    'Time after a call in which its Idempotency-Key is recognised',
    v.optional(
      createDurationTextSchema(MINUTE_MS, 32 * DAY_MS, 'a time from one minute to 32 days, such as 24h'),
      '24h',
    ),
  ),
  jobs: setting('Jobs: keep_hours is the time in hours that results are kept', v.optional(JOBS), PAIRS),
  watches: setting(
    'Watches: claims that are checked again when records behind them change. The server keeps these claims, encrypted',
    v.optional(booleanSchema, false),
    { read: 'boolean' },
  ),
  recheckEveryHours: setting(
    'Hours between two re-checks of all watches, where the graph cannot tell its changes',
    v.optional(createWholeNumberSchema(1, 8760), 24),
    NUMBER,
  ),
  webhookNetworks: setting(
    'Internal addresses and networks to which webhooks of accounts may be sent',
    v.optional(v.array(createCheckedTextSchema(isNetwork, NETWORKS), NETWORKS), []),
    { read: 'commas' },
  ),
  backup: setting('Backups that `serve` makes on a schedule', v.optional(BACKUP), PAIRS),
  store: setting(
    'PostgreSQL database for keys, accounts, usage and the call log, in place of store.db',
    v.optional(STORE),
    { ...PAIRS, secret: ['url'] },
  ),
  invoice: setting('Issuer, taxes and due date of invoices', v.optional(INVOICE), PAIRS),
  webhook: setting(
    'Receiver of notices about quotas that are nearly or fully used',
    v.optional(WEBHOOK),
    PAIRS,
  ),
} satisfies Record<string, SettingDefinition>;

export type SettingName = keyof typeof SETTINGS;
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

type Schemas = { [S in SettingName]: (typeof SETTINGS)[S]['schema'] };
export const SETTINGS_SCHEMA = v.object(
  Object.fromEntries(SETTING_NAMES.map((name) => [name, SETTINGS[name].schema])) as Schemas,
);

export type Config = v.InferOutput<typeof SETTINGS_SCHEMA>;

/** Describes the valid values of a setting, such as "a whole number from 0 to 65535". */
export const describeValidValues = (name: SettingName): string =>
  v.safeParse(SETTINGS[name].schema, null).issues?.[0].message ?? '';

const separateWords = (name: string, separator: string) =>
  name.replace(/[A-Z]/g, (letter) => separator + letter).toLowerCase();

/** Environment variable of each setting, such as `BONAFIDE_DATA_DIR` for `dataDir`. */
export const SETTING_VARIABLE_NAMES = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, `BONAFIDE_${separateWords(name, '_').toUpperCase()}`]),
) as Record<SettingName, string>;

export const toCommandLineFlag = (name: SettingName): string => `--${separateWords(name, '-')}`;
