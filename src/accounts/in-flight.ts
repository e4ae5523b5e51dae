// Limit of calls in flight: for one thread, and for several threads that share memory.
import { createHash } from 'node:crypto';
import { BonafideError } from '../errors.ts';
import { MAX_IN_FLIGHT_PER_KEY } from './limits.ts';

/** Limit of calls in flight, by key and in total. */
export interface InFlightLimit {
  /**
   * Adds a call in flight. Errors: overloaded, at once: a rejected client can try another server, while a queued client would not know that
   * it waits.
   */
  enter(keyId: string): void;
  leave(keyId: string): void;
  count(): number;
  of(keyId: string): number;
}

export const keyInFlightError = (max: number) =>
  new BonafideError(
    'overloaded',
    `This key has ${max} calls in progress, the maximum. Wait until one of them has been answered.`,
    {
      rule: 'concurrent calls of the key',
    },
  );

const totalInFlightError = () =>
  new BonafideError('overloaded', 'The server has too many calls in progress. Try again shortly.', {
    rule: 'concurrent calls of the server',
  });

/** Creates a limit for one thread: at most `perKey` calls of one key, and `total` calls of all keys. */
export function createInFlightLimit({ perKey = MAX_IN_FLIGHT_PER_KEY, total = 1024 } = {}): InFlightLimit {
  const counts = new Map<string, number>();
  let all = 0;
  return {
    enter(keyId) {
      const before = counts.get(keyId) ?? 0;
      if (before >= perKey) throw keyInFlightError(perKey);
      if (all >= total) throw totalInFlightError();
      all++;
      counts.set(keyId, before + 1);
    },
    leave(keyId) {
      const before = counts.get(keyId) ?? 0;
      all--;
      if (before > 1) counts.set(keyId, before - 1);
      else counts.delete(keyId);
    },
    count: () => all,
    of: (keyId) => counts.get(keyId) ?? 0,
  };
}

/** Maximum number of keys counted in shared memory. Further keys are limited in each thread separately. */
const MAX_SHARED_KEYS = 16_384;

/**
 * Allocates shared counts: digests of the keys; then a row of counts for all keys together, and a row for each key, each with one column
 * for each thread.
 */
export const allocateInFlightCounts = (threads: number, keys = MAX_SHARED_KEYS): SharedArrayBuffer =>
  new SharedArrayBuffer(keys * 8 + (keys + 1) * threads * 4);

/** Counts that all threads share, and the index of the column of one thread. */
export interface SharedInFlightCounts {
  memory: SharedArrayBuffer;
  thread: number;
  threads: number;
}

/** Row with the counts of all keys together; the rows of single keys follow. */
const TOTAL_ROW = 0;

const readCounts = ({ memory, threads }: SharedInFlightCounts, keys: number) =>
  new Int32Array(memory, keys * 8, (keys + 1) * threads);

/**
 * Creates a limit over all threads: at most `perKey` calls of one key, and `total` calls of all keys. It is exact and takes no lock, and a
 * thread that ends leaves no counts.
 */
export function createSharedInFlightLimit(
  shared: SharedInFlightCounts,
  { perKey = MAX_IN_FLIGHT_PER_KEY, total = 1024, keys = MAX_SHARED_KEYS } = {},
): InFlightLimit {
  const { memory, threads, thread } = shared;
  const digests = new BigInt64Array(memory, 0, keys);
  const counts = readCounts(shared, keys);
  const rows = new Map<string, number | null>();
  const unshared = createInFlightLimit({ perKey, total });
  const rowOf = (keyId: string): number | null => {
    let row = rows.get(keyId);
    if (row === undefined) rows.set(keyId, (row = claimRow(digests, keyId)));
    return row;
  };
  const sum = (row: number) => {
    let calls = 0;
    for (let i = row * threads; i < (row + 1) * threads; i++) calls += Atomics.load(counts, i);
    return calls;
  };
  const change = (row: number, by: 1 | -1) => Atomics.add(counts, row * threads + thread, by);
  /** Count first, then check: two calls that compete for the last slot may both be refused, but they can never both enter. */
  const tryEnter = (row: number, max: number) => {
    change(row, 1);
    if (sum(row) <= max) return true;
    change(row, -1);
    return false;
  };
  return {
    enter(keyId) {
      const row = rowOf(keyId);
      if (row === null) return unshared.enter(keyId);
      if (!tryEnter(row, perKey)) throw keyInFlightError(perKey);
      if (tryEnter(TOTAL_ROW, total)) return;
      change(row, -1);
      throw totalInFlightError();
    },
    leave(keyId) {
      const row = rowOf(keyId);
      if (row === null) return unshared.leave(keyId);
      change(row, -1);
      change(TOTAL_ROW, -1);
    },
    count: () => Atomics.load(counts, TOTAL_ROW * threads + thread) + unshared.count(),
    of(keyId) {
      const row = rowOf(keyId);
      return row === null ? unshared.of(keyId) : sum(row);
    },
  };
}

export function clearInFlightCounts(shared: SharedInFlightCounts, keys = MAX_SHARED_KEYS): void {
  const counts = readCounts(shared, keys);
  for (let i = shared.thread; i < counts.length; i += shared.threads) Atomics.store(counts, i, 0);
}

/** Returns the row of a key. The first thread that needs the row claims it. Null if all rows are claimed. */
function claimRow(digests: BigInt64Array, keyId: string): number | null {
  // A digest of 64 bits identifies a key well enough. 0 marks a free row.
  const digest = createHash('sha256').update(keyId).digest().readBigInt64LE() || 1n;
  const first = Number(BigInt.asUintN(32, digest)) % digests.length;
  for (let i = 0; i < digests.length; i++) {
    const index = (first + i) % digests.length;
    const before = Atomics.compareExchange(digests, index, 0n, digest);
    if (before === 0n || before === digest) return index + 1;
  }
  return null;
}
