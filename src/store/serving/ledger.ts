// Commits a batch of accepted calls in one transaction: the charge of each call, its row in the call log, and
// the counts. Two calls, threads or processes can never both get the last call of a quota, and a call without
// a commit is never charged: nothing is reserved or refunded. In PostgreSQL the function commit_1 does the
// same (src/store/postgres/migrations).
import type { ExpiringRequestFingerprint } from '../../accounts/idempotency.ts';
import { getNextCallChargeKind, findQuotaNotices, toQuotaUsage } from '../../accounts/billing/quota.ts';
import type { CurrentPlan, QuotaUsage } from '../../accounts/model.ts';
import { getMonthOfTime } from '../../accounts/time.ts';
import { preparePerConnection } from '../../platform/sqlite.ts';
import type { SqlConnection } from '../store.ts';
import { findAccountClosureAndPlan, getMonthUsage } from './current-plan.ts';
import { findUsedIdempotencyKey, saveUsedIdempotencyKey } from './idempotency.ts';
import {
  CALL_ACCOUNT_COLUMN_INDEX,
  CALL_REQUEST_ID_COLUMN_INDEX,
  CALL_KEY_CHAIN_COLUMN_INDEX,
  CALL_TEST_FLAG_COLUMN_INDEX,
  addQuotaNotice,
} from './writer-statements.ts';
import type { ReportedCallOutcome, CallLogRow } from './writer-statements.ts';

export interface CallBatch {
  rows: (CallLogRow | ReportedCallOutcome)[];
  /** Idempotency-Keys of calls, each with the index of its call in `rows`. */
  keys: [index: number, key: ExpiringRequestFingerprint][];
}

/**
 * Result of charging one call to its account: the usage after the call (null without a plan), or the used-up quota because of which it was refused.
 */
export type CallChargeResult = { quotaUsage: QuotaUsage | null } | { refused: QuotaUsage };

/** Result of a call whose Idempotency-Key was used before: request id of the counted call; null if the earlier request was different. */
export interface RepeatedCallResult {
  countedId: string | null;
}

/** Results by index of the call in the batch: of calls of accounts, and of calls that were counted before. Null if there are none. */
export type CallBatchResults = Map<number, CallChargeResult | RepeatedCallResult> | null;

/**
 * Creates a function that commits a batch of calls, all or none, except for calls that it refuses because of a used-up quota. `now` returns the time
 * of the commit. The calls are counted in the month of this time.
 */
export function createCallBatchCommitter(
  db: SqlConnection,
  { notify = false } = {},
): (batch: CallBatch, now: () => number) => CallBatchResults {
  const commit = db.transaction(({ rows, keys }: CallBatch, clock: () => number): CallBatchResults => {
    const now = clock();
    const ledger = openLedger(db, now);
    const { setOutcome, appendCall, countCalls } = statements(db);
    const outcomes = new Map<number, CallChargeResult | RepeatedCallResult>();
    const keysByIndex = new Map(keys);
    const liveCalls = new Map<string, number>();
    for (const [index, row] of rows.entries()) {
      if (!Array.isArray(row)) {
        setOutcome.run(row.isGenuine ? 1 : 0, row.requestId, row.keyId);
        continue;
      }
      const key = keysByIndex.get(index);
      const earlier = key && findEarlierCount(db, key, now);
      if (earlier) {
        outcomes.set(index, earlier);
        continue;
      }
      const [account, isTest] = [row[CALL_ACCOUNT_COLUMN_INDEX], row[CALL_TEST_FLAG_COLUMN_INDEX] === 1];
      if (typeof account === 'string') {
        const result = ledger.charge(account, isTest);
        outcomes.set(index, result);
        if ('refused' in result) continue;
      }
      appendCall.run(row);
      if (key) saveUsedIdempotencyKey(db, key, String(row[CALL_REQUEST_ID_COLUMN_INDEX]));
      const chain = String(row[CALL_KEY_CHAIN_COLUMN_INDEX]);
      if (!isTest) liveCalls.set(chain, (liveCalls.get(chain) ?? 0) + 1);
    }
    for (const [chain, calls] of liveCalls) countCalls.run(chain, getMonthOfTime(now), calls);
    ledger.save(notify);
    return outcomes.size > 0 ? outcomes : null;
  });
  return commit.immediate;
}

function findEarlierCount(
  db: SqlConnection,
  { key, request }: ExpiringRequestFingerprint,
  now: number,
): RepeatedCallResult | null {
  const spent = findUsedIdempotencyKey(db, key, now);
  return spent ? { countedId: spent.request.equals(request) ? spent.requestId : null } : null;
}

/** Usage of one account in one month while a batch is committed. */
interface Tally {
  account: string;
  month: string;
  plan: CurrentPlan | null;
  /** Number of live calls of the month under a plan, before the batch. */
  before: number;
  /** Number of live calls of the month under a plan, so far. `overage` of them are beyond the quota. */
  used: number;
  overage: number;
  added: { calls: number; overage: number; test: number };
}

function openLedger(db: SqlConnection, now: number) {
  const tallies = new Map<string, Tally>();
  return {
    charge(account: string, isTest: boolean): CallChargeResult {
      let tally = tallies.get(account);
      if (!tally) tallies.set(account, (tally = openTally(db, account, now)));
      return chargeTally(tally, isTest);
    },
    /** Stores the usage of all accounts in the batch. With `notify`, also queues quota notices for the operator's webhook. */
    save(notify: boolean): void {
      for (const tally of tallies.values()) {
        if (tally.added.calls + tally.added.test > 0) saveUsage(db, tally);
        if (notify && tally.added.calls > 0) addNotices(db, tally, now);
      }
    },
  };
}

function openTally(db: SqlConnection, account: string, now: number): Tally {
  const plan = findAccountClosureAndPlan(db, account, now)?.plan ?? null;
  const usage = getMonthUsage(db, account, now);
  return { account, plan, ...usage, before: usage.used, added: { calls: 0, overage: 0, test: 0 } };
}

function chargeTally(tally: Tally, isTest: boolean): CallChargeResult {
  const { plan, added } = tally;
  if (isTest) {
    added.test++;
    return { quotaUsage: plan && toQuotaUsage(plan, tally) };
  }
  if (!plan) {
    added.calls++;
    return { quotaUsage: null };
  }
  const charge = getNextCallChargeKind(tally.used, plan.terms);
  if (charge === 'refused') return { refused: toQuotaUsage(plan, tally) };
  tally.used++;
  added.calls++;
  if (charge === 'overage') {
    tally.overage++;
    added.overage++;
  }
  return { quotaUsage: toQuotaUsage(plan, tally) };
}

const statements = preparePerConnection((db: SqlConnection) => ({
  appendCall: db.prepare(
    `INSERT INTO calls (request_id, key, time, endpoint, response_version, intent, emails, phones, addresses, score, band,
       confidence, catfish, different, unverified, scoring_model, latency_ms, test, account, verdict)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  setOutcome: db.prepare('UPDATE calls SET outcome = ? WHERE request_id = ? AND key = ?'),
  countCalls: db.prepare(
    'INSERT INTO usage (key, month, calls) VALUES (?, ?, ?) ON CONFLICT (key, month) DO UPDATE SET calls = usage.calls + excluded.calls',
  ),
  addUsage: db.prepare(
    `INSERT INTO account_usage (account, month, plan, version, calls, overage, test)
     VALUES (@account, @month, @plan, @version, @calls, @overage, @test)
     ON CONFLICT (account, month, plan, version) DO UPDATE SET calls = account_usage.calls + excluded.calls,
       overage = account_usage.overage + excluded.overage, test = account_usage.test + excluded.test`,
  ),
}));

const saveUsage = (db: SqlConnection, { account, month, plan, added }: Tally): void =>
  void statements(db).addUsage.run({
    account,
    month,
    plan: plan?.plan ?? '',
    version: plan?.version ?? 0,
    ...added,
  });

function addNotices(db: SqlConnection, { plan, account, before, ...usage }: Tally, now: number): void {
  if (!plan) return;
  for (const state of findQuotaNotices(before, usage.used, plan.terms.included))
    addQuotaNotice(db, { state, account, quotaUsage: toQuotaUsage(plan, usage) }, now);
}
