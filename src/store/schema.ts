import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from './drizzle.ts';
import type { LoggedCall } from '../accounts/model.ts';

/** API keys. Of the key itself only its SHA-256 is kept; `prefix` is what a list may show. Times are milliseconds. */
export const keys = sqliteTable(
  'keys',
  {
    id: text('id').primaryKey(),
    /** The id of the first key of a chain of rotations: usage by key and the request stream belong to this. */
    chain: text('chain').notNull(),
    /** The account that it belongs to; null for a key that stands alone, without plan, quota and rate limit. */
    account: text('account'),
    name: text('name').notNull(),
    hash: blob('hash', { mode: 'buffer' }).notNull(),
    prefix: text('prefix').notNull(),
    /** Words separated by commas. */
    scopes: text('scopes').notNull(),
    created: integer('created').notNull(),
    expires: integer('expires'),
    revoked: integer('revoked'),
    /** The key that replaces this one after `expires`. */
    rotatedTo: text('rotated_to'),
    /** Addresses it may be used from: CIDR blocks separated by commas; null for any. */
    allowedAddresses: text('allowed_addresses'),
    /** Country (ISO 3166, two letters) in which its phones and addresses are read; null for the server's. */
    region: text('region'),
    lastUsed: integer('last_used'),
  },
  (table) => [uniqueIndex('keys_hash').on(table.hash), index('keys_chain').on(table.chain)],
);

/** Accepted live calls, counted per chain of keys and month (`2026-11`, UTC). */
export const usage = sqliteTable(
  'usage',
  {
    key: text('key').notNull(),
    month: text('month').notNull(),
    calls: integer('calls').notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.month] })],
);

/** The call log, and the request stream that is read from it: one row per accepted call, counts and outcomes only. */
export const calls = sqliteTable(
  'calls',
  {
    requestId: text('request_id').primaryKey(),
    keyId: text('key').notNull(),
    time: integer('time').notNull(),
    endpoint: text('endpoint').$type<LoggedCall['endpoint']>().notNull(),
    responseVersion: text('response_version').$type<LoggedCall['responseVersion']>().notNull(),
    intent: text('intent').$type<LoggedCall['intent']>(),
    emails: integer('emails').notNull(),
    phones: integer('phones').notNull(),
    addresses: integer('addresses').notNull(),
    score: integer('score').notNull(),
    band: text('band').$type<LoggedCall['band']>().notNull(),
    confidence: text('confidence').$type<LoggedCall['confidence']>().notNull(),
    catfish: integer('catfish', { mode: 'boolean' }).notNull(),
    different: integer('different').notNull(),
    unverified: integer('unverified').notNull(),
    scoringModel: integer('scoring_model'),
    latencyMs: integer('latency_ms').notNull(),
    test: integer('test', { mode: 'boolean' }).notNull().default(false),
    /** The account that the key belonged to; null for a key that stood alone. */
    account: text('account'),
    /** How it turned out, where the caller told: whether the identity was genuine. */
    outcome: integer('outcome', { mode: 'boolean' }),
  },
  (table) => [index('calls_key_time').on(table.keyId, table.time)],
);

/** Whom an operator bills: any number of keys, one plan at a time. */
export const accounts = sqliteTable('accounts', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  created: integer('created').notNull(),
  /** From then on its keys are refused. */
  closed: integer('closed'),
});

/** Which plan an account had from when on, null for none. Rows are added and never changed. */
export const accountPlans = sqliteTable(
  'account_plans',
  {
    account: text('account').notNull(),
    since: integer('since').notNull(),
    plan: text('plan'),
  },
  (table) => [primaryKey({ columns: [table.account, table.since] })],
);

export const plans = sqliteTable('plans', {
  id: text('id').primaryKey(),
  created: integer('created').notNull(),
  /** From then on no account can be given it. */
  retired: integer('retired'),
});

/** What a plan said from when on. Rows are added and never changed: past months are invoiced by them. */
export const planVersions = sqliteTable(
  'plan_versions',
  {
    plan: text('plan').notNull(),
    version: integer('version').notNull(),
    since: integer('since').notNull(),
    /** JSON of src/accounts/terms.ts. */
    terms: text('terms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.plan, table.version] })],
);

/** What an account called in a month (UTC, of the commit), apart for each version of a plan that applied. */
export const accountUsage = sqliteTable(
  'account_usage',
  {
    account: text('account').notNull(),
    month: text('month').notNull(),
    /** Empty, with version 0, for calls without a plan. */
    plan: text('plan').notNull(),
    version: integer('version').notNull(),
    /** Live calls, those beyond the included ones among them. */
    calls: integer('calls').notNull(),
    /** Live calls beyond the included ones. */
    overage: integer('overage').notNull(),
    /** Calls with test keys: never billed. */
    test: integer('test').notNull(),
  },
  (table) => [primaryKey({ columns: [table.account, table.month, table.plan, table.version] })],
);

/** Calls that carried an Idempotency-Key: keyed fingerprints, never the key, the body or the answer. */
export const idempotency = sqliteTable(
  'idempotency',
  {
    /** Of chain of keys and Idempotency-Key. */
    fingerprint: blob('fingerprint', { mode: 'buffer' }).primaryKey(),
    /** Fingerprint of path, query and body. */
    request: blob('request', { mode: 'buffer' }).notNull(),
    /** The call that was counted. */
    requestId: text('request_id').notNull(),
    expires: integer('expires').notNull(),
  },
  (table) => [index('idempotency_expires').on(table.expires)],
);

/** Every administrative act. Rows are added and never changed; each hash covers the one before. */
export const audit = sqliteTable('audit', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  time: integer('time').notNull(),
  /** Who: `command-line`, or the id of an admin key. */
  actor: text('actor').notNull(),
  /** What, such as `keys.create`. */
  act: text('act').notNull(),
  /** To what: the id of a key, an account, a plan. */
  target: text('target').notNull(),
  /** JSON of what was chosen; never a secret or a submitted value. */
  detail: text('detail').notNull(),
  previous: blob('previous', { mode: 'buffer' }).notNull(),
  hash: blob('hash', { mode: 'buffer' }).notNull(),
});

/** Messages to the operator's webhook, until they are delivered. */
export const webhooks = sqliteTable(
  'webhooks',
  {
    /** The same for each attempt, so that a receiver can tell a repetition. */
    id: text('id').primaryKey(),
    /** What it is about, once: `quota.near acc_x 2026-11`. */
    about: text('about').notNull(),
    /** The JSON that is sent. */
    body: text('body').notNull(),
    created: integer('created').notNull(),
    attempts: integer('attempts').notNull(),
    /** When it is tried next; null when it was delivered or given up. */
    next: integer('next'),
    delivered: integer('delivered'),
  },
  (table) => [uniqueIndex('webhooks_about').on(table.about), index('webhooks_next').on(table.next)],
);

/** How a chain of keys asks, counted by the hour: by this, walking names is told from honest use. No value is in it. */
export const probes = sqliteTable(
  'probes',
  {
    key: text('key').notNull(),
    /** Milliseconds at which the hour began. */
    hour: integer('hour').notNull(),
    checks: integer('checks').notNull(),
    nameOnly: integer('name_only').notNull(),
    oneValue: integer('one_value').notNull(),
    withoutRecord: integer('without_record').notNull(),
    /** Values that followed the one before by counting up or down. */
    runs: integer('runs').notNull(),
    /** Different ones among the names and values of those checks. */
    fresh: integer('fresh').notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.hour] })],
);
