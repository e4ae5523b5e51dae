// Records by linking key (fingerprint by which linking finds records): in pages written by the last linking of all records, and in a table of later
// changes.
import type { LinkCacheRecord } from '../../link/statistics/link-cache-record.ts';
import type { Db } from '../../platform/sqlite.ts';
import { createBoundedCache } from '../../link/bounded-cache.ts';
import type { LinkCache } from '../linking.ts';
import { createDamagedLinkCacheError, readOrThrowDamageError } from './link-file.ts';

/**
 * Record that has a linking key. `person` is the key of its names (`getPersonNameKey`), or `NOT_COMPARED_SENTINEL` if this linking key is no reason
 * to compare records.
 */
export interface RecordWithLinkingKey {
  row: number;
  person: number;
}

/** Value of `RecordWithLinkingKey.person` for a linking key that finds the record, but is no reason to compare it with other records. */
export const NOT_COMPARED_SENTINEL = -1;

/** Calls `visit` for each linking key of a record, with the key of the record's names. An iterator would be too slow. */
export function forEachLinkingKey(
  facts: LinkCacheRecord,
  visit: (key: number, person: number) => void,
): void {
  const { contacts, keys, words, streets, label, person } = facts;
  for (const key of contacts) visit(key, person);
  for (const key of keys) visit(key, person);
  for (const key of words) visit(key, NOT_COMPARED_SENTINEL);
  for (const key of streets) visit(key, NOT_COMPARED_SENTINEL);
  if (label !== 0) visit(label, NOT_COMPARED_SENTINEL);
}

export const compareByPersonAndRow = (a: RecordWithLinkingKey, b: RecordWithLinkingKey) =>
  a.person - b.person || a.row - b.row;

/** Number of entries in a page of the file. If this number or the byte order changes, increase `LINK_CACHE_FILE_VERSION`. */
const PAGE_ENTRIES = 200;
/** Number of bytes of an entry: linking key and `person` as doubles (8 bytes each), row (4 bytes). */
const ENTRY_BYTES = 20;

/** Adds one entry to a linking key: the row of a record, and the key of its names (`person`). */
export type AddLinkingKeyEntryFunction = (key: number, person: number, row: number) => void;

/** Creates a writer that stores linking keys and their records in pages. Add entries sorted by key, `person` and row. */
export function createLinkingKeyPageWriter(db: Db): { add: AddLinkingKeyEntryFunction; end(): void } {
  const insert = db.prepare('INSERT INTO block_page (key, person, entries) VALUES (?, ?, ?)');
  const bytes = Buffer.alloc(PAGE_ENTRIES * ENTRY_BYTES);
  const view = viewEntries(bytes);
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
      at += ENTRY_BYTES;
    },
    end,
  };
}

export function parseRecordsByLinkingKeyPage(entries: Buffer): [key: number, person: number, row: number][] {
  const view = viewEntries(entries);
  return Array.from({ length: view.byteLength / ENTRY_BYTES }, (_, i) => {
    const at = i * ENTRY_BYTES;
    return [view.getFloat64(at, true), view.getFloat64(at + 8, true), view.getUint32(at + 16, true)];
  });
}

/** Returns a view of the complete entries in a page. A `DataView` reads numbers ten times faster than a `Buffer`. */
const viewEntries = ({ buffer, byteOffset, byteLength }: Buffer) =>
  readOrThrowDamageError(() => new DataView(buffer, byteOffset, byteLength - (byteLength % ENTRY_BYTES)));

/** Clears values of the link cache file that are cached in memory. */
export interface LinkCacheMemoryInvalidator {
  /** Removes the cached values of these linking keys, or all values, because the file has changed. */
  invalidate(keys?: number[]): void;
}

/** Number of linking keys whose records are cached, and maximum number of cached records of each. */
const CACHED_KEYS = 10_000;
const CACHED_HOLDERS = 80;

const ALL_PERSONS: PersonRange = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
type PersonRange = [from: number, to: number];

/** Records that got a linking key recently, and are not in the tables with this key yet; see `RecentLinkCacheChanges`. */
interface RecentHolders {
  listHolders(key: number): RecordWithLinkingKey[];
  removeEntry(key: number, holder: RecordWithLinkingKey): boolean;
}

/**
 * Opens the linking keys and their records in the link cache file for reading and changing. Joins the records of a key from three places: the pages
 * of the last linking of all records, the table of later changes, and `recent`. They are sorted by `person` and row.
 */
export function openRecordsByLinkingKeyTable(
  db: Db,
  recent: RecentHolders,
): Pick<LinkCache, 'listHolders' | 'listRowsOfPerson'> &
  LinkCacheMemoryInvalidator & {
    removeHolder(key: number, holder: RecordWithLinkingKey): void;
    /** True if the file (without `recent`) contains a record with this linking key. Reads only one record, and does not fill the cache. */
    hasStoredHolder(key: number): boolean;
  } {
  const remove = db.prepare('DELETE FROM block WHERE key = ? AND person = ? AND row = ?');
  const select = db.prepare<[key: number, from: number, to: number, most: number], RecordWithLinkingKey>(
    'SELECT row, person FROM block WHERE key = ? AND person BETWEEN ? AND ? ORDER BY person, row LIMIT ?',
  );
  const pages = openHolderPages(db);
  const read = (key: number, persons: PersonRange, most: number): RecordWithLinkingKey[] =>
    mergeHolders(pages.read(key, persons, most), select.all(key, ...persons, most));
  const firstHolders = createBoundedCache(CACHED_KEYS, (key: number) =>
    read(key, ALL_PERSONS, CACHED_HOLDERS + 1),
  );
  const holdersOf = (key: number, persons: PersonRange, most: number): RecordWithLinkingKey[] => {
    const first = firstHolders.get(key);
    const isEnough = first.length <= CACHED_HOLDERS || most <= CACHED_HOLDERS;
    return mergeHolders(isEnough ? first : read(key, persons, most), recent.listHolders(key));
  };
  return {
    listHolders: (key, most) => {
      if (most <= 0) return [];
      const limit = Math.min(most, Number.MAX_SAFE_INTEGER);
      return holdersOf(key, ALL_PERSONS, limit).slice(0, limit);
    },
    listRowsOfPerson: (key, person) =>
      holdersOf(key, [person, person], Number.MAX_SAFE_INTEGER).flatMap((holder) =>
        holder.person === person ? holder.row : [],
      ),
    hasStoredHolder: (key) => read(key, ALL_PERSONS, 1).length > 0,
    removeHolder(key, holder) {
      if (recent.removeEntry(key, holder)) return;
      firstHolders.delete(key);
      if (remove.run(key, holder.person, holder.row).changes === 0) pages.remove(key, holder);
    },
    invalidate(keys) {
      if (keys) for (const key of keys) firstHolders.delete(key);
      else firstHolders.clear();
    },
  };
}

const mergeHolders = (a: RecordWithLinkingKey[], b: RecordWithLinkingKey[]): RecordWithLinkingKey[] =>
  b.length === 0 ? a : [...a, ...b].sort(compareByPersonAndRow);

interface Page {
  id: number;
  entries: Buffer;
}

function openHolderPages(db: Db) {
  const firstPage = db.prepare<[key: number, person: number], Page>(
    `SELECT id, entries FROM block_page WHERE id >= coalesce(
       (SELECT id FROM block_page WHERE (key, person) < (?, ?) ORDER BY key DESC, person DESC, id DESC LIMIT 1), 0)
     ORDER BY id LIMIT 1`,
  );
  const nextPage = db.prepare<[number], Page>(
    'SELECT id, entries FROM block_page WHERE id > ? ORDER BY id LIMIT 1',
  );
  const update = db.prepare('UPDATE block_page SET key = ?, person = ?, entries = ? WHERE id = ?');
  const drop = db.prepare('DELETE FROM block_page WHERE id = ?');
  function* scan(key: number, fromPerson: number) {
    for (let page = firstPage.get(key, fromPerson); page;) {
      const view = viewEntries(page.entries);
      for (let at = findEntry(view, key, fromPerson); at < view.byteLength; at += ENTRY_BYTES) {
        if (view.getFloat64(at, true) !== key) return;
        yield { page, at, person: view.getFloat64(at + 8, true), row: view.getUint32(at + 16, true) };
      }
      const next = nextPage.get(page.id);
      // In a damaged file, the index can lead back to a previous page.
      if (next && next.id <= page.id) throw createDamagedLinkCacheError();
      page = next;
    }
  }
  return {
    read(key: number, [from, to]: PersonRange, most: number): RecordWithLinkingKey[] {
      const holders: RecordWithLinkingKey[] = [];
      for (const { person, row } of scan(key, from)) {
        if (person > to || holders.length >= most) break;
        holders.push({ row, person });
      }
      return holders;
    },
    remove(key: number, { row, person }: RecordWithLinkingKey): void {
      for (const { page, at, ...holder } of scan(key, person)) {
        if (holder.person !== person) return;
        if (holder.row !== row) continue;
        const { id, entries } = page;
        const rest = Buffer.concat([entries.subarray(0, at), entries.subarray(at + ENTRY_BYTES)]);
        if (rest.length === 0) drop.run(id);
        else update.run(rest.readDoubleLE(0), rest.readDoubleLE(8), rest, id);
        return;
      }
    },
  };
}

/** Returns the offset of the first entry in a page that is equal to or after this linking key and `person`. */
function findEntry(entries: DataView, key: number, person: number): number {
  let [from, to] = [0, entries.byteLength / ENTRY_BYTES];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const at = middle * ENTRY_BYTES;
    const entryKey = entries.getFloat64(at, true);
    const isBefore = entryKey < key || (entryKey === key && entries.getFloat64(at + 8, true) < person);
    if (isBefore) from = middle + 1;
    else to = middle;
  }
  return from * ENTRY_BYTES;
}
