// Interface of a store for servers. SQLite answers synchronously; PostgreSQL needs a round trip.
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

/** The functions of `T`, with results that may be promises. */
export type WithAwaitableResults<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Awaitable<Awaited<R>> : T[K];
};

/** Parts of a call store that belong to one serving thread. */
export interface CallStoreOptions extends IdempotencyOptions {
  /** Limit of calls in flight in this process. */
  inFlight: InFlightLimit;
  /** Runs work while no other thread of the process runs such work. */
  alone: RunExclusively | undefined;
}

/**
 * Store for the processing of calls. Times are milliseconds since 1970.
 *
 * Errors of each function: store_unavailable, database_busy, and those of the engine.
 */
export interface CallStore {
  /**
   * Returns the caller with this key text; null if the key is malformed, unknown, revoked or expired, or its account is closed. With
   * `isEntering`, the caller will then call `limiter.enter`, and the engine may do both in one round trip.
   */
  findKey(text: string, now: number, isEntering?: boolean): Awaitable<Caller | null>;
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
  /** Store for the work of operators. Its functions block the thread until the engine answers, so a serving event loop must not use it. */
  store: Store;
  recorder: CallRecorder;
  notices: WithAwaitableResults<NoticeQueue>;
  watches: WithAwaitableResults<WatchStore>;
  isHealthy(): boolean;
  /** Returns the error of the last failed request; null if there is none or it is unknown. */
  getFailure(): unknown;
  getKeyPresence(): Awaitable<{ keys: boolean; testKeys: boolean }>;
  sumProbesSince(since: number): Awaitable<({ key: string } & HarvestProbeCounts)[]>;
  jobs: {
    hasWork(now: number): Awaitable<boolean>;
    /** Returns true if a server works on a job, or was killed while it did. */
    hasLeased(): Awaitable<boolean>;
    count(): Awaitable<Partial<Record<JobState, number>>>;
  };
  openCalls(options: CallStoreOptions): CallStore & { close(): void };
}
