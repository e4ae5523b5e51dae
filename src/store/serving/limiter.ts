// What bounds a caller from call to call: its plan's rate and calls in flight, exact over all processes of a folder.
import { randomUUID } from 'node:crypto';
import { keyInFlightError, type InFlightLimit } from '../../accounts/in-flight.ts';
import {
  type LimitPolicy,
  toInFlightPolicy,
  MAX_IN_FLIGHT_PER_KEY,
  toLimitPolicies,
  getRateLimit,
  type LimitState,
} from '../../accounts/limits.ts';
import { BonafideError } from '../../errors.ts';
import { readBucket, takeToken, type RateLimit, type BucketState } from '../../accounts/limits.ts';
import { onceFor } from '../../platform/sqlite.ts';
import type { SqlConnection } from '../store.ts';
import type { Caller, CurrentPlan, PlanTerms, QuotaUsage } from '../../accounts/model.ts';
import type { Awaitable } from '../../model.ts';

/** A call that was taken on, or refused, with what it is told of its caller's limits. */
export interface Admission {
  policies: LimitPolicy[];
  /** Null where it was taken on. */
  refused: BonafideError | null;
  /** Where its caller's account stands; null without a plan, and for test keys. */
  quotaUsage: QuotaUsage | null;
  /** It is not worked on any more; whoever asks next is bounded without it once this is there. */
  leave(): Awaitable<void>;
}

export interface CallLimiter {
  /** Takes a call on. Errors: store_unavailable, of callers with a plan. */
  enter(caller: Caller, now: number): Admission;
  /** What a caller's limits are; it takes nothing. Errors: store_unavailable, of callers with a plan. */
  getPolicies(caller: Caller, now: number): LimitPolicy[];
  /** How many calls this process works on. */
  count(): number;
  close(): void;
}

export interface LimiterOptions {
  limits: LimitStore;
  /** Calls that this process works on. */
  flights: InFlightLimit;
  quotaUsage(caller: Caller, now: number): QuotaUsage | null;
}

const ALIVE_EVERY_MS = 2000;

export function openLimiter({ limits, flights, quotaUsage }: LimiterOptions): CallLimiter {
  const process = randomUUID();
  let beat: NodeJS.Timeout | undefined;
  const live = (now: number) => {
    if (beat) return;
    recordHeartbeat(limits, process, now);
    beat = setInterval(
      () => quietly(() => recordHeartbeat(limits, process, Date.now())),
      ALIVE_EVERY_MS,
    ).unref();
  };
  /** Where a caller with a plan stands, in one transaction; `taking` takes a token and counts the call. */
  const planned = (caller: Planned, now: number, taking: boolean): Omit<Admission, 'leave'> => {
    const { terms } = caller.plan;
    if (taking && terms.concurrency) live(now);
    const found = limits.change((db) => momentOf(db, { caller, terms, now, process, taking }));
    const { refused, own, ...moment } = found;
    const worked = own ?? flights.of(caller.keyId);
    const quota = caller.test ? null : quotaUsage(caller, now);
    const policies = toLimitPolicies({ ...moment, flights: worked, quotaUsage: quota, now });
    return { refused, quotaUsage: quota, policies };
  };
  const alone = (keyId: string) => [toInFlightPolicy(flights.of(keyId), MAX_IN_FLIGHT_PER_KEY)];
  return {
    enter(caller, now) {
      const { keyId } = caller;
      const full = catchRefusal(() => flights.enter(keyId));
      if (full) return { policies: alone(keyId), refused: full, quotaUsage: null, leave: () => undefined };
      const leave = () => flights.leave(keyId);
      if (!hasPlan(caller)) return { policies: alone(keyId), refused: null, quotaUsage: null, leave };
      try {
        const entered = planned(caller, now, true);
        if (entered.refused || !caller.plan.terms.concurrency) return { ...entered, leave };
        return { ...entered, leave: () => (leave(), quietly(() => less(limits, keyId, process))) };
      } catch (error) {
        leave();
        throw error;
      }
    },
    getPolicies: (caller, now) =>
      hasPlan(caller) ? planned(caller, now, false).policies : alone(caller.keyId),
    count: flights.count,
    close: () => clearInterval(beat),
  };
}

type Planned = Caller & { plan: CurrentPlan };
const hasPlan = (caller: Caller): caller is Planned => caller.plan !== null;

const less = (limits: LimitStore, key: string, process: string) =>
  limits.change((db) => changeInFlight(db, { key, process }, -1));

interface Asking {
  caller: Caller;
  terms: PlanTerms;
  now: number;
  process: string;
  taking: boolean;
}

/** `own` is how many calls all processes work on, null where only this one counts them. */
function momentOf(db: SqlConnection, { caller: { keyId }, terms, now, process, taking }: Asking) {
  const most = terms.concurrency ?? MAX_IN_FLIGHT_PER_KEY;
  const before = terms.concurrency ? countInFlight(db, keyId, now) : null;
  const bucket = getRateLimit(terms);
  const full = before !== null && before >= most;
  const use = taking && !full ? takeFromBucket : readBucketState;
  const taken = bucket && use(db, { name: keyId, rate: bucket }, now);
  const rate = bucket && taken && { ...bucket, taken };
  const refused = taking ? refusal({ full, most, rate }) : null;
  const counts = taking && refused === null && before !== null;
  if (counts) changeInFlight(db, { key: keyId, process }, 1);
  return { most, rate, refused, own: before === null ? null : before + (counts ? 1 : 0) };
}

function refusal({
  full,
  most,
  rate,
}: {
  full: boolean;
  most: number;
  rate: LimitState['rate'];
}): BonafideError | null {
  if (full) return keyInFlightError(most);
  return !rate || rate.taken.allowed ? null : rateLimitError(rate.taken.nextIn);
}

/** What a call is told that comes too soon: after so many milliseconds the next one may come. */
export const rateLimitError = (nextIn: number) =>
  new BonafideError('rate_limited', 'The rate of this key’s plan is reached.', { retryAfterMs: nextIn });

/** What a bound says against a call; null where it says nothing. */
export function catchRefusal(bound: () => void): BonafideError | null {
  try {
    bound();
    return null;
  } catch (error) {
    if (error instanceof BonafideError) return error;
    throw error;
  }
}

/** What cannot be said now ends by itself: a process that is not heard of counts for nothing after some seconds. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // Nothing else can be done about it here.
  }
}

/** What all that serve must agree on from call to call, and what may be lost: limits of minutes, and who is signed in. */
export interface LimitStore {
  /** Runs `work` in one transaction that nobody else writes beside. Errors: store_unavailable, and those of opening it. */
  change<T>(work: (db: SqlConnection) => T): T;
}

const statements = onceFor((db: SqlConnection) => ({
  find: db.prepare<[string], number>('SELECT full_at FROM buckets WHERE name = ?').pluck(),
  keep: db.prepare(
    'INSERT INTO buckets (name, full_at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET full_at = excluded.full_at',
  ),
}));

/** Takes a token from a bucket that all processes share. Runs inside `change`. */
export function takeFromBucket(
  db: SqlConnection,
  { name, rate }: { name: string; rate: RateLimit },
  now: number,
): BucketState {
  const { find, keep } = statements(db);
  const before = find.get(name);
  const taken = takeToken(before, now, rate);
  // A clock that stepped back finds the bucket empty: from here on it fills.
  if (taken.allowed || taken.fullAt < (before ?? 0)) keep.run(name, taken.fullAt);
  return taken;
}

/** How full a bucket is. Runs inside `change`. */
export function readBucketState(
  db: SqlConnection,
  { name, rate }: { name: string; rate: RateLimit },
  now: number,
): BucketState {
  return readBucket(statements(db).find.get(name), now, rate);
}

// Calls in flight of keys whose plan bounds them, over all processes.
/** A process that was not seen for this long has ended, and what it worked on with it. */
const LOST_MS = 10_000;

const flightStatements = onceFor((db: SqlConnection) => ({
  count: db
    .prepare<[string, number], number>(
      'SELECT ifnull(sum(calls), 0) FROM flights JOIN processes ON id = process WHERE key = ? AND seen > ?',
    )
    .pluck(),
  add: db.prepare(
    'INSERT INTO flights (key, process, calls) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET calls = max(0, calls + excluded.calls)',
  ),
  see: db.prepare(
    'INSERT INTO processes (id, seen) VALUES (?, ?) ON CONFLICT DO UPDATE SET seen = excluded.seen',
  ),
  forgetFlights: db.prepare(
    'DELETE FROM flights WHERE calls = 0 OR process NOT IN (SELECT id FROM processes WHERE seen > ?)',
  ),
  forgetProcesses: db.prepare('DELETE FROM processes WHERE seen <= ?'),
}));

/** How many calls of a key are worked on, in all processes. Runs inside `change`. */
export const countInFlight = (db: SqlConnection, key: string, now: number): number =>
  flightStatements(db).count.get(key, now - LOST_MS) ?? 0;

/** Counts one more of a key, or one less (-1), in this process. Runs inside `change`. */
export function changeInFlight(
  db: SqlConnection,
  { key, process }: { key: string; process: string },
  change: 1 | -1,
): void {
  flightStatements(db).add.run(key, process, change);
}

/** Says that this process lives, and forgets those that do not any more. Errors: store_unavailable. */
export function recordHeartbeat(limits: LimitStore, process: string, now: number): void {
  limits.change((db) => {
    const { see, forgetFlights, forgetProcesses } = flightStatements(db);
    see.run(process, now);
    forgetFlights.run(now - LOST_MS);
    forgetProcesses.run(now - LOST_MS);
  });
}
