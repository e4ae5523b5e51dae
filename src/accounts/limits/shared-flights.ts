// Calls in flight of several threads, counted in memory that they share: exact, without a lock, and a thread that ends leaves nothing.
import { createHash } from 'node:crypto';
import { boundInFlight, tooManyInAll, tooMany } from '../in-flight.ts';
import type { InFlight } from '../in-flight.ts';
import { MOST_IN_FLIGHT } from './policies.ts';

/** Keys that are counted together. A server that has seen more bounds the further ones in each thread by itself. */
const MOST_KEYS = 16_384;

/** Room for the counts of so many threads: the names of keys, then a row of each and one of all keys, a column a thread. */
export function roomForFlights(threads: number, keys = MOST_KEYS): SharedArrayBuffer {
  return new SharedArrayBuffer(keys * 8 + (keys + 1) * threads * 4);
}

/** Whose counts they are: the thread's place, from 0 on, among how many. */
export interface Place {
  room: SharedArrayBuffer;
  thread: number;
  threads: number;
}

/** Bounds the calls of one key, and of all keys, that all threads work on at a time. `count` tells this thread's own. */
export function shareInFlight(
  place: Place,
  { perKey = MOST_IN_FLIGHT, total = 1024, keys = MOST_KEYS } = {},
): InFlight {
  const { threads, thread } = place;
  const names = new BigInt64Array(place.room, 0, keys);
  const counts = countsIn(place, keys);
  const rows = new Map<string, number | null>();
  const beyond = boundInFlight({ perKey, total });
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
      if (!enter(row, perKey)) throw tooMany(perKey);
      if (enter(ALL, total)) return;
      change(row, -1);
      throw tooManyInAll();
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
export function forgetFlights(place: Place, keys = MOST_KEYS): void {
  const counts = countsIn(place, keys);
  for (let i = place.thread; i < counts.length; i += place.threads) Atomics.store(counts, i, 0);
}

/** The row of all keys; those of single ones follow. */
const ALL = 0;

const countsIn = ({ room, threads }: Place, keys: number) =>
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
