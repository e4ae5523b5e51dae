import { join } from 'node:path';
import { BonafideError } from '../../errors.ts';
import { otherAnswers } from './answers.ts';
import type { SampledAnswer } from './answers.ts';
import { databasesIn, using } from './databases.ts';
import { countsOf, missingRows } from './facts.ts';
import type { Counts, Facts } from './facts.ts';

/** What is told of a database where it was copied: its rows as well, and what it answered, where they are known. */
type Told = { counts: Counts; rows?: Facts['rows']; answers?: SampledAnswer[] };

/**
 * Compares the databases of a folder with what they should hold: SQLite's own check of integrity, counts, rows, and answers.
 * Errors: damaged_backup, naming the database and what differs; those of `connect`.
 */
export async function checkCopy(folder: string, told: Record<string, Told>): Promise<void> {
  const found = databasesIn(folder);
  for (const name of Object.keys(told))
    if (!found.some((one) => one.name === name)) throw wrong(join(folder, name), 'is missing');
  for (const one of found) {
    const expected = told[one.name];
    if (!expected) throw wrong(one.name, 'was not expected');
    await using(one, (db) => {
      const said = String(db.pragma('integrity_check(1)', { simple: true }));
      if (said !== 'ok') throw wrong(one.name, 'is damaged');
      if (!same(countsOf(db), expected.counts)) throw wrong(one.name, 'has other counts than it should');
      if (missingRows(db, expected.rows ?? []).length > 0)
        throw wrong(one.name, 'has other rows than it should');
      if (otherAnswers(db, expected.answers ?? []).length > 0)
        throw wrong(one.name, 'gives other answers than it should');
    });
  }
}

const same = (a: Counts, b: Counts) =>
  a.version === b.version &&
  Object.keys(a.tables).length === Object.keys(b.tables).length &&
  Object.entries(a.tables).every(([table, count]) => b.tables[table] === count);

const wrong = (name: string, what: string) =>
  new BonafideError(
    'damaged_backup',
    `${name} in the backup ${what}. It is not used; if it comes of a backup just made, run bonafide doctor.`,
  );
