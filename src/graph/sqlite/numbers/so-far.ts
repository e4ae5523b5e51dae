// Which numbers identities have so far, and which were ever given.
import { type Db, onceFor } from '../../../platform/sqlite.ts';
import type { NumbersBefore } from './before.ts';

/** @param through rows beyond it are none of those that were linked */
export function numbersSoFar(
  db: Db,
  through: number,
): { previous: Map<number, number | null>; known: Map<number, number | null> } {
  const pairs = (sql: string) => new Map(db.prepare<[], [number, number | null]>(sql).raw().all());
  return {
    previous: pairs(
      `SELECT id, identity FROM record WHERE id <= ${Math.min(through, Number.MAX_SAFE_INTEGER)}`,
    ),
    // Where a power cut took the last records back, the graph may know of numbers that they do not.
    known: pairs('SELECT id, NULL FROM identity UNION ALL SELECT number, heir FROM merged'),
  };
}

/** Numbers lead where they led before what is taken back. */
export function ledAsBefore(known: Map<number, number | null>, before: NumbersBefore | null): void {
  if (before)
    for (const number of known.keys()) {
      const heir = before.heirs.get(number);
      if (heir !== undefined) known.set(number, heir);
    }
}

/** The first number that was never given: to a record, or by a publication that one of the files has lost. */
export function nextNumber(db: Db): number {
  return Math.max(0, ...highest(db).all().map(Number)) + 1;
}

const highest = onceFor((db) =>
  db
    .prepare<[], number | null>(
      'SELECT max(id) FROM identity UNION ALL SELECT max(number) FROM merged UNION ALL SELECT max(identity) FROM record',
    )
    .pluck(),
);
