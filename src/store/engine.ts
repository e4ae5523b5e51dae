// Interface of a store that a server uses. SQLite answers at once; PostgreSQL takes a round trip.
import type { CallerUsage } from '../accounts/billing/invoice.ts';
import type { HarvestProbeCounts } from '../accounts/harvesting.ts';
import type { InFlightLimit } from '../accounts/in-flight.ts';
import type { Caller, EarlierCall, JobState } from '../accounts/model.ts';
import type { ComparedCallsWindow, CallRatePeriods } from '../accounts/time.ts';
import type { Awaitable } from '../model.ts';
import type { RunExclusively } from '../platform/threads/lock.ts';
import type { RecentCall } from './call-log.ts';
import type { WatchStore } from './events/watches.ts';
import type { IdempotentAttempts, IdempotencyOptions } from './serving/idempotency.ts';
import type { CallLimiter, ProbeRequest } from './serving/limiter.ts';
import type { NoticeQueue } from './serving/notices.ts';
import type { CallRecorder } from './serving/recorder.ts';
import type { ConsoleSessions } from './serving/sessions.ts';
import type { Store, StoreLocation } from './store.ts';
import type { UsageCaller } from './usage.ts';

/** Functions of `T`, each of which may return a promise of its result. */
export type WithAwaitableResults<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Awaitable<Awaited<R>> : T[K];
};

/** Parts of a call store that belong to one thread that serves. */
export interface CallStoreOptions extends IdempotencyOptions {
  /** Limit of the calls in flight in this process. */
  inFlight: InFlightLimit;
  /** Runs work that no other thread of the process runs at the same time. */
  alone: RunExclusively | undefined;
}

/**
 * Store as the path of a call uses it. Times are milliseconds since 1970.
 *
 * Errors of each function: store_unavailable, database_busy, and those of the engine.
 */
export interface CallStore {
  /**
   * Returns the caller of a key's text; null if the key is malformed, unknown, revoked or expired, or its account is closed. With
   * `isEntering`, `limiter.enter` follows, and the engine may do both in one round trip.
   */
  findKey(text: string, now: number, isEntering?: boolean): Awaitable<Caller | null>;
  /**
   * Returns the caller of a key's id; null if the key is unknown, revoked or expired, or its account is
   * closed.
   */
  findCaller(id: string, now: number): Awaitable<Caller | null>;
  limiter: CallLimiter;
  idempotency: IdempotentAttempts;
  /** Takes one of the hourly probes of the caller's plan, if the check is a probe. Errors: rate_limited. */
  takeProbe(request: ProbeRequest, now: number): Awaitable<void>;
  sessions: WithAwaitableResults<ConsoleSessions>;
  /** Returns the usage of a caller in a month; in the current month if `month` is null. */
  getUsage(caller: UsageCaller, query: { month: string | null; now: number }): Awaitable<CallerUsage>;
  /** Returns a call of a chain of keys; undefined if there is none. */
  findCall(keyId: string, requestId: string): Awaitable<EarlierCall | undefined>;
  earlierCalls: {
    within(keyId: string, window: ComparedCallsWindow): Awaitable<RecentCall[]>;
    counts(keyId: string, spans: CallRatePeriods): Awaitable<number[]>;
  };
}

/** Store as a server uses it, in SQLite or PostgreSQL. */
export interface StoreEngine {
  location: StoreLocation;
  /** Store for operators' work. It blocks the thread until the engine answers, so an event loop that serves must not use it. */
  store: Store;
  recorder: CallRecorder;
  notices: WithAwaitableResults<NoticeQueue>;
  watches: WithAwaitableResults<WatchStore>;
  isHealthy(): boolean;
  /** Returns the error of the last request that failed; null if there is none or it is not known. */
  getFailure(): unknown;
  /** Reports whether the store has any keys, and any test keys. */
  getKeyPresence(): Awaitable<{ keys: boolean; testKeys: boolean }>;
  /** Returns the probe counts of every chain of keys since a time (milliseconds since 1970), summed. */
  sumProbesSince(since: number): Awaitable<({ key: string } & HarvestProbeCounts)[]>;
  jobs: {
    /** Returns true if a job is due, or expired. */
    hasWork(now: number): Awaitable<boolean>;
    /** Returns true if a server works on a job, or was killed while it did. */
    hasLeased(): Awaitable<boolean>;
    /** Returns the number of jobs by state. */
    count(): Awaitable<Partial<Record<JobState, number>>>;
  };
  openCalls(options: CallStoreOptions): CallStore & { close(): void };
}
