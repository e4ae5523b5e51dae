// One batch of accepted calls, committed together: what each is charged, its row in the call log, and the counts.
import type { IdempotencyRecord } from '../../accounts/idempotency.ts';
import {
  prepareSpendKey,
  type EarlierSpend,
  ACCOUNT_COLUMN,
  prepareAppendCall,
  prepareCountCalls,
  KEY_COLUMN,
  prepareSetOutcome,
  TEST_COLUMN,
  type CallRow,
  type CallOutcome,
} from './writer-statements.ts';
import type { SqlConnection } from '../store.ts';
import { monthOf } from '../../accounts/time.ts';
import { classifyCharge, findQuotaNotices, toQuotaUsage } from '../../accounts/billing/quota.ts';
import type { CurrentPlan, QuotaUsage } from '../../accounts/model.ts';
import { prepareAccountLookup, prepareMonthLookup } from './current-plan.ts';
import { prepareAddNotice } from './notices.ts';

/** Calls and what is told of earlier ones, to commit together; and what those spend that carry an Idempotency-Key, by their place. */
export interface CallBatch {
  rows: (CallRow | CallOutcome)[];
  spends: [place: number, spend: IdempotencyRecord][];
}

/** What became of calls of a batch, by their place in it: of accounts', and of those that were counted before; null where there are neither. */
export type BatchOutcomes = Map<number, ChargeResult | EarlierSpend> | null;

/**
 * Prepares the commit of batches. A call beyond a quota that blocks is refused and leaves no row; the others are written all or none.
 * `now` is when they are committed, in milliseconds: that is the month they count in.
 */
export function prepareCommit(
  raw: SqlConnection,
  { notify = false } = {},
): (batch: CallBatch, now: () => number) => BatchOutcomes {
  const append = prepareAppendCall(raw);
  const keepOutcome = prepareSetOutcome(raw);
  const count = prepareCountCalls(raw);
  const openLedger = ledgerOf(raw, notify);
  const spend = prepareSpendKey(raw);
  const commit = raw.transaction(({ rows, spends }: CallBatch, clock: () => number): BatchOutcomes => {
    const now = clock();
    const ledger = openLedger(now);
    const outcomes = new Map<number, ChargeResult | EarlierSpend>();
    const spending = new Map(spends);
    const live = new Map<string, number>();
    for (const [place, row] of rows.entries()) {
      if (!Array.isArray(row)) {
        keepOutcome(row);
        continue;
      }
      const keys = spending.get(place);
      const before = keys && spend.before(keys, now);
      if (before) {
        outcomes.set(place, before);
        continue;
      }
      const [account, test] = [row[ACCOUNT_COLUMN], row[TEST_COLUMN] === 1];
      if (typeof account === 'string') {
        const charged = ledger.charge(account, test);
        outcomes.set(place, charged);
        if ('refused' in charged) continue;
      }
      append(row);
      if (keys) spend.keep(keys, row);
      if (!test) live.set(String(row[KEY_COLUMN]), (live.get(String(row[KEY_COLUMN])) ?? 0) + 1);
    }
    for (const [key, calls] of live) count(key, ledger.month, calls);
    ledger.save();
    return outcomes.size > 0 ? outcomes : null;
  });
  return commit.immediate;
}

// The writer's side of quotas: what a batch of calls is charged, inside the very transaction that commits it. So no two calls, threads or
// processes can both have the last one, and a call that is not committed was never charged: nothing is reserved, nothing given back.
/** What became of a call: where its account stands with it, or that it was refused. */
export type ChargeResult = { quotaUsage: QuotaUsage | null } | { refused: QuotaUsage };

/** One batch, as of one moment. */
interface Ledger {
  /** The month in which calls count that are committed now. */
  month: string;
  /** Charges one call. */
  charge(account: string, test: boolean): ChargeResult;
  /** Writes what was charged. */
  save(): void;
}

/** What a batch adds to an account's month. */
interface Tally {
  account: string;
  month: string;
  plan: CurrentPlan | null;
  /** Live calls of the month under a plan, and those beyond the included ones: before the batch, and so far. */
  before: number;
  used: number;
  beyond: number;
  add: { calls: number; overage: number; test: number };
}

const ADD = `INSERT INTO account_usage (account, month, plan, version, calls, overage, test)
  VALUES (@account, @month, @plan, @version, @calls, @overage, @test)
  ON CONFLICT (account, month, plan, version) DO UPDATE SET calls = account_usage.calls + excluded.calls,
    overage = account_usage.overage + excluded.overage, test = account_usage.test + excluded.test`;

/** Prepares the ledger of a connection; `notify` has it write notices of quotas for the operator's webhook. Used inside a transaction. */
function ledgerOf(raw: SqlConnection, notify: boolean): (now: number) => Ledger {
  const read = prepareAccountLookup(raw);
  const monthSoFar = prepareMonthLookup(raw);
  const add = raw.prepare(ADD);
  const notice = prepareAddNotice(raw);

  const open = (account: string, now: number): Tally => {
    const plan = read(account, now)?.plan ?? null;
    const { month, used, beyond } = monthSoFar(account, now);
    const nothing = { calls: 0, overage: 0, test: 0 };
    return { account, month, plan, before: used, used, beyond, add: nothing };
  };
  const save = (tally: Tally, now: number): void => {
    const { account, month, plan } = tally;
    add.run({ account, month, plan: plan?.plan ?? '', version: plan?.version ?? 0, ...tally.add });
    if (!plan || !notify) return;
    for (const what of findQuotaNotices(tally.before, tally.used, plan.terms.included))
      notice({ what, account, quotaUsage: toQuotaUsage(plan, tally) }, now);
  };

  return (now) => {
    const tallies = new Map<string, Tally>();
    return {
      month: monthOf(now),
      charge(account, test) {
        let tally = tallies.get(account);
        if (!tally) tallies.set(account, (tally = open(account, now)));
        return chargeTo(tally, test);
      },
      save() {
        for (const tally of tallies.values()) if (tally.add.calls + tally.add.test > 0) save(tally, now);
      },
    };
  };
}

function chargeTo(tally: Tally, test: boolean): ChargeResult {
  const { plan } = tally;
  if (test) {
    tally.add.test++;
    return { quotaUsage: plan && toQuotaUsage(plan, tally) };
  }
  if (!plan) {
    tally.add.calls++;
    return { quotaUsage: null };
  }
  const charge = classifyCharge(tally.used, plan.terms);
  if (charge === 'refused') return { refused: toQuotaUsage(plan, tally) };
  tally.used++;
  tally.add.calls++;
  if (charge === 'beyond') {
    tally.beyond++;
    tally.add.overage++;
  }
  return { quotaUsage: toQuotaUsage(plan, tally) };
}
