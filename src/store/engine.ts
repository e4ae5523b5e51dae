// Interface of a store for servers. SQLite answers synchronously; PostgreSQL needs a round trip.
import type { CallerUsage } from '../accounts/billing/invoice.ts';
import type { SuspiciousCheckCounts } from '../accounts/harvesting.ts';
import type { InFlightLimiter } from '../accounts/in-flight.ts';
import type { Caller, EarlierCall, JobState } from '../accounts/model.ts';
import type { EarlierCallsWindow, CallRatePeriods } from '../accounts/time.ts';
import type { Awaitable } from '../model.ts';
import type { RunExclusively } from '../platform/threads/lock.ts';
import type { RecentCall } from './call-log.ts';
import type { WatchStore } from './events/watches.ts';
import type { IdempotentCallStarter, IdempotencyOptions } from './serving/idempotency.ts';
import type { CallLimiter, CallerWithClaim } from './serving/limiter.ts';
import type { WebhookMessageQueue } from './serving/notices.ts';
import type { CallRecorder } from './serving/recorder.ts';
import type { ConsoleSessionStorage } from './serving/sessions.ts';
import type { Store, StoreLocation } from './store.ts';
import type { UsageOwner } from './usage.ts';

/** Same functions as `T`, whose results may also be promises. */
type WithAwaitableResults<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Awaitable<Awaited<R>> : T[K];
};

/** Options of the store functions for the calls of one serving thread. */
export interface StoreForCallsOptions extends IdempotencyOptions {
  /** Limiter of simultaneous calls in this process. */
  inFlight: InFlightLimiter;
  /** Runs a function while no other thread of this process runs one; undefined if there is only one thread. */
  alone: RunExclusively | undefined;
}

/**
 * Store functions that a server needs to answer calls. Times are milliseconds since 1970. Errors of each function: store_unavailable, database_busy,
 * and those of the engine.
 */
export interface StoreForCalls {
  /**
   * Returns the caller with this API key; null if the key is malformed, unknown, revoked or expired, or its account is closed. `isEntering` tells
   * that `limiter.enter` follows, so that the engine can do both in one round trip.
   */
  findKey(text: string, now: number, isEntering?: boolean): Awaitable<Caller | null>;
  findCaller(id: string, now: number): Awaitable<Caller | null>;
  limiter: CallLimiter;
  idempotency: IdempotentCallStarter;
  /**
   * Counts a check call with at most one contact against the hourly limit of the caller's plan. Does nothing for other check calls. Errors:
   * rate_limited.
   */
  takeProbe(request: CallerWithClaim, now: number): Awaitable<void>;
  sessions: WithAwaitableResults<ConsoleSessionStorage>;
  /** Returns the usage of a caller in a month; a null month is the current month. */
  getUsage(caller: UsageOwner, query: { month: string | null; now: number }): Awaitable<CallerUsage>;
  /** Returns a call by its request id; undefined if no API key of the chain that begins with `keyId` made it. */
  findCall(keyId: string, requestId: string): Awaitable<EarlierCall | undefined>;
  earlierCalls: {
    within(keyId: string, window: EarlierCallsWindow): Awaitable<RecentCall[]>;
    counts(keyId: string, spans: CallRatePeriods): Awaitable<number[]>;
  };
}

/** Store of a server, in SQLite or PostgreSQL. */
export interface StoreEngine {
  location: StoreLocation;
  /** Store for operations of operators. Its functions block the thread until the engine answers, so threads that serve calls must not use them. */
  store: Store;
  recorder: CallRecorder;
  notices: WithAwaitableResults<WebhookMessageQueue>;
  watches: WithAwaitableResults<WatchStore>;
  isHealthy(): boolean;
  /** Returns the error of the last request, if it failed; null if it succeeded or its error is unknown. */
  getFailure(): unknown;
  /** Returns whether the store has API keys at all, and whether it has test keys. */
  getKeyPresence(): Awaitable<{ keys: boolean; testKeys: boolean }>;
  /** Returns the counts of suspicious checks since a time (milliseconds since 1970), for each chain of API keys. */
  sumSuspiciousChecksSince(since: number): Awaitable<({ key: string } & SuspiciousCheckCounts)[]>;
  jobs: {
    hasWork(now: number): Awaitable<boolean>;
    /** Returns true if a server is processing a job, or was killed while it processed one. */
    hasLeased(): Awaitable<boolean>;
    count(): Awaitable<Partial<Record<JobState, number>>>;
  };
  openCalls(options: StoreForCallsOptions): StoreForCalls & { close(): void };
}
