// One batch of accepted calls, committed together: what each is charged, its row in the call log, and the counts.
import type { Spending } from '../../accounts/idempotency.ts';
import { spender } from '../idempotency/spend.ts';
import type { Before } from '../idempotency/spend.ts';
import { ledgerOf } from './ledger.ts';
import type { Charged } from './ledger.ts';
import { ACCOUNT_COLUMN, appender, counter, KEY_COLUMN, outcomeKeeper, TEST_COLUMN } from '../write.ts';
import type { Row, Told } from '../write.ts';
import type { Sql } from '../store.ts';

/** Calls and what is told of earlier ones, to commit together; and what those spend that carry an Idempotency-Key, by their place. */
export interface Batch {
  rows: (Row | Told)[];
  spends: [place: number, spend: Spending][];
}

/** What became of calls of a batch, by their place in it: of accounts', and of those that were counted before; null where there are neither. */
export type Outcomes = Map<number, Charged | Before> | null;

/**
 * Prepares the commit of batches. A call beyond a quota that blocks is refused and leaves no row; the others are written all or none.
 * `now` is when they are committed, in milliseconds: that is the month they count in.
 */
export function committer(raw: Sql, { notify = false } = {}): (batch: Batch, now: () => number) => Outcomes {
  const append = appender(raw);
  const keepOutcome = outcomeKeeper(raw);
  const count = counter(raw);
  const openLedger = ledgerOf(raw, notify);
  const spend = spender(raw);
  const commit = raw.transaction(({ rows, spends }: Batch, clock: () => number): Outcomes => {
    const now = clock();
    const ledger = openLedger(now);
    const outcomes = new Map<number, Charged | Before>();
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
