// A store as a server has it: what is asked for calls may take a round trip, and a store in a file answers at once.
import type { CallersUsage } from '../accounts/billing/usage.ts';
import type { Probes } from '../accounts/harvest/watch.ts';
import type { Attempt, Retryable } from '../accounts/idempotency.ts';
import type { InFlight } from '../accounts/in-flight.ts';
import type { Caller, EarlierCall } from '../accounts/model.ts';
import type { Spans, Window } from '../accounts/window.ts';
import type { Alone } from '../platform/threads/lock.ts';
import type { Notices } from './billing/notices.ts';
import type { Whose } from './billing/usage.ts';
import type { Try } from './idempotency/retries.ts';
import type { Limiter } from './limits/limiter.ts';
import type { Probing } from './limits/probes.ts';
import type { Sessions } from './limits/sessions.ts';
import type { Recorder } from './recorder.ts';
import type { Place, Store } from './store.ts';
import type { RecentCall } from './stream.ts';
import type { Awaitable } from '../model.ts';

/** The same functions, where each answer may come later. */
export type Asked<T> = {
  [K in keyof T]: T[K] extends (...asked: infer A) => infer R ? (...asked: A) => Awaitable<Awaited<R>> : T[K];
};

/** What a thread that serves has of its own. */
export interface CallsOptions {
  /** Calls that it works on, with those of the threads beside it. */
  flights: InFlight;
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
  limiter: Asked<Pick<Limiter, 'enter' | 'look'>> & Pick<Limiter, 'count' | 'close'>;
  retries: { begin(call: Try, asked: Retryable): Awaitable<Attempt> };
  /** Takes one of the probes of an hour where a check is one. Errors: rate_limited. */
  takeProbe(probing: Probing, now: number): Awaitable<void>;
  sessions: Asked<Sessions>;
  usageOf(caller: Whose, asked: { month: string | null; now: number }): Awaitable<CallersUsage>;
  callOf(keyId: string, requestId: string): Awaitable<EarlierCall | undefined>;
  earlierCalls: {
    within(keyId: string, window: Window): Awaitable<RecentCall[]>;
    counts(keyId: string, spans: Spans): Awaitable<number[]>;
  };
}

/** The store of a server. */
export interface Engine {
  place: Place;
  /** For what an operator does; its work is waited for, so no event loop that serves may ask it. */
  store: Store;
  recorder: Recorder;
  /** Notices on their way to the operator's webhook. */
  notices: Asked<Notices>;
  healthy(): boolean;
  /** What the last question failed with that got no answer; null where it is not known. */
  failure(): unknown;
  /** Whether it has keys, and keys of test calls among them. */
  holds(): Awaitable<{ keys: boolean; testKeys: boolean }>;
  /** Counts of every chain of keys since a moment (milliseconds), together. */
  probesSince(since: number): Awaitable<({ key: string } & Probes)[]>;
  calls(options: CallsOptions): CallStore & { close(): void };
}
