// What is remembered of numbers that lead elsewhere, held against where they lead.
import {
  PREVIOUS_NUMBER_CLAIMS,
  createInvariantCounter,
  type Invariant,
  type UnlinkedRecords,
} from '../../verifying.ts';
import type { Connection } from '../connect.ts';

const THERE = `
SELECT count(*), count(*) FILTER (WHERE NOT EXISTS (SELECT 1 FROM bonafide.record r WHERE r.id = b.record)) FROM bonafide.bore b`;

/** Numbers of which records are there that bore them, and whether one of these is where it leads. */
const LED = `
SELECT m.heir, coalesce(bool_or(p.identity = m.heir), false)
FROM bonafide.merged m JOIN bonafide.bore b ON b.number = m.number JOIN bonafide.member p ON p.record = b.record
GROUP BY m.number, m.heir`;

/** @param waiting where a number leads whose identity waits to be linked is seen then */
export async function boreHeld(on: Connection, waiting: UnlinkedRecords | null): Promise<Invariant[]> {
  const [[all, gone] = [0, 0]] = await on.query<[number, number]>(THERE);
  const led = createInvariantCounter(PREVIOUS_NUMBER_CLAIMS.led);
  for (const [heir, holds] of await on.query<[number | null, boolean]>(LED))
    if (heir === null || !waiting?.identities.has(heir)) led.check(holds);
  return [{ says: PREVIOUS_NUMBER_CLAIMS.there, of: all, broken: gone }, led.counted];
}
