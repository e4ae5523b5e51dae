// Functions that read large tables in order and compare them, for the verification of the link cache.
import type { Db } from '../../platform/sqlite.ts';
import { parseRecordsByKeyPage } from './records-by-key.ts';
import { createDamagedLinkCacheError } from './link-file.ts';

/** Comparison of a table's rows with the expected rows, both in the same order. */
export interface TableRowComparison<T> {
  expect(row: T): void;
  end(): void;
}

/**
 * Compares the rows of a table with the expected rows, one by one.
 *
 * @param rows rows of the table, sorted
 * @param order negative if `a` comes before `b`
 * @param report called for each row: true if it is as expected, false if it is missing, unexpected or different
 */
export function compareTableRows<T>(
  rows: Iterator<T>,
  { order, same }: { order(a: T, b: T): number; same(a: T, b: T): boolean },
  report: (isEqual: boolean) => void,
): TableRowComparison<T> {
  let next = rows.next();
  const step = () => void (next = rows.next());
  return {
    expect(row) {
      for (; !next.done && order(next.value, row) < 0; step()) report(false);
      if (next.done || order(next.value, row) > 0) return report(false);
      report(same(next.value, row));
      step();
    },
    end() {
      for (; !next.done; step()) report(false);
    },
  };
}

/**
 * Yields the rows of a table, page by page, so that the connection can run other statements in between. Errors:
 * `createDamagedLinkCacheError` if the rows are out of order.
 *
 * @param page returns the rows after a given row
 * @param order negative if the first row comes before the second
 */
export function* iterateRowsByPage<T>(
  page: (after: T | null) => T[],
  order?: (a: T, b: T) => number,
): Generator<T> {
  let last: T | null = null;
  for (let rows = page(last); rows.length > 0; rows = page(last))
    for (const row of rows) {
      if (order && last !== null && order(last, row) >= 0) throw createDamagedLinkCacheError();
      yield (last = row);
    }
}

/** Merges two sorted iterators. Equal items of `a` come before those of `b`. */
export function* mergeSortedIterators<T>(
  a: Iterator<T>,
  b: Iterator<T>,
  order: (a: T, b: T) => number,
): Generator<T> {
  let [left, right] = [a.next(), b.next()];
  while (!left.done || !right.done)
    if (!left.done && (right.done || order(left.value, right.value) <= 0)) {
      yield left.value;
      left = a.next();
    } else if (!right.done) {
      yield right.value;
      right = b.next();
    }
}

/** Entry of a key: the key, and the person and row of one record that has the key; see `RecordWithKey`. */
export type RecordKeyEntry = [key: number, person: number, row: number];

export const recordKeyEntryOrder = (a: RecordKeyEntry, b: RecordKeyEntry) =>
  a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

/** Number of rows or pages that one query reads. */
const ROWS = 2000;
const PAGES = 64;

/**
 * Yields all keys with their records, sorted.
 *
 * @param recent entries that are in no table yet
 * @param reportPage called for each page; false if its first entry differs from the one named in the table
 */
export function iterateRecordKeyEntries(
  db: Db,
  recent: RecordKeyEntry[],
  reportPage: (isEqual: boolean) => void,
): Generator<RecordKeyEntry> {
  const stored = mergeSortedIterators(
    iteratePageEntries(db, reportPage),
    iterateTableEntries(db),
    recordKeyEntryOrder,
  );
  return mergeSortedIterators(stored, recent.sort(recordKeyEntryOrder).values(), recordKeyEntryOrder);
}

interface HolderPage {
  id: number;
  key: number;
  person: number;
  entries: Buffer;
}

function* iteratePageEntries(db: Db, reportPage: (isEqual: boolean) => void): Generator<RecordKeyEntry> {
  const select = db.prepare<[number], HolderPage>(
    `SELECT * FROM block_page WHERE id > ? ORDER BY id LIMIT ${PAGES}`,
  );
  const pages = iterateRowsByPage<HolderPage>(
    (after) => select.all(after?.id ?? -1),
    (a, b) => a.id - b.id,
  );
  for (const { key, person, entries } of pages) {
    const parsed = parseRecordsByKeyPage(entries);
    const [first] = parsed;
    reportPage(first !== undefined && first[0] === key && first[1] === person);
    yield* parsed;
  }
}

function iterateTableEntries(db: Db): Generator<RecordKeyEntry> {
  const select = db
    .prepare<RecordKeyEntry, RecordKeyEntry>(
      `SELECT key, person, row FROM block WHERE (key, person, row) > (?, ?, ?) ORDER BY key, person, row LIMIT ${ROWS}`,
    )
    .raw();
  const start: RecordKeyEntry = [Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
  return iterateRowsByPage<RecordKeyEntry>((after) => select.all(...(after ?? start)), recordKeyEntryOrder);
}
