// Sorts (key, value) entries on disk if they do not fit into memory. Also: a linking workspace that is built on this sort.
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { encodeRowPair, type BlockingKeyGroup } from '../link/candidate-pairs.ts';
import type { LinkingWorkspace } from './linking.ts';

/** Entries as two arrays of equal length. Keys are integers between -2^53 and 2^53; values are integers from 0 to 2^32 - 1. */
export interface KeyValueArrays {
  keys: Float64Array;
  values: Uint32Array;
}

/** Number of parts (pieces) into which entries are divided by ranges of keys. Each piece is sorted in memory. */
const PIECES = 64;
/** Number of entries of one piece that are collected in memory before they are written to disk. */
const BUFFER_ENTRIES = 4096;
const ENTRY_BYTES = 12;

interface Piece extends KeyValueArrays {
  count: number;
  /** Positions in bytes of this piece's blocks in the file. A block has `BUFFER_ENTRIES` entries: first their keys, then their values. */
  offsets: number[];
}

/**
 * Creates a sorter of entries with keys from `low` to less than `high`. It uses about 3 MB of memory; all other entries are in a temporary file in
 * `folder`, which disappears with the process. Errors: those of the file system.
 */
export function createExternalSort({ folder, low, high }: { folder: string; low: number; high: number }) {
  const pieces = Array.from({ length: PIECES }, createPiece);
  const piecesPerKey = PIECES / (high - low);
  const disk = createUnlinkedFile(folder);
  return {
    add(key: number, value: number): void {
      const piece = pieces[Math.floor((key - low) * piecesPerKey)];
      if (!piece) throw new Error(`sort key ${key} is not in the range ${low} to ${high}`);
      if (piece.count === piece.keys.length) {
        if (piece.count === BUFFER_ENTRIES) spill(piece, disk);
        else Object.assign(piece, createColumns(BUFFER_ENTRIES));
      }
      piece.keys[piece.count] = key;
      piece.values[piece.count++] = value;
    },
    /**
     * Yields all entries in several pieces, by ascending key. Entries with equal keys are in one piece, in the order of `add`. Can be called again.
     */
    *sortedPieces(): Iterable<KeyValueArrays> {
      for (const piece of pieces)
        if (piece.count > 0 || piece.offsets.length > 0) yield sortByKey(readPiece(piece, disk));
    },
    drop() {
      disk.close();
      for (const piece of pieces) Object.assign(piece, createPiece());
    },
  };
}

const createPiece = (): Piece => ({ ...createColumns(0), count: 0, offsets: [] });

const createColumns = (length: number): KeyValueArrays => ({
  keys: new Float64Array(length),
  values: new Uint32Array(length),
});

function spill(piece: Piece, disk: ReturnType<typeof createUnlinkedFile>): void {
  piece.offsets.push(disk.append([bytesOf(piece.keys), bytesOf(piece.values)]));
  piece.count = 0;
}

function readPiece(
  { keys, values, count, offsets }: Piece,
  disk: ReturnType<typeof createUnlinkedFile>,
): KeyValueArrays {
  const spilled = offsets.length * BUFFER_ENTRIES;
  const all = createColumns(spilled + count);
  for (const [i, offset] of offsets.entries()) {
    const [from, to] = [i * BUFFER_ENTRIES, (i + 1) * BUFFER_ENTRIES];
    disk.read(bytesOf(all.keys.subarray(from, to)), offset);
    disk.read(bytesOf(all.values.subarray(from, to)), offset + BUFFER_ENTRIES * (ENTRY_BYTES - 4));
  }
  all.keys.set(keys.subarray(0, count), spilled);
  all.values.set(values.subarray(0, count), spilled);
  return all;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Creates a file at the first write, and removes its name at once, so that it disappears with the process. */
function createUnlinkedFile(folder: string) {
  let descriptor: number | null = null;
  let end = 0;
  const open = () => {
    if (descriptor !== null) return descriptor;
    const name = join(folder, `runs-${randomBytes(6).toString('hex')}`);
    descriptor = openSync(name, 'wx+', 0o600);
    rmSync(name, { force: true });
    return descriptor;
  };
  return {
    append(parts: Uint8Array[]): number {
      const offset = end;
      for (const part of parts)
        for (let at = 0; at < part.length;) {
          const written = writeSync(open(), part, at, part.length - at, end);
          at += written;
          end += written;
        }
      return offset;
    },
    read(into: Uint8Array, offset: number): void {
      for (let at = 0; at < into.length;) {
        const count = readSync(open(), into, at, into.length - at, offset + at);
        if (count === 0)
          throw Object.assign(new Error('the temporary file of the sort is truncated'), { code: 'EIO' });
        at += count;
      }
    },
    close(): void {
      if (descriptor !== null) closeSync(descriptor);
      descriptor = null;
      end = 0;
    },
  };
}

/** Number of bits of one digit in the radix sort. */
const BITS = 11;
const BUCKETS = 2 ** BITS;
/** Number of digits in the low word. Every sort key is split into two words of at most 32 bits. */
const LOW_DIGITS = 2;
const LOW_RANGE = 2 ** (LOW_DIGITS * BITS);

function sortByKey({ keys, values }: KeyValueArrays): KeyValueArrays {
  const order = listIndexesInKeyOrder(keys);
  const sorted = createColumns(keys.length);
  for (let i = 0; i < order.length; i++) {
    const from = order[i] ?? 0;
    sorted.keys[i] = keys[from] ?? 0;
    sorted.values[i] = values[from] ?? 0;
  }
  return sorted;
}

/** Returns the indexes of integer keys in ascending order of the keys. Indexes of equal keys stay in ascending order. */
export function listIndexesInKeyOrder(keys: Float64Array): Uint32Array {
  const { low, high, digits } = splitKeys(keys);
  let [order, next] = [new Uint32Array(keys.length), new Uint32Array(keys.length)];
  for (let i = 0; i < order.length; i++) order[i] = i;
  for (let digit = 0; digit < digits; digit++) {
    const [word, position] = digit < LOW_DIGITS ? [low, digit] : [high, digit - LOW_DIGITS];
    sortByDigit({ order, into: next }, word, BITS * position);
    [order, next] = [next, order];
  }
  return order;
}

/** Returns the numbers at the given indexes, in the order of `order`. */
export function pickNumbersByIndex(numbers: Float64Array, order: Uint32Array): Float64Array {
  const reordered = new Float64Array(order.length);
  for (let i = 0; i < order.length; i++) reordered[i] = numbers[order[i] ?? 0] ?? 0;
  return reordered;
}

/**
 * Subtracts the smallest key from every key, and splits the results into two 32-bit words. Also returns the number of digits (of `BITS` bits) by
 * which to sort.
 */
function splitKeys(keys: Float64Array): { low: Uint32Array; high: Uint32Array; digits: number } {
  let [least, most] = [Infinity, -Infinity];
  for (const key of keys) {
    if (key < least) least = key;
    if (key > most) most = key;
  }
  const [low, high] = [new Uint32Array(keys.length), new Uint32Array(keys.length)];
  for (let i = 0; i < keys.length; i++) {
    const key = (keys[i] ?? 0) - least;
    const upper = Math.floor(key / LOW_RANGE);
    high[i] = upper;
    low[i] = key - upper * LOW_RANGE;
  }
  let digits = 0;
  for (let rest = most - least; rest > 0; rest = Math.floor(rest / BUCKETS)) digits++;
  return { low, high, digits };
}

const ends = new Uint32Array(BUCKETS);

/** Sorts indexes by one digit of their keys (a counting sort). */
function sortByDigit(
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

/**
 * Blocking keys are less than this number, because they are 52-bit fingerprints. Those of weak evidence are negative, and greater than minus this
 * number.
 */
export const BLOCKING_KEY_UPPER_BOUND = 2 ** 52;

export const createBlockingKeySort = (folder: string) =>
  createExternalSort({ folder, low: -BLOCKING_KEY_UPPER_BOUND, high: BLOCKING_KEY_UPPER_BOUND });

/**
 * Creates the workspace of a linking, with synchronous functions, on two external sorters.
 * @param rows highest row number plus 1
 */
export function createLinkingWorkspaceOnDisk(folder: string, rows: number) {
  const keySort = createBlockingKeySort(folder);
  const pairSort = createExternalSort({ folder, low: 0, high: encodeRowPair(rows, rows) + 1 });
  return {
    addKeys(page) {
      for (const [row, keys] of page) for (const key of keys) keySort.add(key, row);
    },
    *groups() {
      for (const piece of keySort.sortedPieces()) yield groupByKey(piece);
    },
    addPairs(pairs) {
      for (const pair of pairs) pairSort.add(pair, 0);
    },
    *pairs() {
      for (const { keys } of pairSort.sortedPieces()) yield removeDuplicates(keys);
    },
    drop() {
      keySort.drop();
      pairSort.drop();
    },
  } satisfies LinkingWorkspace;
}

/** Returns each blocking key that at least two rows have, with these rows. `entries` must be sorted. */
function groupByKey({ keys, values }: KeyValueArrays): BlockingKeyGroup[] {
  const groups: BlockingKeyGroup[] = [];
  for (let from = 0, to = 1; from < keys.length; from = to++) {
    while (keys[to] === keys[from]) to++;
    if (to - from > 1) groups.push({ key: keys[from] ?? 0, rows: [...values.subarray(from, to)] });
  }
  return groups;
}

function removeDuplicates(sorted: Float64Array): Float64Array {
  let count = 0;
  for (const number of sorted) if (count === 0 || number !== sorted[count - 1]) sorted[count++] = number;
  return sorted.subarray(0, count);
}
