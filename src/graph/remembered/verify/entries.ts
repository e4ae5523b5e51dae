// All entries of what linking remembers of keys, in order, as they lie in pages and beside them.
import type { Db } from '../../../platform/sqlite.ts';
import { entriesIn } from '../blocks.ts';
import { paged } from './against.ts';

/** Who is behind a key; see `Behind`. */
export type Entry = [key: number, person: number, row: number];

export const orderOfEntries = (a: Entry, b: Entry) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

const TOGETHER = 2000;
const PAGES = 64;

/**
 * @param young those that are in no table yet
 * @param told of each page, whether it says of itself with what it begins
 */
export function entriesOf(db: Db, young: Entry[], told: (holds: boolean) => void): Generator<Entry> {
  const inFile = merged(pagedEntries(db, told), sinceEntries(db));
  return merged(inFile, young.sort(orderOfEntries).values());
}

function* merged(some: Iterator<Entry>, others: Iterator<Entry>): Generator<Entry> {
  let [one, two] = [some.next(), others.next()];
  while (!one.done || !two.done) {
    if (!one.done && (two.done || orderOfEntries(one.value, two.value) <= 0)) {
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

function* pagedEntries(db: Db, told: (holds: boolean) => void): Generator<Entry> {
  const some = db.prepare<[number], Page>(`SELECT * FROM block_page WHERE id > ? ORDER BY id LIMIT ${PAGES}`);
  for (const { key, person, entries } of paged<Page>(
    (after) => some.all(after?.id ?? -1),
    (a, b) => a.id - b.id,
  )) {
    const all = entriesIn(entries);
    const [first] = all;
    told(first !== undefined && first[0] === key && first[1] === person);
    yield* all;
  }
}

function sinceEntries(db: Db): Generator<Entry> {
  const some = db
    .prepare<Entry, Entry>(
      `SELECT key, person, row FROM block WHERE (key, person, row) > (?, ?, ?) ORDER BY key, person, row LIMIT ${TOGETHER}`,
    )
    .raw();
  const least = Number.MIN_SAFE_INTEGER;
  return paged<Entry>((after) => some.all(...(after ?? [least, least, least])), orderOfEntries);
}
