// Tables of a store. Each table is described once, and built for SQLite here and for PostgreSQL in
// .config/drizzle/postgres.ts. Migrations are generated from both. Times are milliseconds since 1970.
import type { JobState, LoggedCall } from '../accounts/model.ts';
import { SQLITE_TABLE_DEFINITION_FUNCTIONS, type TableDefinitionFunctions } from './drizzle.ts';
import { defineEventTables } from './events/schema.ts';

export function defineStoreTables({
  table,
  text,
  bytes,
  integer,
  bigint,
  flag,
  ...dialect
}: TableDefinitionFunctions) {
  const { index, uniqueIndex, primaryKey } = dialect;
  return {
    /** Plans for accounts. Their terms are in `planVersions`. */
    plans: table('plans', {
      id: text('id').primaryKey(),
      created: bigint('created').notNull(),
      /** Time from which the plan can no longer be assigned to accounts; null if it can. */
      retired: bigint('retired'),
    }),

    /** Terms of plans, with the time from which each version applies. Rows are never changed, because invoices of past months depend on them. */
    planVersions: table(
      'plan_versions',
      {
        plan: text('plan').notNull(),
        version: integer('version').notNull(),
        since: bigint('since').notNull(),
        terms: text('terms').notNull(),
      },
      (versions) => [primaryKey({ columns: [versions.plan, versions.version] })],
    ),

    /** Accounts of the operator's customers. An account has any number of API keys, and one plan at a time. */
    accounts: table('accounts', {
      /** Account id: `acc_` followed by 12 characters. */
      id: text('id').primaryKey(),
      name: text('name').notNull(),
      created: bigint('created').notNull(),
      /** Time at which the account was closed, so that its API keys are refused; null for an open account. */
      closed: bigint('closed'),
      /** Name for invoices; null to use the name of the account. */
      billingName: text('billing_name'),
      /** Lines of the postal address for invoices. */
      billingAddress: text('billing_address'),
      taxId: text('tax_id'),
    }),

    /** Plans of accounts, each from a start time on; null for no plan. Rows are never changed. */
    accountPlans: table(
      'account_plans',
      { account: text('account').notNull(), since: bigint('since').notNull(), plan: text('plan') },
      (plans) => [primaryKey({ columns: [plans.account, plans.since] })],
    ),

    /** API keys. Of the text of a key, only its SHA-256 is stored, and its first characters (`prefix`) for lists. */
    keys: table(
      'keys',
      {
        id: text('id').primaryKey(),
        /** Id of the first API key of a chain: a key and the keys that replaced it. Usage and logged calls belong to the whole chain. */
        chain: text('chain').notNull(),
        /** Account of the API key. Null for a key without an account, which has no plan, quota and rate limit. */
        account: text('account'),
        name: text('name').notNull(),
        hash: bytes('hash').notNull(),
        prefix: text('prefix').notNull(),
        /** Comma-separated scopes. */
        scopes: text('scopes').notNull(),
        created: bigint('created').notNull(),
        expires: bigint('expires'),
        revoked: bigint('revoked'),
        rotatedTo: text('rotated_to'),
        /** Comma-separated networks (CIDR) from which the key may be used; null for any network. */
        allowedAddresses: text('allowed_addresses'),
        /** Country (ISO 3166, two letters) of phones and addresses without a country; null for the server's country. */
        region: text('region'),
        lastUsed: bigint('last_used'),
      },
      (keys) => [
        uniqueIndex('keys_hash').on(keys.hash),
        index('keys_chain').on(keys.chain),
        ...(dialect.isPostgres ? [index('keys_account').on(keys.account)] : []),
      ],
    ),

    /** Number of live calls of each chain of API keys in each month (`2026-11`, UTC). */
    usage: table(
      'usage',
      { key: text('key').notNull(), month: text('month').notNull(), calls: bigint('calls').notNull() },
      (usage) => [primaryKey({ columns: [usage.key, usage.month] })],
    ),

    /** Number of calls of each account, by plan version and by the month in which the call was committed (UTC). */
    accountUsage: table(
      'account_usage',
      {
        account: text('account').notNull(),
        month: text('month').notNull(),
        /** Id of the plan; empty, with version 0, for calls without a plan. */
        plan: text('plan').notNull(),
        version: integer('version').notNull(),
        calls: bigint('calls').notNull(),
        /** Number of live calls beyond the quota of the plan. */
        overage: bigint('overage').notNull(),
        /** Number of calls with test keys. */
        test: bigint('test').notNull(),
        ...dialect.ownColumns,
      },
      (usage) => [primaryKey({ columns: [usage.account, usage.month, usage.plan, usage.version] })],
    ),

    /** Issued invoices with their numbers. Rows are never changed. */
    invoices: table(
      'invoices',
      {
        /** Name of the company that issued the invoice. Each issuer numbers its invoices without gaps. */
        issuer: text('issuer').notNull(),
        /** Sequence number of the invoice among those of the issuer: 1, 2, 3 … */
        seq: integer('seq').notNull(),
        account: text('account').notNull(),
        month: text('month').notNull(),
        issued: bigint('issued').notNull(),
        invoice: text('invoice').notNull(),
      },
      (invoices) => [
        primaryKey({ columns: [invoices.issuer, invoices.seq] }),
        uniqueIndex('invoices_month_account').on(invoices.month, invoices.account),
      ],
    ),

    /** Call log: one row for each counted call, with counts and results only. AI features also read it. */
    calls: table(
      'calls',
      {
        requestId: text('request_id').primaryKey(),
        keyId: text('key').notNull(),
        time: bigint('time').notNull(),
        endpoint: text('endpoint').$type<LoggedCall['endpoint']>().notNull(),
        responseVersion: text('response_version').$type<LoggedCall['responseVersion']>().notNull(),
        intent: text('intent').$type<LoggedCall['intent']>(),
        emails: integer('emails').notNull(),
        phones: integer('phones').notNull(),
        addresses: integer('addresses').notNull(),
        score: integer('score').notNull(),
        band: text('band').$type<LoggedCall['band']>().notNull(),
        confidence: text('confidence').$type<LoggedCall['confidence']>().notNull(),
        catfish: flag('catfish').notNull(),
        different: integer('different').notNull(),
        unverified: integer('unverified').notNull(),
        scoringModel: integer('scoring_model'),
        latencyMs: integer('latency_ms').notNull(),
        test: flag('test').notNull().default(dialect.falseDefault),
        account: text('account'),
        /** Outcome that the caller reported: true for a genuine person, false for any other; null if none was reported. */
        outcome: flag('outcome'),
        /** Verdict of the call in words; null for calls of older versions. */
        verdict: text('verdict').$type<LoggedCall['verdict']>(),
      },
      (calls) => [index('calls_key_time').on(calls.keyId, calls.time)],
    ),

    /**
     * Log of refused calls, without submitted values. The first refused calls of an API key and error code in a minute have a row each; one more row
     * counts all further ones.
     */
    refusals: table('refusals', {
      requestId: text('request_id').primaryKey(),
      time: bigint('time').notNull(),
      endpoint: text('endpoint').notNull(),
      status: integer('status').notNull(),
      code: text('code').notNull(),
      /** Rule that the call broke, such as `/emails/0 invalid_email` or `scope raw`; null if the error code says enough. */
      rule: text('rule'),
      /** Id of the first API key of the caller's chain of keys; null if the call had no known key. */
      key: text('key'),
      account: text('account'),
      test: flag('test').notNull().default(dialect.falseDefault),
      /** Number of further refused calls with the same API key, error code and minute, which have no row of their own. */
      more: integer('more').notNull(),
    }),

    /** Idempotency-Keys of counted calls, as keyed hashes. The Idempotency-Key itself, the request and the answer are not stored. */
    idempotency: table(
      'idempotency',
      {
        /** Keyed hash of the chain of API keys and the Idempotency-Key. */
        fingerprint: bytes('fingerprint').primaryKey(),
        /** Keyed hash of path, query and body of the request. */
        request: bytes('request').notNull(),
        requestId: text('request_id').notNull(),
        expires: bigint('expires').notNull(),
      },
      (idempotency) => [index('idempotency_expires').on(idempotency.expires)],
    ),

    /** Counts of suspicious checks of each chain of API keys in each hour, by which harvesting is detected; see src/accounts/harvesting.ts. */
    probes: table(
      'probes',
      {
        key: text('key').notNull(),
        /** Start of the hour, in milliseconds since 1970. */
        hour: bigint('hour').notNull(),
        checks: bigint('checks').notNull(),
        nameOnly: bigint('name_only').notNull(),
        oneValue: bigint('one_value').notNull(),
        withoutRecord: bigint('without_record').notNull(),
        runs: bigint('runs').notNull(),
        fresh: bigint('fresh').notNull(),
      },
      (probes) => [primaryKey({ columns: [probes.key, probes.hour] })],
    ),

    /** Webhook messages to the operator and to accounts: waiting, delivered or given up. */
    webhooks: table(
      'webhooks',
      {
        /** Id of the message. It is the same for each attempt, so that a receiver can recognise a repetition. */
        id: text('id').primaryKey(),
        /** Unique text that identifies the event, so that no event gets two messages: `quota.near acc_x 2026-11 1000`. */
        about: text('about').notNull(),
        body: text('body').notNull(),
        created: bigint('created').notNull(),
        attempts: integer('attempts').notNull(),
        /** Time of the next attempt; null if the message was delivered or given up. */
        next: bigint('next'),
        delivered: bigint('delivered'),
        /** Time of the last attempt; null before the first one. `failure` is the reason if this attempt failed. */
        attempted: bigint('attempted'),
        failure: text('failure'),
        /** Id of the account's endpoint that receives the message; null for the operator's webhook. */
        endpoint: text('endpoint'),
        /** Id of the watch or job that the message is about; null for the operator's webhook. */
        subject: text('subject'),
      },
      (webhooks) => [
        uniqueIndex('webhooks_about').on(webhooks.about),
        index('webhooks_next').on(webhooks.next),
        index('webhooks_created').on(webhooks.created, webhooks.id),
        index('webhooks_subject').on(webhooks.subject),
      ],
    ),

    /** Jobs: files of check requests that the server processes in the background. Only `jobParts` contains submitted values. */
    jobs: table(
      'jobs',
      {
        id: text('id').primaryKey(),
        owner: text('owner').notNull(),
        /** Id of the API key under which the check calls of the job are counted; null for jobs from the console. */
        key: text('key'),
        endpoint: text('endpoint').$type<LoggedCall['endpoint']>().notNull(),
        state: text('state').$type<JobState>().notNull(),
        /** Name and columns of the file, as encrypted JSON. */
        details: bytes('details').notNull(),
        total: integer('total').notNull(),
        /** Number of job lines whose check has a result. */
        done: integer('done').notNull(),
        failed: integer('failed').notNull(),
        created: bigint('created').notNull(),
        started: bigint('started'),
        ended: bigint('ended'),
        /** Error code because of which the job failed; null if it did not fail. */
        problem: text('problem'),
        /** Time from which a server may work on the job; null after the end of the job. */
        next: bigint('next'),
        /** Name of the server thread that works on the job until `next`; null for none. */
        lease: text('lease'),
        expires: bigint('expires').notNull(),
        /** Keyed hash of the job's owner and Idempotency-Key; null without an Idempotency-Key. */
        fingerprint: bytes('fingerprint'),
        /** Keyed hash of query and body of the request that created the job; null without an Idempotency-Key. */
        request: bytes('request'),
      },
      (jobs) => [
        uniqueIndex('jobs_fingerprint').on(jobs.fingerprint),
        index('jobs_owner').on(jobs.owner, jobs.created, jobs.id),
        index('jobs_next').on(jobs.next),
        index('jobs_expires').on(jobs.expires),
      ],
    ),

    /** Requests and results of jobs: several lines in a row, compressed and encrypted under the secret of the data folder. */
    jobParts: table(
      'job_parts',
      {
        job: text('job').notNull(),
        kind: text('kind').$type<'request' | 'result'>().notNull(),
        /** Index in the job of the first line of this row, from 0. */
        first: integer('first').notNull(),
        lines: integer('lines').notNull(),
        sealed: bytes('sealed').notNull(),
      },
      (parts) => [primaryKey({ columns: [parts.job, parts.kind, parts.first] })],
    ),

    ...defineEventTables({ table, text, bytes, integer, bigint, flag, ...dialect }),

    /** Audit log of administrative actions. Rows are never changed, and the hash of each row also covers the hash of the row before. */
    audit: table('audit', {
      seq: dialect.sequence('seq'),
      time: bigint('time').notNull(),
      /** Author of the action: `command-line` with the name of the system user, or the id of an admin key. */
      actor: text('actor').notNull(),
      /** Name of the action, such as `keys.create`. */
      act: text('act').notNull(),
      /** Id of the thing that was changed: an API key, an account, a plan or another object. */
      target: text('target').notNull(),
      /** Details of the action as JSON, without secrets and submitted values. */
      detail: text('detail').notNull(),
      previous: bytes('previous').notNull(),
      hash: bytes('hash').notNull(),
    }),
  };
}

/**
 * Defines the tables for limits and console sessions, whose loss is harmless. SQLite has them in `limits.db`; in PostgreSQL they are UNLOGGED tables.
 */
export function defineLimitTables({
  table,
  text,
  bytes,
  bigint,
  real,
  primaryKey,
}: TableDefinitionFunctions) {
  return {
    buckets: table('buckets', { name: text('name').primaryKey(), fullAt: real('full_at').notNull() }),

    /** Attempts to answer a call with an Idempotency-Key that are in progress. */
    work: table('work', {
      fingerprint: bytes('fingerprint').primaryKey(),
      request: bytes('request').notNull(),
      requestId: text('request_id').notNull(),
      until: bigint('until').notNull(),
    }),

    /** Number of calls in progress of each API key in each process. */
    flights: table(
      'flights',
      { key: text('key').notNull(), process: text('process').notNull(), calls: bigint('calls').notNull() },
      (flights) => [primaryKey({ columns: [flights.key, flights.process] })],
    ),

    /** Running processes (SQLite) or servers (PostgreSQL), with the time of their last heartbeat. */
    processes: table('processes', { id: text('id').primaryKey(), seen: bigint('seen').notNull() }),

    /** Sign-in links of the console. Each link can be used once. */
    links: table('links', { hash: bytes('hash').primaryKey(), until: bigint('until').notNull() }),

    sessions: table('sessions', {
      hash: bytes('hash').primaryKey(),
      key: text('key'),
      until: bigint('until').notNull(),
    }),
  };
}

const STORE = defineStoreTables(SQLITE_TABLE_DEFINITION_FUNCTIONS);

/** All tables of a store in SQLite (`store.db`). */
export const STORE_TABLES = Object.values(STORE);

/** All tables of `limits.db` in SQLite. */
export const LIMITS_DATABASE_TABLES = Object.values(defineLimitTables(SQLITE_TABLE_DEFINITION_FUNCTIONS));

// Tables exported by name, because migrations are generated from these exports.
export const {
  plans,
  planVersions,
  accounts,
  accountPlans,
  keys,
  usage,
  accountUsage,
  invoices,
  calls,
  refusals,
  idempotency,
  probes,
  webhooks,
  jobs,
  jobParts,
  endpoints,
  events,
  counters,
  watches,
  watchKeys,
  watchReservations,
  watchProgress,
  audit,
} = STORE;
