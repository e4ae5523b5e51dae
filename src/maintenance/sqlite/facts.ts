import type { Db } from '../../platform/sqlite.ts';

export interface DatabaseRowCounts {
  /** Schema version (`user_version`) of the database. */
  version: number;
  tables: Record<string, number>;
}

/** Maximum number of sampled rows of one database, spread over its tables. */
const SAMPLE_SIZE = 1000;

/** Sampled row of a table. `from` is a row key or an offset; the sample is the first row at or after it. */
interface SampledRow {
  table: string;
  from: number;
  content: string | undefined;
}

export interface DatabaseContentSample {
  counts: DatabaseRowCounts;
  rows: SampledRow[];
}

/** Returns row counts and sampled rows of a database. Call it in a transaction, so that both are consistent. Errors: those of SQLite. */
export function readDatabaseContentSample(db: Db): DatabaseContentSample {
  const counts = countRows(db);
  const filled = Object.entries(counts.tables).filter(([, count]) => count > 0);
  const each = Math.ceil(SAMPLE_SIZE / Math.max(1, filled.length));
  const rows = filled.flatMap(([table, count]) => sampleRows(db, table, Math.min(each, count)));
  return { counts, rows };
}

export function countRows(db: Db): DatabaseRowCounts {
  const tables = listTables(db).map((table): [string, number] => [
    table,
    db.prepare<[], number>(`SELECT count(*) FROM "${table}"`).pluck().get() ?? 0,
  ]);
  return { version: Number(db.pragma('user_version', { simple: true })), tables: Object.fromEntries(tables) };
}

/** Returns those of the sampled rows that are missing or different in this database. */
export function findChangedSampleRows(db: Db, rows: SampledRow[]): SampledRow[] {
  const readers = new Map<string, RowReader>();
  return rows.filter(({ table, from, content }) => {
    let read = readers.get(table);
    if (!read) readers.set(table, (read = createRowReader(db, table)));
    return read.at(from) !== content;
  });
}

const listTables = (db: Db) =>
  db
    .prepare<[], string>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
    )
    .pluck()
    .all();

function sampleRows(db: Db, table: string, count: number): SampledRow[] {
  const { at, bounds } = createRowReader(db, table);
  const [least, most] = bounds(count);
  return Array.from({ length: count }, () => {
    const from = least + Math.floor(Math.random() * (most - least + 1));
    return { table, from, content: at(from) };
  });
}

interface RowReader {
  /** Returns all columns of the first row at or after a key or offset as one text; undefined if there is no such row. */
  at(from: number): string | undefined;
  /** Returns the smallest and the largest `from` (see `at`) between which `count` samples are taken. */
  bounds(count: number): [least: number, most: number];
}

/**
 * Creates a reader of sampled rows. It finds a row by rowid, or by the first primary key column if that is numeric. In other tables, only the first
 * rows can be samples: they are found by OFFSET, which is slow for large numbers.
 */
function createRowReader(db: Db, table: string): RowReader {
  const columns = db
    .prepare<[string], { name: string; pk: number }>('SELECT name, pk FROM pragma_table_info(?)')
    .all(table);
  const all = columns.map(({ name }) => `quote("${name}")`).join();
  const keys = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const order = keys.map(({ name }) => `"${name}"`).join();
  const first = hasRowid(db, table) ? 'rowid' : `"${keys[0]?.name}"`;
  const ends = db
    .prepare<[], [unknown, unknown]>(`SELECT min(${first}), max(${first}) FROM "${table}"`)
    .raw()
    .get();
  const [least, most] = ends ?? [0, 0];
  const select = `SELECT concat_ws(',', ${all}) FROM "${table}"`;
  if (typeof least !== 'number' || typeof most !== 'number') {
    const place = db.prepare<[number], string>(`${select} ORDER BY ${order} LIMIT 1 OFFSET ?`).pluck();
    return { at: (from) => place.get(from), bounds: (count) => [0, count - 1] };
  }
  const next = db
    .prepare<[number], string>(
      `${select} WHERE ${first} >= ? ORDER BY ${first === 'rowid' ? first : order} LIMIT 1`,
    )
    .pluck();
  return { at: (from) => next.get(from), bounds: () => [least, most] };
}

const hasRowid = (db: Db, table: string) =>
  db
    .prepare<[string], number>("SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?")
    .pluck()
    .get(table) === 0;
