// How many calls may be worked on at a time.
import { BonafideError } from '../errors.ts';
import { MAX_IN_FLIGHT_PER_KEY } from './limits.ts';
import { createHash } from 'node:crypto';

export interface InFlightLimit {
  /** Takes a call on. Errors: overloaded, at once: who is turned away may go elsewhere, who waits unknown cannot. */
  enter(keyId: string): void;
  leave(keyId: string): void;
  /** How many are being worked on. */
  count(): number;
  /** How many calls of a key are worked on. */
  of(keyId: string): number;
}

/** What a call is told for which its key has too many others that are worked on. */
export const keyInFlightError = (most: number) =>
  new BonafideError('overloaded', `At most ${most} calls of a key are worked on at a time.`);

/** What a call is told where too many of all keys are worked on. */
export const totalInFlightError = () =>
  new BonafideError('overloaded', 'Too many calls are being worked on. Try again shortly.');

/** Bounds the calls of one key, and of all keys, that are worked on at a time. */
export function createInFlightLimit({ perKey = MAX_IN_FLIGHT_PER_KEY, total = 1024 } = {}): InFlightLimit {
  const own = new Map<string, number>();
  let all = 0;
  return {
    enter(keyId) {
      const before = own.get(keyId) ?? 0;
      if (before >= perKey) throw keyInFlightError(perKey);
      if (all >= total) throw totalInFlightError();
      all++;
      own.set(keyId, before + 1);
    },
    leave(keyId) {
      const before = own.get(keyId) ?? 0;
      all--;
      if (before > 1) own.set(keyId, before - 1);
      else own.delete(keyId);
    },
    count: () => all,
    of: (keyId) => own.get(keyId) ?? 0,
  };
}

// Calls in flight of several threads, counted in memory that they share: exact, without a lock, and a thread that ends leaves nothing.
/** Keys that are counted together. A server that has seen more bounds the further ones in each thread by itself. */
const MOST_KEYS = 16_384;

/** Room for the counts of so many threads: the names of keys, then a row of each and one of all keys, a column a thread. */
export function allocateInFlightCounts(threads: number, keys = MOST_KEYS): SharedArrayBuffer {
  return new SharedArrayBuffer(keys * 8 + (keys + 1) * threads * 4);
}

/** Whose counts they are: the thread's place, from 0 on, among how many. */
interface SharedInFlightCounts {
  room: SharedArrayBuffer;
  thread: number;
  threads: number;
}

/** Bounds the calls of one key, and of all keys, that all threads work on at a time. `count` tells this thread's own. */
export function createSharedInFlightLimit(
  place: SharedInFlightCounts,
  { perKey = MAX_IN_FLIGHT_PER_KEY, total = 1024, keys = MOST_KEYS } = {},
): InFlightLimit {
  const { threads, thread } = place;
  const names = new BigInt64Array(place.room, 0, keys);
  const counts = countsIn(place, keys);
  const rows = new Map<string, number | null>();
  const beyond = createInFlightLimit({ perKey, total });
  const rowOf = (keyId: string): number | null => {
    const known = rows.get(keyId);
    if (known !== undefined) return known;
    const row = claimRow(names, keyId);
    rows.set(keyId, row);
    return row;
  };
  const sum = (row: number) => {
    let all = 0;
    for (let i = row * threads; i < (row + 1) * threads; i++) all += Atomics.load(counts, i);
    return all;
  };
  const change = (row: number, by: 1 | -1) => Atomics.add(counts, row * threads + thread, by);
  /** Counted first and looked at then: of two that come at once to the last place both may be refused, never both taken on. */
  const enter = (row: number, most: number) => {
    change(row, 1);
    if (sum(row) <= most) return true;
    change(row, -1);
    return false;
  };
  return {
    enter(keyId) {
      const row = rowOf(keyId);
      if (row === null) return beyond.enter(keyId);
      if (!enter(row, perKey)) throw keyInFlightError(perKey);
      if (enter(ALL, total)) return;
      change(row, -1);
      throw totalInFlightError();
    },
    leave(keyId) {
      const row = rowOf(keyId);
      if (row === null) return beyond.leave(keyId);
      change(row, -1);
      change(ALL, -1);
    },
    count: () => Atomics.load(counts, ALL * threads + thread) + beyond.count(),
    of(keyId) {
      const row = rowOf(keyId);
      return row === null ? beyond.of(keyId) : sum(row);
    },
  };
}

/** Forgets what a thread worked on that has ended. */
export function clearInFlightCounts(place: SharedInFlightCounts, keys = MOST_KEYS): void {
  const counts = countsIn(place, keys);
  for (let i = place.thread; i < counts.length; i += place.threads) Atomics.store(counts, i, 0);
}

/** The row of all keys; those of single ones follow. */
const ALL = 0;

const countsIn = ({ room, threads }: SharedInFlightCounts, keys: number) =>
  new Int32Array(room, keys * 8, (keys + 1) * threads);

/** The row of a key, taken by the first thread that asks for it; null where all are taken. */
function claimRow(names: BigInt64Array, keyId: string): number | null {
  // Of 64 bits of a digest, as good as its own. Nought is a row that nobody has.
  const name = createHash('sha256').update(keyId).digest().readBigInt64LE() || 1n;
  const first = Number(BigInt.asUintN(32, name)) % names.length;
  for (let i = 0; i < names.length; i++) {
    const at = (first + i) % names.length;
    const before = Atomics.compareExchange(names, at, 0n, name);
    if (before === 0n || before === name) return at + 1;
  }
  return null;
}
