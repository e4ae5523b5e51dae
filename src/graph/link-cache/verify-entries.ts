// All entries of what linking remembers of keys, in order, as they lie in pages and beside them.
import type { Db } from '../../platform/sqlite.ts';
import { parseBlockPage } from './blocks.ts';
import { damageError } from './link-file.ts';

/** Who is behind a key; see `Behind`. */
export type KeyEntry = [key: number, person: number, row: number];

export const compareEntries = (a: KeyEntry, b: KeyEntry) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

const TOGETHER = 2000;
const PAGES = 64;

/**
 * @param young those that are in no table yet
 * @param told of each page, whether it says of itself with what it begins
 */
export function iterateEntries(
  db: Db,
  young: KeyEntry[],
  told: (holds: boolean) => void,
): Generator<KeyEntry> {
  const inFile = merged(pagedEntries(db, told), sinceEntries(db));
  return merged(inFile, young.sort(compareEntries).values());
}

function* merged(some: Iterator<KeyEntry>, others: Iterator<KeyEntry>): Generator<KeyEntry> {
  let [one, two] = [some.next(), others.next()];
  while (!one.done || !two.done) {
    if (!one.done && (two.done || compareEntries(one.value, two.value) <= 0)) {
      yield one.value;
      one = some.next();
    } else if (!two.done) {
      yield two.value;
      two = others.next();
    }
  }
}

interface Page {
  id: number;
  key: number;
  person: number;
  entries: Buffer;
}

function* pagedEntries(db: Db, told: (holds: boolean) => void): Generator<KeyEntry> {
  const some = db.prepare<[number], Page>(`SELECT * FROM block_page WHERE id > ? ORDER BY id LIMIT ${PAGES}`);
  for (const { key, person, entries } of iteratePages<Page>(
    (after) => some.all(after?.id ?? -1),
    (a, b) => a.id - b.id,
  )) {
    const all = parseBlockPage(entries);
    const [first] = all;
    told(first !== undefined && first[0] === key && first[1] === person);
    yield* all;
  }
}

function sinceEntries(db: Db): Generator<KeyEntry> {
  const some = db
    .prepare<KeyEntry, KeyEntry>(
      `SELECT key, person, row FROM block WHERE (key, person, row) > (?, ?, ?) ORDER BY key, person, row LIMIT ${TOGETHER}`,
    )
    .raw();
  const least = Number.MIN_SAFE_INTEGER;
  return iteratePages<KeyEntry>((after) => some.all(...(after ?? [least, least, least])), compareEntries);
}

/** Rows of a table that are held, in their order, against those that should be there. */
interface RowComparison<T> {
  /** @param should in the order of the table */
  expect(should: T): void;
  /** What is there beyond those. */
  end(): void;
}

/**
 * @param there the rows in their order
 * @param order less than 0 where the first comes before the second
 * @param told whether a row is there as it should be
 */
export function compareRows<T>(
  there: Iterator<T>,
  { order, same }: { order(a: T, b: T): number; same(a: T, b: T): boolean },
  told: (holds: boolean) => void,
): RowComparison<T> {
  let next = there.next();
  const step = () => void (next = there.next());
  return {
    expect(should) {
      for (; !next.done && order(next.value, should) < 0; step()) told(false);
      if (next.done || order(next.value, should) > 0) return told(false);
      told(same(next.value, should));
      step();
    },
    end() {
      for (; !next.done; step()) told(false);
    },
  };
}

/**
 * Rows page by page: nothing else can be done with a connection while it iterates.
 *
 * @param page those that come after a row
 * @param order in which they should come; where a file is damaged they may lie in a circle. Errors: SQLITE_CORRUPT
 */
export function* iteratePages<T>(
  page: (after: T | null) => T[],
  order?: (a: T, b: T) => number,
): Generator<T> {
  let last: T | null = null;
  for (let rows = page(last); rows.length > 0; rows = page(last))
    for (const row of rows) {
      if (order && last !== null && order(last, row) >= 0) throw damageError();
      yield (last = row);
    }
}
