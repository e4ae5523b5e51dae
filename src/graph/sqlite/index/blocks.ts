// Who is behind a key: in pages of entries as linking all records anew left them, and beside them what came since.
import type { Db } from '../../../platform/sqlite.ts';
import type { LinkIndex } from '../../link-index.ts';

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

/**
 * Reads pages and what came since as one. What comes goes beside the pages; what goes is taken out of them, so that nothing of it is left
 * in the file.
 */
export function blockTable(db: Db): Pick<LinkIndex, 'behind' | 'named'> & {
  enter(key: number, behind: Behind): void;
  leave(key: number, behind: Behind): void;
} {
  const enter = db.prepare('INSERT OR REPLACE INTO block VALUES (?, ?, ?)');
  const leave = db.prepare('DELETE FROM block WHERE key = ? AND person = ? AND row = ?');
  const entered = db.prepare<[number, number], Behind>(
    'SELECT row, person FROM block WHERE key = ? AND person >= ?',
  );
  const paged = pagedEntries(db);
  function* from(key: number, person: number): Iterable<Behind> {
    const since = entered.all(key, person);
    for (const one of paged.from(key, person)) {
      while (since[0] && isBefore(since[0], one)) yield since.shift() ?? one;
      yield one;
    }
    yield* since;
  }
  return {
    behind(key, most) {
      const found: Behind[] = [];
      if (most > 0) for (const one of from(key, Number.MIN_SAFE_INTEGER)) if (found.push(one) >= most) break;
      return found;
    },
    named(key, person) {
      const rows: number[] = [];
      for (const one of from(key, person)) {
        if (one.person !== person) break;
        rows.push(one.row);
      }
      return rows;
    },
    enter: (key, { row, person }) => void enter.run(key, person, row),
    leave(key, behind) {
      if (leave.run(key, behind.person, behind.row).changes === 0) paged.remove(key, behind);
    },
  };
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
