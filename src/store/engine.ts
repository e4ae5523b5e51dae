// A store as a server has it: what is asked for calls may take a round trip, and a store in a file answers at once.
import type { CallerUsage } from '../accounts/billing/invoice.ts';
import type { ProbeCounts } from '../accounts/harvesting.ts';
import type { IdempotentAttempt, IdempotentRequest } from '../accounts/idempotency.ts';
import type { InFlightLimit } from '../accounts/in-flight.ts';
import type { Caller, EarlierCall } from '../accounts/model.ts';
import type { TimeSpans, CallWindow } from '../accounts/time.ts';
import type { Alone } from '../platform/threads/lock.ts';
import type { NoticeQueue } from './serving/notices.ts';
import type { UsageOwner } from './usage.ts';
import type { AttemptRequest } from './serving/idempotency.ts';
import type { CallLimiter } from './serving/limiter.ts';
import type { ProbeRequest } from './serving/key-activity.ts';
import type { ConsoleSessions } from './serving/sessions.ts';
import type { Recorder } from './serving/recorder.ts';
import type { StoreLocation, Store } from './store.ts';
import type { RecentCall } from './call-log.ts';
import type { Awaitable } from '../model.ts';

/** The same functions, where each answer may come later. */
export type WithAwaitableResults<T> = {
  [K in keyof T]: T[K] extends (...asked: infer A) => infer R ? (...asked: A) => Awaitable<Awaited<R>> : T[K];
};

/** What a thread that serves has of its own. */
export interface CallStoreOptions {
  /** Calls that it works on, with those of the threads beside it. */
  flights: InFlightLimit;
  /** For what threads of a process do one after the other. */
  alone: Alone | undefined;
  /** 32 bytes under which fingerprints of Idempotency-Keys are made. */
  secret: Buffer;
  /** How long such a key is known for after its call, in milliseconds. */
  keepMs: number;
}

/** What is asked on the way of a call. Errors, of each: store_unavailable, database_busy and what else the engine has. Times are milliseconds. */
export interface CallStore {
  /**
   * The caller of a key's text, or null where it is malformed, unknown, revoked or expired, or of an account that is closed. `entering` says
   * that `limiter.enter` follows: an engine may do both in one.
   */
  findKey(text: string, now: number, entering?: boolean): Awaitable<Caller | null>;
  /** The caller of a key's id. */
  callerOf(id: string, now: number): Awaitable<Caller | null>;
  limiter: WithAwaitableResults<Pick<CallLimiter, 'enter' | 'getPolicies'>> &
    Pick<CallLimiter, 'count' | 'close'>;
  retries: { begin(call: AttemptRequest, asked: IdempotentRequest): Awaitable<IdempotentAttempt> };
  /** Takes one of the probes of an hour where a check is one. Errors: rate_limited. */
  takeProbe(probing: ProbeRequest, now: number): Awaitable<void>;
  sessions: WithAwaitableResults<ConsoleSessions>;
  usageOf(caller: UsageOwner, asked: { month: string | null; now: number }): Awaitable<CallerUsage>;
  callOf(keyId: string, requestId: string): Awaitable<EarlierCall | undefined>;
  earlierCalls: {
    within(keyId: string, window: CallWindow): Awaitable<RecentCall[]>;
    counts(keyId: string, spans: TimeSpans): Awaitable<number[]>;
  };
}

/** The store of a server. */
export interface StoreEngine {
  place: StoreLocation;
  /** For what an operator does; its work is waited for, so no event loop that serves may ask it. */
  store: Store;
  recorder: Recorder;
  /** Notices on their way to the operator's webhook. */
  notices: WithAwaitableResults<NoticeQueue>;
  healthy(): boolean;
  /** What the last question failed with that got no answer; null where it is not known. */
  failure(): unknown;
  /** Whether it has keys, and keys of test calls among them. */
  holds(): Awaitable<{ keys: boolean; testKeys: boolean }>;
  /** Counts of every chain of keys since a moment (milliseconds), together. */
  probesSince(since: number): Awaitable<({ key: string } & ProbeCounts)[]>;
  calls(options: CallStoreOptions): CallStore & { close(): void };
}
