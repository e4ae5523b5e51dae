// Very many entries of a key and a value in little memory: in pieces by ranges of keys, each of which is sorted by itself.
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pairOf } from '../link/pairs.ts';
import type { Group } from '../link/pairing.ts';
import type { LinkingWorkspace } from './linking.ts';

/** Entries side by side: integers below 2^53 either way as keys, below 2^32 as values. */
export interface SortEntries {
  keys: Float64Array;
  values: Uint32Array;
}

export interface SpilledEntries {
  /** Keys lie from `low` up to below `high`. */
  add(key: number, value: number): void;
  /** The entries in pieces of ascending ranges of keys, within a piece in the order in which they were added. As often as asked. */
  pieces(): Iterable<SortEntries>;
  drop(): void;
}

/** Ranges of keys; and entries of one that are gathered in memory, the first of them in less. */
const PIECES = 64;
const GATHERED = 4096;
const FIRST = 64;
/** Bytes of an entry on disk. */
const SIZE = 12;

interface Piece extends SortEntries {
  count: number;
  /** Where what is on disk of it begins, `GATHERED` entries each: all keys, then all values. */
  offsets: number[];
}

/**
 * Some three megabytes of memory beside what one piece takes when it is read. What does not fit goes into a file of the folder that has
 * no name, so that nothing is left where the process is killed. Errors: what the file system throws.
 */
export function createSpilledEntries({
  folder,
  low,
  high,
}: {
  folder: string;
  low: number;
  high: number;
}): SpilledEntries {
  const pieces = Array.from({ length: PIECES }, emptyPiece);
  const share = PIECES / (high - low);
  const disk = namelessFile(folder);
  return {
    add(key, value) {
      const piece = pieces[Math.floor((key - low) * share)];
      if (!piece) throw new Error('a key is out of its range');
      if (piece.count === piece.keys.length) {
        if (piece.count === GATHERED) spill(piece, disk);
        else grow(piece);
      }
      piece.keys[piece.count] = key;
      piece.values[piece.count++] = value;
    },
    *pieces() {
      for (const piece of pieces) if (piece.count > 0 || piece.offsets.length > 0) yield whole(piece, disk);
    },
    drop() {
      disk.close();
      for (const piece of pieces) Object.assign(piece, emptyPiece());
    },
  };
}

function emptyPiece(): Piece {
  return { keys: new Float64Array(0), values: new Uint32Array(0), count: 0, offsets: [] };
}

function grow(piece: Piece): void {
  const room = Math.min(GATHERED, Math.max(FIRST, piece.keys.length * 4));
  const { keys, values } = piece;
  piece.keys = new Float64Array(room);
  piece.values = new Uint32Array(room);
  piece.keys.set(keys);
  piece.values.set(values);
}

function spill(piece: Piece, disk: Disk): void {
  piece.offsets.push(disk.append([bytesOf(piece.keys), bytesOf(piece.values)]));
  piece.count = 0;
}

function whole({ keys, values, count, offsets }: Piece, disk: Disk): SortEntries {
  const all = offsets.length * GATHERED + count;
  const found = { keys: new Float64Array(all), values: new Uint32Array(all) };
  for (const [i, offset] of offsets.entries()) {
    const [from, to] = [i * GATHERED, (i + 1) * GATHERED];
    disk.read(bytesOf(found.keys.subarray(from, to)), offset);
    disk.read(bytesOf(found.values.subarray(from, to)), offset + GATHERED * (SIZE - 4));
  }
  found.keys.set(keys.subarray(0, count), all - count);
  found.values.set(values.subarray(0, count), all - count);
  return found;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);

interface Disk {
  /** Answers where it was written. */
  append(parts: Uint8Array[]): number;
  read(into: Uint8Array, offset: number): void;
  close(): void;
}

function namelessFile(folder: string): Disk {
  let open: number | null = null;
  let end = 0;
  const file = () => {
    if (open !== null) return open;
    const name = join(folder, `runs-${randomBytes(6).toString('hex')}`);
    open = openSync(name, 'wx+', 0o600);
    rmSync(name, { force: true });
    return open;
  };
  return {
    append(parts) {
      const from = end;
      for (const part of parts)
        for (let at = 0; at < part.length;) {
          const written = writeSync(file(), part, at, part.length - at, end);
          at += written;
          end += written;
        }
      return from;
    },
    read(into, offset) {
      for (let at = 0; at < into.length;) {
        const found = readSync(file(), into, at, into.length - at, offset + at);
        if (found === 0) throw Object.assign(new Error('a file was cut short'), { code: 'EIO' });
        at += found;
      }
    },
    close() {
      if (open !== null) closeSync(open);
      open = null;
      end = 0;
    },
  };
}

/** Bits that are sorted by at a time. */
const BITS = 11;
const BUCKETS = 2 ** BITS;
/** So many digits are in the lower one of the two numbers that a key is taken apart into. */
const LOWER = 2;
const LOW = 2 ** (LOWER * BITS);

/** Sorts by key; entries of one key stay in their order. */
export function sortByKey({ keys, values }: SortEntries): SortEntries {
  const order = sortedOrder(keys);
  const found = { keys: new Float64Array(keys.length), values: new Uint32Array(keys.length) };
  for (let i = 0; i < order.length; i++) {
    const from = order[i] ?? 0;
    found.keys[i] = keys[from] ?? 0;
    found.values[i] = values[from] ?? 0;
  }
  return found;
}

/**
 * The places of keys by ascending key; those of one key in their order. Digit by digit from the lowest (Hollerith's radix sort): keys are integers, and
 * those of a piece agree in their highest digits.
 */
export function sortedOrder(keys: Float64Array): Uint32Array {
  const [low, high, digits] = digitsOf(keys);
  let [order, next] = [new Uint32Array(keys.length), new Uint32Array(keys.length)];
  for (let i = 0; i < order.length; i++) order[i] = i;
  for (let digit = 0; digit < digits; digit++) {
    distribute(
      { order, into: next },
      digit < LOWER ? low : high,
      BITS * (digit < LOWER ? digit : digit - LOWER),
    );
    [order, next] = [next, order];
  }
  return order;
}

/** Numbers in an order of their places. */
export function reorderNumbers(numbers: Float64Array, order: Uint32Array): Float64Array {
  const found = new Float64Array(order.length);
  for (let i = 0; i < order.length; i++) found[i] = numbers[order[i] ?? 0] ?? 0;
  return found;
}

/** Keys as two numbers each, less the least of them, and how many digits they have. */
function digitsOf(keys: Float64Array): [low: Uint32Array, high: Uint32Array, digits: number] {
  let [least, most] = [Infinity, -Infinity];
  for (const key of keys) {
    if (key < least) least = key;
    if (key > most) most = key;
  }
  const [low, high] = [new Uint32Array(keys.length), new Uint32Array(keys.length)];
  for (let i = 0; i < keys.length; i++) {
    const key = (keys[i] ?? 0) - least;
    const above = Math.floor(key / LOW);
    high[i] = above;
    low[i] = key - above * LOW;
  }
  let digits = 0;
  for (let left = most - least; left > 0; left = Math.floor(left / BUCKETS)) digits++;
  return [low, high, digits];
}

const ends = new Uint32Array(BUCKETS);

function distribute(
  { order, into }: { order: Uint32Array; into: Uint32Array },
  word: Uint32Array,
  shift: number,
): void {
  ends.fill(0);
  const mask = BUCKETS - 1;
  for (let i = 0; i < word.length; i++) {
    const bucket = ((word[i] ?? 0) >>> shift) & mask;
    ends[bucket] = (ends[bucket] ?? 0) + 1;
  }
  for (let bucket = 1; bucket < BUCKETS; bucket++)
    ends[bucket] = (ends[bucket] ?? 0) + (ends[bucket - 1] ?? 0);
  for (let i = order.length - 1; i >= 0; i--) {
    const from = order[i] ?? 0;
    const bucket = ((word[from] ?? 0) >>> shift) & mask;
    const place = (ends[bucket] ?? 0) - 1;
    ends[bucket] = place;
    into[place] = from;
  }
}

// Blocks and pairs as sorted runs: for every engine that has a folder to write in.
/** Fingerprints are below this; weak keys are negative. */
export const BLOCKING_KEY_LIMIT = 2 ** 52;

/** Room for (key, value) entries whose keys are blocking keys. */
export const createSpilledKeys = (folder: string) =>
  createSpilledEntries({ folder, low: -BLOCKING_KEY_LIMIT, high: BLOCKING_KEY_LIMIT });

/** Like `Blocks`, but answers at once. @param rows one more than the highest row */
export function createSortedWorkspace(folder: string, rows: number) {
  const entries = createSpilledKeys(folder);
  const wanted = createSpilledEntries({ folder, low: 0, high: pairOf(rows, rows) + 1 });
  return {
    addKeys(page) {
      for (const [row, keys] of page) for (const key of keys) entries.add(key, row);
    },
    *groups() {
      for (const piece of entries.pieces()) yield groupByKey(sortByKey(piece));
    },
    addPairs(pairs) {
      for (const pair of pairs) wanted.add(pair, 0);
    },
    *pairs() {
      for (const piece of wanted.pieces()) yield distinct(sortByKey(piece).keys);
    },
    drop() {
      entries.drop();
      wanted.drop();
    },
  } satisfies LinkingWorkspace;
}

/** The keys that more than one row has, of entries in order. */
function groupByKey({ keys, values }: SortEntries): Group[] {
  const groups: Group[] = [];
  for (let from = 0, to = 1; from < keys.length; from = to++) {
    while (keys[to] === keys[from]) to++;
    if (to - from > 1) groups.push({ key: keys[from] ?? 0, rows: [...values.subarray(from, to)] });
  }
  return groups;
}

/** Ascending numbers, each once. */
function distinct(sorted: Float64Array): Float64Array {
  let count = 0;
  for (const number of sorted) if (count === 0 || number !== sorted[count - 1]) sorted[count++] = number;
  return sorted.subarray(0, count);
}
