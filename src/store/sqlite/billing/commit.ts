// One batch of accepted calls, committed together: what each is charged, its row in the call log, and the counts.
import type Database from 'better-sqlite3';
import { ledgerOf } from './ledger.ts';
import type { Charged } from './ledger.ts';
import { ACCOUNT_COLUMN, appender, counter, KEY_COLUMN, TEST_COLUMN } from '../write.ts';
import type { Row } from '../write.ts';

/** What became of the calls of accounts in a batch, by their place in it; null where none belongs to an account. */
export type Outcomes = Map<number, Charged> | null;

/**
 * Prepares the commit of batches. A call beyond a quota that blocks is refused and leaves no row; the others are written all or none.
 * `now` is when they are committed, in milliseconds: that is the month they count in.
 */
export function committer(
  raw: Database.Database,
  { notify = false } = {},
): (rows: Row[], now: () => number) => Outcomes {
  const append = appender(raw);
  const count = counter(raw);
  const openLedger = ledgerOf(raw, notify);
  const commit = raw.transaction((rows: Row[], clock: () => number): Outcomes => {
    const now = clock();
    const ledger = openLedger(now);
    const outcomes = new Map<number, Charged>();
    const live = new Map<string, number>();
    for (const [place, row] of rows.entries()) {
      const [account, test] = [row[ACCOUNT_COLUMN], row[TEST_COLUMN] === 1];
      if (typeof account === 'string') {
        const charged = ledger.charge(account, test);
        outcomes.set(place, charged);
        if ('refused' in charged) continue;
      }
      append(row);
      if (!test) live.set(String(row[KEY_COLUMN]), (live.get(String(row[KEY_COLUMN])) ?? 0) + 1);
    }
    for (const [key, calls] of live) count(key, ledger.month, calls);
    ledger.save();
    return outcomes.size > 0 ? outcomes : null;
  });
  return commit.immediate;
}
