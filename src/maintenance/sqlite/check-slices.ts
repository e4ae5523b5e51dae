import type { Db } from '../../platform/sqlite.ts';

/** What SQLite's quick check found in one table and its indexes. */
export interface Slice {
  table: string;
  /** What is wrong, in SQLite's own words, which hold no values; nothing where all is well. */
  wrong: string[];
}

/**
 * Checks a database table by table, so that whoever checks can pause, and readers and writers go on meanwhile.
 * Errors: those of SQLite, where not even the list of tables can be read.
 */
export function* checkSlices(db: Db): Generator<Slice> {
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name")
    .pluck()
    .all();
  for (const table of ['sqlite_schema', ...tables]) {
    const said = db.prepare<[], string>(`PRAGMA quick_check("${table}")`).pluck().all();
    yield { table, wrong: said.filter((line) => line !== 'ok') };
  }
}
