// Limit of calls in flight: for one thread, and for several threads that share memory.
import { createHash } from 'node:crypto';
import { BonafideError } from '../errors.ts';
import { DEFAULT_IN_FLIGHT_LIMIT_PER_KEY } from './limits.ts';

/** Limits simultaneous calls: those of each API key, and those of all keys together. */
export interface InFlightLimiter {
  /** Counts a call that begins. Throws at once if a limit is reached. Errors: overloaded. */
  enter(keyId: string): void;
  leave(keyId: string): void;
  count(): number;
  of(keyId: string): number;
}

export const tooManyCallsOfApiKeyError = (max: number) =>
  new BonafideError(
    'overloaded',
    `This key has ${max} calls in progress, the maximum. Wait until one of them has been answered.`,
    {
      rule: 'concurrent calls of the key',
    },
  );

const tooManyCallsOfServerError = () =>
  new BonafideError('overloaded', 'The server has too many calls in progress. Try again shortly.', {
    rule: 'concurrent calls of the server',
  });

/** Creates the limiter of a single thread: at most `perKey` simultaneous calls of each API key, and `total` of all keys. */
export function createInFlightLimiter({
  perKey = DEFAULT_IN_FLIGHT_LIMIT_PER_KEY,
  total = 1024,
} = {}): InFlightLimiter {
  const counts = new Map<string, number>();
  let all = 0;
  return {
    enter(keyId) {
      const before = counts.get(keyId) ?? 0;
      if (before >= perKey) throw tooManyCallsOfApiKeyError(perKey);
      if (all >= total) throw tooManyCallsOfServerError();
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

/** Maximum number of API keys that are counted in shared memory. Calls of further keys are limited in each thread separately. */
const MAX_SHARED_KEYS = 16_384;

/**
 * Allocates shared memory for the counts of simultaneous calls: digests of the API keys, one row for all keys together, then one row for each key. A
 * row has one count for each thread.
 */
export const allocateInFlightCounts = (threads: number, keys = MAX_SHARED_KEYS): SharedArrayBuffer =>
  new SharedArrayBuffer(keys * 8 + (keys + 1) * threads * 4);

/** Shared counts of all threads, and the index of this thread's counts in each row. */
export interface SharedInFlightCounts {
  memory: SharedArrayBuffer;
  thread: number;
  threads: number;
}

/** Index of the row that counts the calls of all API keys. Rows of single keys follow. */
const TOTAL_ROW = 0;

const readCounts = ({ memory, threads }: SharedInFlightCounts, keys: number) =>
  new Int32Array(memory, keys * 8, (keys + 1) * threads);

/**
 * Creates a limiter that all threads share: at most `perKey` simultaneous calls of each API key, and `total` of all keys. The counts of a thread that
 * ends are removed.
 */
export function createSharedInFlightLimiter(
  shared: SharedInFlightCounts,
  { perKey = DEFAULT_IN_FLIGHT_LIMIT_PER_KEY, total = 1024, keys = MAX_SHARED_KEYS } = {},
): InFlightLimiter {
  const { memory, threads, thread } = shared;
  const digests = new BigInt64Array(memory, 0, keys);
  const counts = readCounts(shared, keys);
  const rows = new Map<string, number | null>();
  const unshared = createInFlightLimiter({ perKey, total });
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
  /**
   * Counts the call first and checks the limit afterwards. Two calls that compete for the last place may both be refused, but are never both
   * accepted.
   */
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
      if (!tryEnter(row, perKey)) throw tooManyCallsOfApiKeyError(perKey);
      if (tryEnter(TOTAL_ROW, total)) return;
      change(row, -1);
      throw tooManyCallsOfServerError();
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

export function clearThreadInFlightCounts(shared: SharedInFlightCounts, keys = MAX_SHARED_KEYS): void {
  const counts = readCounts(shared, keys);
  for (let i = shared.thread; i < counts.length; i += shared.threads) Atomics.store(counts, i, 0);
}

/** Returns the row of an API key, assigning one at its first call; null if all rows belong to other keys. */
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
