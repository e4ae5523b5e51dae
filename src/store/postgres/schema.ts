// The tables of a store in PostgreSQL: those of src/store/schema.ts, whose statements read and write them, and those of limits.db. Migrations
// are made of this. Truth values are 0 and 1, as they are in SQLite, so that one statement serves both.
import {
  bigint as int8,
  customType,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  uniqueIndex,
} from 'drizzle-orm/pg-core';

/** In the order of its bytes, whatever language the database speaks: pages go on behind the last row by comparing. */
const text = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
/** Milliseconds since 1970, and counts. */
const bigint = (name: string) => int8(name, { mode: 'number' });

export const keys = pgTable(
  'keys',
  {
    id: text('id').primaryKey(),
    chain: text('chain').notNull(),
    account: text('account'),
    name: text('name').notNull(),
    hash: bytes('hash').notNull(),
    prefix: text('prefix').notNull(),
    scopes: text('scopes').notNull(),
    created: bigint('created').notNull(),
    expires: bigint('expires'),
    revoked: bigint('revoked'),
    rotatedTo: text('rotated_to'),
    allowedAddresses: text('allowed_addresses'),
    region: text('region'),
    lastUsed: bigint('last_used'),
  },
  (table) => [
    uniqueIndex('keys_hash').on(table.hash),
    index('keys_chain').on(table.chain),
    index('keys_account').on(table.account),
  ],
);

export const usage = pgTable(
  'usage',
  { key: text('key').notNull(), month: text('month').notNull(), calls: bigint('calls').notNull() },
  (table) => [primaryKey({ columns: [table.key, table.month] })],
);

export const calls = pgTable(
  'calls',
  {
    requestId: text('request_id').primaryKey(),
    keyId: text('key').notNull(),
    time: bigint('time').notNull(),
    endpoint: text('endpoint').notNull(),
    responseVersion: text('response_version').notNull(),
    intent: text('intent'),
    emails: integer('emails').notNull(),
    phones: integer('phones').notNull(),
    addresses: integer('addresses').notNull(),
    score: integer('score').notNull(),
    band: text('band').notNull(),
    confidence: text('confidence').notNull(),
    catfish: smallint('catfish').notNull(),
    different: integer('different').notNull(),
    unverified: integer('unverified').notNull(),
    scoringModel: integer('scoring_model'),
    latencyMs: integer('latency_ms').notNull(),
    test: smallint('test').notNull().default(0),
    account: text('account'),
    outcome: smallint('outcome'),
  },
  (table) => [index('calls_key_time').on(table.keyId, table.time)],
);

export const accounts = pgTable('accounts', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  created: bigint('created').notNull(),
  closed: bigint('closed'),
});

export const accountPlans = pgTable(
  'account_plans',
  { account: text('account').notNull(), since: bigint('since').notNull(), plan: text('plan') },
  (table) => [primaryKey({ columns: [table.account, table.since] })],
);

export const plans = pgTable('plans', {
  id: text('id').primaryKey(),
  created: bigint('created').notNull(),
  retired: bigint('retired'),
});

export const planVersions = pgTable(
  'plan_versions',
  {
    plan: text('plan').notNull(),
    version: integer('version').notNull(),
    since: bigint('since').notNull(),
    terms: text('terms').notNull(),
  },
  (table) => [primaryKey({ columns: [table.plan, table.version] })],
);

export const accountUsage = pgTable(
  'account_usage',
  {
    account: text('account').notNull(),
    month: text('month').notNull(),
    plan: text('plan').notNull(),
    version: integer('version').notNull(),
    calls: bigint('calls').notNull(),
    overage: bigint('overage').notNull(),
    test: bigint('test').notNull(),
    /** The order in which rows were added, which SQLite knows by itself. */
    rowid: int8('rowid', { mode: 'number' }).generatedAlwaysAsIdentity(),
  },
  (table) => [primaryKey({ columns: [table.account, table.month, table.plan, table.version] })],
);

export const idempotency = pgTable(
  'idempotency',
  {
    fingerprint: bytes('fingerprint').primaryKey(),
    request: bytes('request').notNull(),
    requestId: text('request_id').notNull(),
    expires: bigint('expires').notNull(),
  },
  (table) => [index('idempotency_expires').on(table.expires)],
);

export const audit = pgTable('audit', {
  seq: bigint('seq').primaryKey(),
  time: bigint('time').notNull(),
  actor: text('actor').notNull(),
  act: text('act').notNull(),
  target: text('target').notNull(),
  detail: text('detail').notNull(),
  previous: bytes('previous').notNull(),
  hash: bytes('hash').notNull(),
});

/** The highest number that an act was ever given; one row. */
export const auditLast = pgTable('audit_last', { seq: bigint('seq').notNull() });

export const webhooks = pgTable(
  'webhooks',
  {
    id: text('id').primaryKey(),
    about: text('about').notNull(),
    body: text('body').notNull(),
    created: bigint('created').notNull(),
    attempts: integer('attempts').notNull(),
    next: bigint('next'),
    delivered: bigint('delivered'),
  },
  (table) => [uniqueIndex('webhooks_about').on(table.about), index('webhooks_next').on(table.next)],
);

export const probes = pgTable(
  'probes',
  {
    key: text('key').notNull(),
    hour: bigint('hour').notNull(),
    checks: bigint('checks').notNull(),
    nameOnly: bigint('name_only').notNull(),
    oneValue: bigint('one_value').notNull(),
    withoutRecord: bigint('without_record').notNull(),
    runs: bigint('runs').notNull(),
    fresh: bigint('fresh').notNull(),
  },
  (table) => [primaryKey({ columns: [table.key, table.hour] })],
);

// What follows may be lost: UNLOGGED in the migration.

export const buckets = pgTable('buckets', {
  name: text('name').primaryKey(),
  fullAt: doublePrecision('full_at').notNull(),
});

export const work = pgTable('work', {
  fingerprint: bytes('fingerprint').primaryKey(),
  request: bytes('request').notNull(),
  requestId: text('request_id').notNull(),
  until: bigint('until').notNull(),
});

export const flights = pgTable(
  'flights',
  { key: text('key').notNull(), process: text('process').notNull(), calls: bigint('calls').notNull() },
  (table) => [primaryKey({ columns: [table.key, table.process] })],
);

export const processes = pgTable('processes', {
  id: text('id').primaryKey(),
  seen: bigint('seen').notNull(),
});

export const links = pgTable('links', { hash: bytes('hash').primaryKey(), until: bigint('until').notNull() });

export const sessions = pgTable('sessions', {
  hash: bytes('hash').primaryKey(),
  key: text('key'),
  until: bigint('until').notNull(),
});
