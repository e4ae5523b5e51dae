// Tables of a store. Each table is described once, and built for SQLite here and for PostgreSQL in
// .config/drizzle/postgres.ts. Migrations are generated from both. Times are milliseconds since 1970.
import type { JobState, LoggedCall } from '../accounts/model.ts';
import { SQLITE_DIALECT, type TableDialect } from './drizzle.ts';
import { buildEventTables } from './events/schema.ts';

export function buildStoreTables({ table, text, bytes, integer, bigint, flag, ...dialect }: TableDialect) {
  const { index, uniqueIndex, primaryKey } = dialect;
  return {
    /** Plans of accounts; their terms are in `planVersions`. */
    plans: table('plans', {
      id: text('id').primaryKey(),
      created: bigint('created').notNull(),
      /** Time from which accounts cannot get the plan. */
      retired: bigint('retired'),
    }),

    /** Terms of plans, each version with a start time. Rows are never changed, because past months are invoiced by them. */
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

    /** Customers of the operator: any number of keys, one plan at a time. */
    accounts: table('accounts', {
      id: text('id').primaryKey(),
      name: text('name').notNull(),
      created: bigint('created').notNull(),
      closed: bigint('closed'),
      billingName: text('billing_name'),
      billingAddress: text('billing_address'),
      taxId: text('tax_id'),
    }),

    /** Plans of accounts, each with a start time; null for no plan. Rows are never changed. */
    accountPlans: table(
      'account_plans',
      { account: text('account').notNull(), since: bigint('since').notNull(), plan: text('plan') },
      (plans) => [primaryKey({ columns: [plans.account, plans.since] })],
    ),

    /** API keys. The key itself is stored only as its SHA-256; `prefix` may be shown in lists. */
    keys: table(
      'keys',
      {
        id: text('id').primaryKey(),
        /** Id of the first key of a chain of rotations. Usage by key and the request stream belong to the chain. */
        chain: text('chain').notNull(),
        /** Account of the key; null for a key without account, plan, quota and rate limit. */
        account: text('account'),
        name: text('name').notNull(),
        hash: bytes('hash').notNull(),
        prefix: text('prefix').notNull(),
        /** Scopes separated by commas. */
        scopes: text('scopes').notNull(),
        created: bigint('created').notNull(),
        expires: bigint('expires'),
        revoked: bigint('revoked'),
        rotatedTo: text('rotated_to'),
        /** Networks that the key may be used from, in CIDR form and separated by commas; null for any address. */
        allowedAddresses: text('allowed_addresses'),
        /** Country (ISO 3166, two letters) for reading phones and addresses; null for the server's country. */
        region: text('region'),
        lastUsed: bigint('last_used'),
      },
      (keys) => [
        uniqueIndex('keys_hash').on(keys.hash),
        index('keys_chain').on(keys.chain),
        ...(dialect.isPostgres ? [index('keys_account').on(keys.account)] : []),
      ],
    ),

    /** Accepted live calls by chain of keys and month (`2026-11`, UTC). */
    usage: table(
      'usage',
      { key: text('key').notNull(), month: text('month').notNull(), calls: bigint('calls').notNull() },
      (usage) => [primaryKey({ columns: [usage.key, usage.month] })],
    ),

    /** Calls of accounts by month (UTC, of the commit) and version of a plan. */
    accountUsage: table(
      'account_usage',
      {
        account: text('account').notNull(),
        month: text('month').notNull(),
        /** Id of the plan; empty, with version 0, for calls without a plan. */
        plan: text('plan').notNull(),
        version: integer('version').notNull(),
        calls: bigint('calls').notNull(),
        /** Live calls beyond the included quota. */
        overage: bigint('overage').notNull(),
        test: bigint('test').notNull(),
        ...dialect.ownColumns,
      },
      (usage) => [primaryKey({ columns: [usage.account, usage.month, usage.plan, usage.version] })],
    ),

    /** Issued invoices, as they were when they got their numbers. Rows are never changed. */
    invoices: table(
      'invoices',
      {
        /** Name of the issuer. Each issuer numbers its invoices without gaps. */
        issuer: text('issuer').notNull(),
        /** Position in the sequence of the issuer: 1, 2, 3 … */
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

    /** The call log, which is also the request stream of AI features: one row for each accepted call, with counts and outcomes only. */
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
        /** True if the caller reported that the person was genuine; null without a report. */
        outcome: flag('outcome'),
        /** Null for calls of older versions. */
        verdict: text('verdict').$type<LoggedCall['verdict']>(),
      },
      (calls) => [index('calls_key_time').on(calls.keyId, calls.time)],
    ),

    /**
     * Refused calls, separate from the call log and from billing. Of many refusals of one kind in a minute, the first ones have a row each, and
     * all later ones are counted in one row; see src/store/serving/refusals.ts. Never contains a submitted value.
     */
    refusals: table('refusals', {
      requestId: text('request_id').primaryKey(),
      time: bigint('time').notNull(),
      endpoint: text('endpoint').notNull(),
      status: integer('status').notNull(),
      code: text('code').notNull(),
      /** Violated rule, such as `/emails/0 invalid_email` or `scope raw`; null if the error code is sufficient. */
      rule: text('rule'),
      /** Id of the first key of the chain of rotations; null if no known key was sent. */
      key: text('key'),
      account: text('account'),
      test: flag('test').notNull().default(dialect.falseDefault),
      /** Number of further refusals of the same key and code in the same minute without a separate row. */
      more: integer('more').notNull(),
    }),

    /** Idempotency-Keys of calls, as keyed fingerprints. The key, the body and the answer are not stored. */
    idempotency: table(
      'idempotency',
      {
        /** Fingerprint of chain of keys and Idempotency-Key. */
        fingerprint: bytes('fingerprint').primaryKey(),
        /** Fingerprint of path, query and body. */
        request: bytes('request').notNull(),
        requestId: text('request_id').notNull(),
        expires: bigint('expires').notNull(),
      },
      (idempotency) => [index('idempotency_expires').on(idempotency.expires)],
    ),

    /** Probe counts by chain of keys and hour, for the detection of harvesting; see src/accounts/harvesting.ts. */
    probes: table(
      'probes',
      {
        key: text('key').notNull(),
        /** Start of the hour that is counted. */
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

    /** Messages to the operator's webhook: pending, delivered or given up. */
    webhooks: table(
      'webhooks',
      {
        /** Message id, the same for each attempt, so that a receiver can recognise a repetition. */
        id: text('id').primaryKey(),
        /** Subject, which is unique: `quota.near acc_x 2026-11 1000`. */
        about: text('about').notNull(),
        body: text('body').notNull(),
        created: bigint('created').notNull(),
        attempts: integer('attempts').notNull(),
        /** Time of the next attempt; null after delivery or after the last attempt. */
        next: bigint('next'),
        delivered: bigint('delivered'),
        /** Time of the last attempt, and the reason of its failure; null if there was no attempt or it succeeded. */
        attempted: bigint('attempted'),
        failure: text('failure'),
        /** Id of the account's endpoint that receives the message; null for the operator's webhook. */
        endpoint: text('endpoint'),
        /** Id of the watch or the job that a message to an endpoint is about; null for the operator's webhook. */
        subject: text('subject'),
      },
      (webhooks) => [
        uniqueIndex('webhooks_about').on(webhooks.about),
        index('webhooks_next').on(webhooks.next),
        index('webhooks_created').on(webhooks.created, webhooks.id),
        index('webhooks_subject').on(webhooks.subject),
      ],
    ),

    /** Jobs: files of checks that the server processes in the background. Only `jobParts` contains submitted values. */
    jobs: table(
      'jobs',
      {
        id: text('id').primaryKey(),
        owner: text('owner').notNull(),
        /** Id of the key under which the checks are counted; null for jobs of the operator in the console. */
        key: text('key'),
        endpoint: text('endpoint').$type<LoggedCall['endpoint']>().notNull(),
        state: text('state').$type<JobState>().notNull(),
        /** Encrypted JSON: name and columns of the file. */
        details: bytes('details').notNull(),
        total: integer('total').notNull(),
        /** Lines with a result, from the first line on. */
        done: integer('done').notNull(),
        failed: integer('failed').notNull(),
        created: bigint('created').notNull(),
        started: bigint('started'),
        ended: bigint('ended'),
        problem: text('problem'),
        /** Time from which a server may work on the job; null after its end. */
        next: bigint('next'),
        /** Server thread that processes the job until `next`; null for none. */
        lease: text('lease'),
        expires: bigint('expires').notNull(),
        /** Fingerprint of owner and Idempotency-Key; null without a key. */
        fingerprint: bytes('fingerprint'),
        /** Fingerprint of query and body. */
        request: bytes('request'),
      },
      (jobs) => [
        uniqueIndex('jobs_fingerprint').on(jobs.fingerprint),
        index('jobs_owner').on(jobs.owner, jobs.created, jobs.id),
        index('jobs_next').on(jobs.next),
        index('jobs_expires').on(jobs.expires),
      ],
    ),

    /** Requests and results of jobs, several lines per row, compressed and encrypted under the secret of the data folder. */
    jobParts: table(
      'job_parts',
      {
        job: text('job').notNull(),
        kind: text('kind').$type<'request' | 'result'>().notNull(),
        /** Index of the first line of the part in the job, from 0. */
        first: integer('first').notNull(),
        lines: integer('lines').notNull(),
        sealed: bytes('sealed').notNull(),
      },
      (parts) => [primaryKey({ columns: [parts.job, parts.kind, parts.first] })],
    ),

    ...buildEventTables({ table, text, bytes, integer, bigint, flag, ...dialect }),

    /** The audit log: every administrative action. Rows are never changed; each hash also covers the previous hash. */
    audit: table('audit', {
      seq: dialect.sequence('seq'),
      time: bigint('time').notNull(),
      /** `command-line`, or the id of an admin key. */
      actor: text('actor').notNull(),
      /** Name of the action, such as `keys.create`. */
      act: text('act').notNull(),
      /** Id of the changed object: a key, an account or a plan. */
      target: text('target').notNull(),
      /** JSON of the chosen values; never a secret or a submitted value. */
      detail: text('detail').notNull(),
      previous: bytes('previous').notNull(),
      hash: bytes('hash').notNull(),
    }),
  };
}

/** Defines the tables that may be lost: in SQLite they are in `limits.db`, in PostgreSQL they are UNLOGGED. */
export function defineLimitTables({ table, text, bytes, bigint, real, primaryKey }: TableDialect) {
  return {
    buckets: table('buckets', { name: text('name').primaryKey(), fullAt: real('full_at').notNull() }),

    /** Calls with an Idempotency-Key that are in progress. */
    work: table('work', {
      fingerprint: bytes('fingerprint').primaryKey(),
      request: bytes('request').notNull(),
      requestId: text('request_id').notNull(),
      until: bigint('until').notNull(),
    }),

    /** Calls in flight by key and process. */
    flights: table(
      'flights',
      { key: text('key').notNull(), process: text('process').notNull(), calls: bigint('calls').notNull() },
      (flights) => [primaryKey({ columns: [flights.key, flights.process] })],
    ),

    /** Processes or servers, with the time of their last heartbeat. */
    processes: table('processes', { id: text('id').primaryKey(), seen: bigint('seen').notNull() }),

    /** Sign-in links of the console, each valid once. */
    links: table('links', { hash: bytes('hash').primaryKey(), until: bigint('until').notNull() }),

    sessions: table('sessions', {
      hash: bytes('hash').primaryKey(),
      key: text('key'),
      until: bigint('until').notNull(),
    }),
  };
}

const STORE = buildStoreTables(SQLITE_DIALECT);

/** All tables of a store in SQLite (`store.db`). */
export const STORE_TABLES = Object.values(STORE);

/** All tables of `limits.db` in SQLite. */
export const LIMIT_TABLES = Object.values(defineLimitTables(SQLITE_DIALECT));

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
