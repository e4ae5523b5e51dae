import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import type { Db } from '../../platform/sqlite.ts';
import type { LinkCacheBuilder } from '../linking.ts';
import type { Sealing } from '../encryption/sealing.ts';
import { createBlockPages, type AddHolder } from './blocks.ts';
import { createFactPages } from './facts.ts';
import { fillPairs } from './pairs.ts';
import {
  LINK_TABLES,
  readLinkMeta,
  type GraphState,
  runUnlessBusy,
  writeLinkMeta,
  writeGraphState,
} from './link-file.ts';
import type { Facts } from '../../link/counted/facts.ts';
import type { Group } from '../../link/pairing.ts';
import { createKeySort, type SortEntries } from '../external-sort.ts';
import { type KeyHolder, NO_PERSON } from './recent-entries.ts';

/** Takes in what publishing adds, and becomes what is remembered. */
export interface LinkFileBuilder extends LinkCacheBuilder {
  addPublished(id: number, keys: Buffer): void;
  addRedirect(number: number, heir: number | null): void;
  /** Everything is of this state of the graph, but for rows that changed meanwhile. */
  complete(stand: GraphState, late: number[]): void;
  /** The highest row that was added. */
  highestRow(): number;
}

/** Rows that are written at a time, so that the log stays small. */
const CHUNK = 5000;

/**
 * Fills the file from nothing, in pieces that a reader does not see as whole before `keep`. Where another process begins to fill it too,
 * the later one goes on, and this one's pieces are dropped.
 */
export function createLinkFileBuilder(db: Db, sealing: Sealing): LinkFileBuilder {
  const token = randomBytes(16).toString('hex');
  let begun = false;
  let through = 0;
  const ours = (work: () => void) => {
    const write = () => {
      begun &&= readLinkMeta(db, 'builder') === token;
      if (begun) work();
      return true;
    };
    begun = begun && runUnlessBusy(() => db.transaction(write).immediate()) === true && begun;
  };
  begun = runUnlessBusy(() => db.transaction(() => wipe(db, token)).immediate()) === true;
  const pages = createFactPages(db, sealing);
  const facts = buffered<[number, Float64Array]>(ours, (one) => pages.add(...one));
  const entries = createStagedEntries(dirname(db.name));
  const insertPublished = db.prepare('INSERT INTO published VALUES (?, ?)');
  const insertRedirect = db.prepare('INSERT INTO redirect VALUES (?, ?)');
  const published = buffered<[number, Buffer]>(ours, (one) => insertPublished.run(...one));
  const redirects = buffered<[number, number | null]>(ours, (one) => insertRedirect.run(...one));
  return {
    add(row, one, numbers) {
      through = Math.max(through, row);
      facts.add([row, numbers]);
      entries.add(row, one);
    },
    *groups() {
      const blocks = createBlockPages(db);
      for (const piece of entries.pieces()) {
        ours(() => {
          piece.behind(blocks.add);
          blocks.end();
        });
        yield piece.groups();
      }
      entries.drop();
    },
    finish({ counts, totals, globals, pairs: found }) {
      facts.flush();
      ours(() => {
        pages.end();
        const tally = db.prepare('INSERT INTO tally VALUES (?, ?, ?)');
        for (const [what, all] of counts)
          for (const [key, count] of all.entries()) tally.run(what, key, count);
        writeLinkMeta(db, 'globals', globals);
        writeLinkMeta(db, 'totals', JSON.stringify(totals));
        fillPairs(db, found);
      });
    },
    addPublished: (id, keys) => published.add([id, keys]),
    addRedirect: (number, heir) => redirects.add([number, heir]),
    complete(stand, late) {
      published.flush();
      redirects.flush();
      ours(() => {
        const wait = db.prepare('INSERT OR REPLACE INTO pending VALUES (?, NULL)');
        for (const row of late) wait.run(row);
        writeGraphState(db, stand);
      });
    },
    highestRow: () => through,
  };
}

function wipe(db: Db, token: string): boolean {
  for (const table of ['meta', ...LINK_TABLES]) db.exec(`DELETE FROM ${table}`);
  writeLinkMeta(db, 'builder', token);
  return true;
}

function buffered<T>(ours: (work: () => void) => void, write: (one: T) => void) {
  let waiting: T[] = [];
  const flush = () => {
    ours(() => {
      for (const one of waiting) write(one);
    });
    waiting = [];
  };
  return {
    add(one: T) {
      waiting.push(one);
      if (waiting.length >= CHUNK) flush();
    },
    flush,
  };
}

/** What a value says beside twice the row: that nobody is compared for the key. */
const FOUND = 1;

/** The entries of all records, while they are put in order. */
export function createStagedEntries(folder: string) {
  const entries = createKeySort(folder);
  const persons: number[] = [];
  return {
    add(row: number, { contacts, keys, words, streets, label, person }: Facts) {
      persons[row] = person;
      for (const key of contacts) entries.add(key, row * 2);
      for (const key of keys) entries.add(key, row * 2);
      for (const key of words) entries.add(key, row * 2 + FOUND);
      for (const key of streets) entries.add(key, row * 2 + FOUND);
      if (label !== 0) entries.add(label, row * 2 + FOUND);
    },
    /** By ascending keys: who is behind each, and the groups of records that are compared. */
    *pieces(): Iterable<{ behind(add: AddHolder): void; groups(): Group[] }> {
      for (const piece of entries.sortedPieces()) {
        const sorted = piece;
        yield { behind: (add) => behindIn(sorted, persons, add), groups: () => groupsIn(sorted) };
      }
    },
    drop: entries.drop,
  };
}

/** By person, then by row. */
function behindIn({ keys, values }: SortEntries, persons: number[], add: AddHolder): void {
  const personOf = (value: number) => (value % 2 === FOUND ? NO_PERSON : (persons[value >>> 1] ?? 0));
  const behind: KeyHolder[] = [];
  for (let from = 0, to = 1; from < keys.length; from = to++) {
    const key = keys[from] ?? 0;
    while (keys[to] === key) to++;
    if (to - from === 1) {
      const only = values[from] ?? 0;
      add(key, personOf(only), only >>> 1);
      continue;
    }
    behind.length = 0;
    for (let i = from; i < to; i++) {
      const value = values[i] ?? 0;
      behind.push({ person: personOf(value), row: value >>> 1 });
    }
    behind.sort(byPerson);
    for (const { person, row } of behind) add(key, person, row);
  }
}

const byPerson = (a: KeyHolder, b: KeyHolder) => a.person - b.person || a.row - b.row;

/** The keys under which more than one record is compared. */
function groupsIn({ keys, values }: SortEntries): Group[] {
  const groups: Group[] = [];
  for (let from = 0, to = 1; from < keys.length; from = to++) {
    const key = keys[from] ?? 0;
    while (keys[to] === key) to++;
    if (to - from === 1) continue;
    const rows: number[] = [];
    for (let i = from; i < to; i++) if ((values[i] ?? 0) % 2 !== FOUND) rows.push((values[i] ?? 0) >>> 1);
    if (rows.length > 1) groups.push({ key, rows });
  }
  return groups;
}
