// Who is behind a key: in pages of entries as linking all records anew left them, and beside them what came since.
import type { Db } from '../../../platform/sqlite.ts';
import type { LinkIndex } from '../../link-index.ts';
import type { Behind } from './entries.ts';
import type { Young } from './young.ts';

/** Entries of a page: as many as fit into a page of the file. Another number, or another order of their bytes, is another FORMAT. */
const ENTRIES = 200;
/** Bytes of an entry: key and person of eight, row of four. */
const SIZE = 20;

/** Takes in that a record is behind a key. */
export type AddBehind = (key: number, person: number, row: number) => void;

/** Takes in entries in the order of key, person and row, and writes them in pages. */
export function blockPages(db: Db): { add: AddBehind; end(): void } {
  const insert = db.prepare('INSERT INTO block_page (key, person, entries) VALUES (?, ?, ?)');
  const bytes = Buffer.alloc(ENTRIES * SIZE);
  let at = 0;
  const end = () => {
    if (at > 0) insert.run(bytes.readDoubleLE(0), bytes.readDoubleLE(8), bytes.subarray(0, at));
    at = 0;
  };
  return {
    add(key, person, row) {
      if (at === bytes.length) end();
      bytes.writeDoubleLE(key, at);
      bytes.writeDoubleLE(person, at + 8);
      bytes.writeUInt32LE(row, at + 16);
      at += SIZE;
    },
    end,
  };
}

/** The entries of a page. */
export function entriesIn(entries: Buffer): [key: number, person: number, row: number][] {
  return Array.from({ length: Math.floor(entries.length / SIZE) }, (_, i) => [
    entries.readDoubleLE(i * SIZE),
    entries.readDoubleLE(i * SIZE + 8),
    entries.readUInt32LE(i * SIZE + 16),
  ]);
}

/** Keys of which the first entries that lie in the file are kept at hand, and how many of each. */
const KEPT = 20_000;
const FIRST = 80;

/**
 * Reads pages and what came since as one. What comes goes beside the pages; what goes is taken out of them, so that nothing of it is left
 * in the file.
 *
 * @param young what came last, and is not in the file's tables yet
 */
export function blockTable(
  db: Db,
  young: Pick<Young, 'behind' | 'leave'>,
): Pick<LinkIndex, 'behind' | 'named'> & {
  leave(key: number, behind: Behind): void;
  /** What lies in the tables has changed. */
  forget(): void;
} {
  const leave = db.prepare('DELETE FROM block WHERE key = ? AND person = ? AND row = ?');
  const entered = db.prepare<[number, number], Behind>(
    'SELECT row, person FROM block WHERE key = ? AND person >= ?',
  );
  const paged = pagedEntries(db);
  const inFile = (key: number, person: number) => merged(paged.from(key, person), entered.all(key, person));
  /** The first entries of keys, without the young ones; all of them where they are no more than `FIRST`. */
  const known = new Map<number, Behind[]>();
  const firstOf = (key: number): Behind[] => {
    let some = known.get(key);
    if (some) return some;
    if (known.size >= KEPT) known.clear();
    known.set(key, (some = first(inFile(key, Number.MIN_SAFE_INTEGER), FIRST + 1)));
    return some;
  };
  const from = (key: number, person: number, most: number): Iterable<Behind> => {
    const [some, since] = [firstOf(key), young.behind(key)];
    if (some.length > FIRST && most > FIRST) return merged(inFile(key, person), since);
    return since.length === 0 ? some : merged(some, since);
  };
  return {
    behind: (key, most) => (most > 0 ? first(from(key, Number.MIN_SAFE_INTEGER, most), most) : []),
    named(key, person) {
      const rows: number[] = [];
      for (const one of from(key, person, Infinity)) {
        if (one.person > person) break;
        if (one.person === person) rows.push(one.row);
      }
      return rows;
    },
    leave(key, behind) {
      if (young.leave(key, behind)) return;
      known.delete(key);
      if (leave.run(key, behind.person, behind.row).changes === 0) paged.remove(key, behind);
    },
    forget: () => known.clear(),
  };
}

function first(entries: Iterable<Behind>, most: number): Behind[] {
  if (Array.isArray(entries) && entries.length <= most) return entries as Behind[];
  const found: Behind[] = [];
  for (const one of entries) if (found.push(one) >= most) break;
  return found;
}

function* merged(one: Iterable<Behind>, two: Behind[]): Iterable<Behind> {
  let at = 0;
  for (const entry of one) {
    for (let next = two[at]; next && isBefore(next, entry); next = two[++at]) yield next;
    yield entry;
  }
  for (let next = two[at]; next; next = two[++at]) yield next;
}

const isBefore = (one: Behind, two: Behind) =>
  one.person < two.person || (one.person === two.person && one.row < two.row);

/** The entries of pages, as they were written. */
function pagedEntries(db: Db) {
  const before = db
    .prepare<[number, number], number>(
      'SELECT id FROM block_page WHERE (key, person) < (?, ?) ORDER BY key DESC, person DESC, id DESC LIMIT 1',
    )
    .pluck();
  const next = db.prepare<[number], { id: number; entries: Buffer }>(
    'SELECT id, entries FROM block_page WHERE id >= ? ORDER BY id LIMIT 1',
  );
  const write = db.prepare('UPDATE block_page SET key = ?, person = ?, entries = ? WHERE id = ?');
  const drop = db.prepare('DELETE FROM block_page WHERE id = ?');
  /** Places of a key's entries, from a person on. */
  function* placesFrom(key: number, person: number) {
    for (let id = before.get(key, person) ?? 0; ; id++) {
      const page = next.get(id);
      if (!page) return;
      id = page.id;
      const { entries } = page;
      const view = viewOf(entries);
      for (let at = SIZE * startOf(view, key, person); at < entries.length; at += SIZE) {
        if (view.getFloat64(at, true) !== key) return;
        yield { id, entries, at, row: view.getUint32(at + 16, true), person: view.getFloat64(at + 8, true) };
      }
    }
  }
  return {
    *from(key: number, person: number): Iterable<Behind> {
      for (const { row, person: whom } of placesFrom(key, person)) yield { row, person: whom };
    },
    remove(key: number, { row, person }: Behind): void {
      for (const { id, entries, at, ...one } of placesFrom(key, person)) {
        if (one.person !== person) return;
        if (one.row !== row) continue;
        const left = Buffer.concat([entries.subarray(0, at), entries.subarray(at + SIZE)]);
        if (left.length === 0) drop.run(id);
        else write.run(left.readDoubleLE(0), left.readDoubleLE(8), left, id);
        return;
      }
    },
  };
}

/** A `Buffer` reads numbers ten times as slowly. */
const viewOf = ({ buffer, byteOffset, byteLength }: Buffer) => new DataView(buffer, byteOffset, byteLength);

/** Which entry of a page is the first that is not before key and person. */
function startOf(entries: DataView, key: number, person: number): number {
  let [from, to] = [0, Math.floor(entries.byteLength / SIZE)];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const is = entries.getFloat64(middle * SIZE, true);
    if (is < key || (is === key && entries.getFloat64(middle * SIZE + 8, true) < person)) from = middle + 1;
    else to = middle;
  }
  return from;
}
