import { BonafideError } from '../../errors.ts';
import { getErrorCode } from '../../platform/files.ts';
import type { Db } from '../../platform/sqlite.ts';
import { findChangedGraphAnswers, type SampledGraphAnswer } from './answers.ts';
import { findSchemaDifference, listDatabases, runWithDatabase } from './databases.ts';
import { countRows, findChangedSampleRows } from './facts.ts';
import type { DatabaseRowCounts, DatabaseContentSample } from './facts.ts';

/** Expected content of a copied database: row counts and, if known, sampled rows and sampled graph answers. */
type ExpectedContent = {
  counts: DatabaseRowCounts;
  rows?: DatabaseContentSample['rows'];
  answers?: SampledGraphAnswer[];
};

/**
 * Throws if a database of a folder is damaged or differs from its expected content. Errors: damaged_backup, with the database and the
 * difference; those of opening a database.
 */
export async function requireCopyEqualsOriginal(
  folder: string,
  expectedContents: Record<string, ExpectedContent>,
): Promise<void> {
  const databases = listDatabases(folder);
  for (const name of Object.keys(expectedContents))
    if (!databases.some((one) => one.name === name)) throw differentCopyError(name, 'is missing');
  for (const database of databases) {
    const expected = expectedContents[database.name];
    if (!expected) throw differentCopyError(database.name, 'was not expected');
    const compareCopy = (db: Db) => {
      // Comes first: the other checks read the tables.
      const difference = findSchemaDifference(db, database.getSchema);
      if (difference !== null) throw differentCopyError(database.name, difference);
      const checkResult = String(db.pragma('integrity_check(1)', { simple: true }));
      if (checkResult !== 'ok') throw differentCopyError(database.name, 'is damaged');
      if (!same(countRows(db), expected.counts))
        throw differentCopyError(database.name, 'has other row counts than the original');
      if (findChangedSampleRows(db, expected.rows ?? []).length > 0)
        throw differentCopyError(database.name, 'has other rows than the original');
      if (findChangedGraphAnswers(db, expected.answers ?? []).length > 0)
        throw differentCopyError(database.name, 'gives other answers than the original');
    };
    await runWithDatabase(database, compareCopy).catch((error: unknown) => {
      throw ['damaged_database', 'foreign_database'].includes(getErrorCode(error))
        ? differentCopyError(database.name, 'is damaged')
        : error;
    });
  }
}

const same = (a: DatabaseRowCounts, b: DatabaseRowCounts) =>
  a.version === b.version &&
  Object.keys(a.tables).length === Object.keys(b.tables).length &&
  Object.entries(a.tables).every(([table, count]) => b.tables[table] === count);

const differentCopyError = (name: string, what: string) =>
  new BonafideError(
    'damaged_backup',
    `${name} in the backup ${what}. The backup was not used. If it was made just now, check the data folder with: bonafide doctor`,
  );
