// Who is behind a key: in pages of entries as linking all records anew left them, and beside them what came since.
import type { Db } from '../../platform/sqlite.ts';
import type { LinkCache } from '../linking.ts';
import type { KeyHolder, RecentEntries } from './recent-entries.ts';
import { damageError, readOrReportDamage } from './link-file.ts';

/** Entries of a page: as many as fit into a page of the file. Another number, or another order of their bytes, is another FORMAT. */
const ENTRIES = 200;
/** Bytes of an entry: key and person of eight, row of four. */
const SIZE = 20;

/** Takes in that a record is behind a key. */
export type AddHolder = (key: number, person: number, row: number) => void;

/** Takes in entries in the order of key, person and row, and writes them in pages. */
export function createBlockPages(db: Db): { add: AddHolder; end(): void } {
  const insert = db.prepare('INSERT INTO block_page (key, person, entries) VALUES (?, ?, ?)');
  const bytes = Buffer.alloc(ENTRIES * SIZE);
  const view = viewOf(bytes);
  let at = 0;
  const end = () => {
    if (at > 0) insert.run(view.getFloat64(0, true), view.getFloat64(8, true), bytes.subarray(0, at));
    at = 0;
  };
  return {
    add(key, person, row) {
      if (at === bytes.length) end();
      view.setFloat64(at, key, true);
      view.setFloat64(at + 8, person, true);
      view.setUint32(at + 16, row, true);
      at += SIZE;
    },
    end,
  };
}

/** The entries of a page. */
export function parseBlockPage(entries: Buffer): [key: number, person: number, row: number][] {
  const entryAt = (at: number): [number, number, number] => [
    entries.readDoubleLE(at),
    entries.readDoubleLE(at + 8),
    entries.readUInt32LE(at + 16),
  ];
  return readOrReportDamage(() =>
    Array.from({ length: Math.floor(entries.length / SIZE) }, (_, i) => entryAt(i * SIZE)),
  );
}

export interface MemoryCache {
  /** What lies in the tables has changed: of these keys, or of all. */
  invalidate(keys?: number[]): void;
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
export function openBlockTable(
  db: Db,
  young: Pick<RecentEntries, 'listHolders' | 'removeEntry'>,
): Pick<LinkCache, 'listHolders' | 'listRowsOfPerson'> &
  MemoryCache & { leave(key: number, behind: KeyHolder): void } {
  const leave = db.prepare('DELETE FROM block WHERE key = ? AND person = ? AND row = ?');
  const entered = db.prepare<[number, number], KeyHolder>(
    'SELECT row, person FROM block WHERE key = ? AND person >= ?',
  );
  const paged = pagedEntries(db);
  const inFile = (key: number, person: number) => merged(paged.from(key, person), entered.all(key, person));
  const firstInFile = (key: number, most: number) => {
    const [some, since] = [paged.first(key, most), entered.all(key, Number.MIN_SAFE_INTEGER)];
    return since.length === 0 ? some : first(merged(some, since), most);
  };
  /** The first entries of keys, without the young ones; all of them where they are no more than `FIRST`. */
  const known = new Map<number, KeyHolder[]>();
  const firstOf = (key: number): KeyHolder[] => {
    let some = known.get(key);
    if (some) return some;
    if (known.size >= KEPT) known.clear();
    known.set(key, (some = firstInFile(key, FIRST + 1)));
    return some;
  };
  const from = (key: number, person: number, most: number): Iterable<KeyHolder> => {
    const [some, since] = [firstOf(key), young.listHolders(key)];
    if (some.length > FIRST && most > FIRST) return merged(inFile(key, person), since);
    return since.length === 0 ? some : merged(some, since);
  };
  return {
    listHolders: (key, most) => (most > 0 ? first(from(key, Number.MIN_SAFE_INTEGER, most), most) : []),
    listRowsOfPerson(key, person) {
      const rows: number[] = [];
      for (const one of from(key, person, Infinity)) {
        if (one.person > person) break;
        if (one.person === person) rows.push(one.row);
      }
      return rows;
    },
    leave(key, behind) {
      if (young.removeEntry(key, behind)) return;
      known.delete(key);
      if (leave.run(key, behind.person, behind.row).changes === 0) paged.remove(key, behind);
    },
    invalidate(keys) {
      if (keys) for (const key of keys) known.delete(key);
      else known.clear();
    },
  };
}

function first(entries: Iterable<KeyHolder>, most: number): KeyHolder[] {
  if (Array.isArray(entries) && entries.length <= most) return entries as KeyHolder[];
  const found: KeyHolder[] = [];
  for (const one of entries) if (found.push(one) >= most) break;
  return found;
}

function* merged(one: Iterable<KeyHolder>, two: KeyHolder[]): Iterable<KeyHolder> {
  let at = 0;
  for (const entry of one) {
    for (let next = two[at]; next && isBefore(next, entry); next = two[++at]) yield next;
    yield entry;
  }
  for (let next = two[at]; next; next = two[++at]) yield next;
}

const isBefore = (one: KeyHolder, two: KeyHolder) =>
  one.person < two.person || (one.person === two.person && one.row < two.row);

interface Page {
  id: number;
  entries: Buffer;
}

/** The entries of pages, as they were written. */
function pagedEntries(db: Db) {
  const start = db.prepare<[number, number], Page>(
    `SELECT id, entries FROM block_page WHERE id >= coalesce(
       (SELECT id FROM block_page WHERE (key, person) < (?, ?) ORDER BY key DESC, person DESC, id DESC LIMIT 1), 0)
     ORDER BY id LIMIT 1`,
  );
  const next = db.prepare<[number], Page>(
    'SELECT id, entries FROM block_page WHERE id >= ? ORDER BY id LIMIT 1',
  );
  const write = db.prepare('UPDATE block_page SET key = ?, person = ?, entries = ? WHERE id = ?');
  const drop = db.prepare('DELETE FROM block_page WHERE id = ?');
  const after = ({ id }: Page): Page | undefined => {
    const page = next.get(id + 1);
    // Of a damaged file the pages may lie in a circle.
    if (page && page.id <= id) throw damageError();
    return page;
  };
  /** Places of a key's entries, from a person on. */
  function* placesFrom(key: number, person: number) {
    for (let page = start.get(key, person); page; page = after(page)) {
      const { id, entries } = page;
      const view = viewOf(entries);
      for (let at = SIZE * startOf(view, key, person); at < view.byteLength; at += SIZE) {
        if (view.getFloat64(at, true) !== key) return;
        yield { id, entries, at, row: view.getUint32(at + 16, true), person: view.getFloat64(at + 8, true) };
      }
    }
  }
  return {
    /** The first of a key's entries: nobody is behind most keys, and behind most others a few. */
    first(key: number, most: number): KeyHolder[] {
      const found: KeyHolder[] = [];
      for (let page = start.get(key, Number.MIN_SAFE_INTEGER); page; page = after(page)) {
        const view = viewOf(page.entries);
        for (let at = SIZE * startOf(view, key, Number.MIN_SAFE_INTEGER); at < view.byteLength; at += SIZE) {
          if (found.length >= most || view.getFloat64(at, true) !== key) return found;
          found.push({ row: view.getUint32(at + 16, true), person: view.getFloat64(at + 8, true) });
        }
      }
      return found;
    },
    *from(key: number, person: number): Iterable<KeyHolder> {
      for (const { row, person: whom } of placesFrom(key, person)) yield { row, person: whom };
    },
    remove(key: number, { row, person }: KeyHolder): void {
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

/** Of whole entries. A `Buffer` reads numbers ten times as slowly. */
const viewOf = ({ buffer, byteOffset, byteLength }: Buffer) =>
  readOrReportDamage(() => new DataView(buffer, byteOffset, byteLength - (byteLength % SIZE)));

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
