// Who is behind a key: in pages of entries as linking all records anew left them, and beside them what came since.
import type { Db } from '../../../platform/sqlite.ts';
import type { LinkIndex } from '../../link-index.ts';
import type { Young } from './young.ts';

/** One record behind a key, and whom it may be by name; see `NOBODY`. */
export interface Behind {
  row: number;
  person: number;
}

/** The person of what is found under a key that nobody is compared for. */
export const NOBODY = -1;

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

/** Keys of which all that lies in the file is kept at hand, and of how many entries each at the most. */
const KEPT = 20_000;
const WHOLE = 80;

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
  /** Entries of keys that have few, without the young ones. */
  const known = new Map<number, Behind[]>();
  const inFile = (key: number, person: number) => merged(paged.from(key, person), entered.all(key, person));
  const wholeOf = (key: number): Behind[] | null => {
    const few = known.get(key);
    if (few) return few;
    const some = first(inFile(key, Number.MIN_SAFE_INTEGER), WHOLE + 1);
    if (some.length > WHOLE) return null;
    if (known.size >= KEPT) known.clear();
    known.set(key, some);
    return some;
  };
  const from = (key: number, person: number): Iterable<Behind> => {
    const since = young.behind(key);
    const whole = wholeOf(key);
    if (since.length === 0 && whole) return whole;
    return merged(whole ?? inFile(key, person), since);
  };
  return {
    behind: (key, most) => (most > 0 ? first(from(key, Number.MIN_SAFE_INTEGER), most) : []),
    named(key, person) {
      const rows: number[] = [];
      for (const one of from(key, person)) {
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
      for (let at = SIZE * startOf(entries, key, person); at < entries.length; at += SIZE) {
        if (entries.readDoubleLE(at) !== key) return;
        yield { id, entries, at, row: entries.readUInt32LE(at + 16), person: entries.readDoubleLE(at + 8) };
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

/** Which entry of a page is the first that is not before key and person. */
function startOf(entries: Buffer, key: number, person: number): number {
  let [from, to] = [0, Math.floor(entries.length / SIZE)];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const is = entries.readDoubleLE(middle * SIZE);
    if (is < key || (is === key && entries.readDoubleLE(middle * SIZE + 8) < person)) from = middle + 1;
    else to = middle;
  }
  return from;
}
