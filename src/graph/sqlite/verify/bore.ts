// What is remembered of numbers that lead elsewhere, held against where they lead.
import type { Db } from '../../../platform/sqlite.ts';
import {
  PREVIOUS_NUMBER_CLAIMS,
  createInvariantCounter,
  type Invariant,
  type UnlinkedRecords,
} from '../../verifying.ts';

const GONE = 'SELECT count(*) FROM bore b WHERE NOT EXISTS (SELECT 1 FROM record r WHERE r.id = b.row)';

/** Numbers of which records are there that bore them, and whether one of these is where it leads. */
const LED = `
SELECT m.heir, max(r.identity IS m.heir) FROM merged m JOIN bore b ON b.number = m.number JOIN record r ON r.id = b.row
WHERE r.identity IS NOT NULL GROUP BY m.number, m.heir`;

/** @param waiting where a number leads whose identity waits to be linked is seen then */
export function boreHeld(db: Db, waiting: UnlinkedRecords | null): Invariant[] {
  const [there, led] = [
    createInvariantCounter(PREVIOUS_NUMBER_CLAIMS.there),
    createInvariantCounter(PREVIOUS_NUMBER_CLAIMS.led),
  ];
  const count = (sql: string) => db.prepare<[], number>(sql).pluck().get() ?? 0;
  there.check(true, count('SELECT count(*) FROM bore'));
  there.counted.broken = count(GONE);
  for (const [heir, holds] of db.prepare<[], [number | null, number]>(LED).raw().iterate())
    if (heir === null || !waiting?.identities.has(heir)) led.check(holds === 1);
  return [there.counted, led.counted];
}
