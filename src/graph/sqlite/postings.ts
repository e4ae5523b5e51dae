import { dirname } from 'node:path';
import { BonafideError } from '../../errors.ts';
import type { Db } from '../../platform/sqlite.ts';
import { POSTING_IDS_LIMIT } from '../graph.ts';
import type { Posting } from '../resolve/reader.ts';
import { BLOCKING_KEY_LIMIT, type SortEntries, createExternalSort } from '../external-sort.ts';

/**
 * What is kept of a key: a number for the only identity that has it, else a text of such numbers, and where more than
 * `SHARE_LIMIT` identities share it, how many they are and the first of them (`31:2 5 8 …`). A number is twice the identity's, plus 1
 * where the value is its primary one. One row a key: fetching a row costs SQLite and the engine as much as finding it.
 */
export type Packed = number | string | null;

export function unpack(key: number, packed: Packed): Posting {
  if (packed === null) return { key, share: 0, ids: NO_IDS, primary: NO_MARKS };
  if (typeof packed === 'number')
    return { key, share: 1, ids: [half(packed)], primary: [(packed & 1) === 1] };
  if (typeof packed !== 'string') throw damaged();
  const colon = packed.indexOf(':');
  const ids: number[] = [];
  const primary: boolean[] = [];
  // By hand, because a key of very many has two dozen numbers, and splitting them costs several times as much.
  let number = 0;
  for (let i = colon + 1; i <= packed.length; i++) {
    const digit = packed.charCodeAt(i) - ZERO;
    if (digit > 9) throw damaged();
    if (digit >= 0) {
      number = number * 10 + digit;
      continue;
    }
    ids.push(half(number));
    primary.push((number & 1) === 1);
    number = 0;
  }
  const share = colon < 0 ? ids.length : Number(packed.slice(0, colon));
  if (!(share >= ids.length)) throw damaged();
  return { key, share, ids, primary };
}

/** Of the many keys that are nobody's. */
const NO_IDS: number[] = [];
const NO_MARKS: boolean[] = [];

const ZERO = 48;

function half(number: number): number {
  const identity = Math.floor(number / 2);
  if (Number.isSafeInteger(identity) && identity > 0) return identity;
  throw damaged();
}

const damaged = () => new BonafideError('damaged_database', 'The graph holds postings that nobody wrote.');

/** See `Packed`. @param ids ascending: all of them, or as many as are read */
export function pack(share: number, ids: [id: number, meta: number][]): number | string {
  const numbers = ids.map(([id, meta]) => id * 2 + meta);
  const [only = 0] = numbers;
  if (share === 1) return only;
  return `${share > POSTING_IDS_LIMIT ? `${share}:` : ''}${numbers.join(' ')}`;
}

/** Takes postings in any order, each key and identity once, and fills both tables anew with them. */
export interface StagedPostings {
  /** @param key twice the key, plus 1 where the value is the identity's primary one */
  add(key: number, id: number): void;
  /** Answers how many postings there are. */
  write(): number;
}

export function stagePostings(db: Db): StagedPostings {
  const staged = createExternalSort({ folder: dirname(db.name), low: 0, high: BLOCKING_KEY_LIMIT });
  return {
    add: (key, id) => staged.add(Math.floor(key / 2), id * 2 + (key % 2)),
    write() {
      db.exec('DELETE FROM posting; DELETE FROM frequent');
      const posting = db.prepare('INSERT INTO posting VALUES (?, ?)');
      const frequent = db.prepare('INSERT INTO frequent VALUES (?, ?, ?)');
      let postings = 0;
      for (const piece of staged.sortedPieces())
        for (const [key, ids] of holdersIn(piece)) {
          postings += ids.length;
          posting.run(key, pack(ids.length, ids.slice(0, POSTING_IDS_LIMIT)));
          if (ids.length > POSTING_IDS_LIMIT) for (const [id, meta] of ids) frequent.run(key, id, meta);
        }
      staged.drop();
      return postings;
    },
  };
}

/** Who has each key, of entries in the order of keys. */
export function* holdersIn({
  keys,
  values,
}: SortEntries): Iterable<[key: number, ids: [id: number, meta: number][]]> {
  for (let from = 0, to = 1; from < keys.length; from = to++) {
    while (keys[to] === keys[from]) to++;
    const numbers = values.subarray(from, to).sort();
    yield [keys[from] ?? 0, Array.from(numbers, (number) => [number >>> 1, number & 1])];
  }
}
