// Functions for the verification of the link cache: they read large tables in order and compare them with expected rows.
import type { Db } from '../../platform/sqlite.ts';
import { parseRecordsByLinkingKeyPage } from './records-by-key.ts';
import { createDamagedLinkCacheError } from './link-file.ts';

/**
 * Creates a comparison of a table's rows with expected rows. Pass each expected row to `expect`, in the order of the table, then call `end`.
 * @param rows rows of the table, sorted
 * @param order negative if `a` comes before `b`
 * @param report called for each row: true if it is as expected; false if it is missing, unexpected or different
 */
export function createTableRowComparison<T>(
  rows: Iterator<T>,
  { order, same }: { order(a: T, b: T): number; same(a: T, b: T): boolean },
  report: (isEqual: boolean) => void,
) {
  let next = rows.next();
  const step = () => void (next = rows.next());
  return {
    expect(row: T): void {
      for (; !next.done && order(next.value, row) < 0; step()) report(false);
      if (next.done || order(next.value, row) > 0) return report(false);
      report(same(next.value, row));
      step();
    },
    end(): void {
      for (; !next.done; step()) report(false);
    },
  };
}

/**
 * Yields the rows of a table. Reads them in pages, so that the connection can run other statements in between. Errors: that of
 * `createDamagedLinkCacheError` if the rows are not sorted.
 * @param page returns the next rows after a given row; the first rows for null
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

/** Merges two sorted iterators into one. Equal items of `a` come before those of `b`. */
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

/** One record of a linking key: the linking key, the key of the record's names (or `NOT_COMPARED_SENTINEL`), and the record's row. */
export type LinkingKeyEntry = [key: number, person: number, row: number];

export const compareByKeyPersonAndRow = (a: LinkingKeyEntry, b: LinkingKeyEntry) =>
  a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

/** Number of rows or pages that one query reads. */
const ROWS = 2000;
const PAGES = 64;

/**
 * Yields the records of all linking keys, sorted by `compareByKeyPersonAndRow`.
 * @param recent entries that changed recently and are in no table yet
 * @param reportPage called for each page of entries; true if the page begins with the entry that its table row names
 */
export function iterateLinkingKeyEntries(
  db: Db,
  recent: LinkingKeyEntry[],
  reportPage: (isEqual: boolean) => void,
): Generator<LinkingKeyEntry> {
  const stored = mergeSortedIterators(
    iteratePageEntries(db, reportPage),
    iterateTableEntries(db),
    compareByKeyPersonAndRow,
  );
  return mergeSortedIterators(
    stored,
    recent.sort(compareByKeyPersonAndRow).values(),
    compareByKeyPersonAndRow,
  );
}

interface HolderPage {
  id: number;
  key: number;
  person: number;
  entries: Buffer;
}

function* iteratePageEntries(db: Db, reportPage: (isEqual: boolean) => void): Generator<LinkingKeyEntry> {
  const select = db.prepare<[number], HolderPage>(
    `SELECT * FROM block_page WHERE id > ? ORDER BY id LIMIT ${PAGES}`,
  );
  const pages = iterateRowsByPage<HolderPage>(
    (after) => select.all(after?.id ?? -1),
    (a, b) => a.id - b.id,
  );
  for (const { key, person, entries } of pages) {
    const parsed = parseRecordsByLinkingKeyPage(entries);
    const [first] = parsed;
    reportPage(first !== undefined && first[0] === key && first[1] === person);
    yield* parsed;
  }
}

function iterateTableEntries(db: Db): Generator<LinkingKeyEntry> {
  const select = db
    .prepare<LinkingKeyEntry, LinkingKeyEntry>(
      `SELECT key, person, row FROM block WHERE (key, person, row) > (?, ?, ?) ORDER BY key, person, row LIMIT ${ROWS}`,
    )
    .raw();
  const start: LinkingKeyEntry = [Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
  return iterateRowsByPage<LinkingKeyEntry>(
    (after) => select.all(...(after ?? start)),
    compareByKeyPersonAndRow,
  );
}
