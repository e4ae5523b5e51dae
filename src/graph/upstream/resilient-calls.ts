// Asks what may be slow, fail or be away: within a deadline, a second time at most, a bounded number at a time, and not at all for a while
// where it keeps failing.
import { BonafideError } from '../../errors.ts';
import { createBreaker } from '../../platform/asking/breaker.ts';
import { createLimiter } from '../../platform/asking/limiter.ts';

export interface ResilientCallerOptions {
  /** Milliseconds for an answer, waiting and a second try included. */
  deadlineMs: number;
  /** After so many without an answer a second one is asked for; 0 for never. */
  hedgeMs: number;
  /** Questions at a time. */
  concurrency: number;
  /** Who is asked, in the middle of a sentence. */
  target: string;
}

/** `second` is of the one other try that a question has. */
export type Attempt<T> = (signal: AbortSignal, second: boolean) => Promise<T>;

export interface CallOptions {
  /** There is no second try, whatever happens. */
  noRetry?: boolean;
  /** It is asked even where it is left alone. */
  ignoreBreaker?: boolean;
}

export interface ResilientCaller {
  /** Errors: those of the attempt; graph_timeout; graph_unavailable where it is left alone, overloaded where too many wait. */
  call<T>(attempt: Attempt<T>, options?: CallOptions): Promise<T>;
  /** Whether it is asked at all. */
  readonly isHealthy: boolean;
  /** Errors: graph_unavailable where it is not healthy, with what it failed with last. */
  requireHealthy(): void;
}

/** Failures in a row after which it is left alone, and for how long. */
const FAILURES = 5;
const PAUSE_MS = 5000;
/** A second try comes after 10 to 100 milliseconds: who failed together does not come back together. */
const SOONEST_MS = 10;
const SPREAD_MS = 90;
/** As many as a server takes on in all may wait. */
const MOST_WAITING = 1024;

export function createResilientCaller({
  deadlineMs,
  hedgeMs,
  concurrency,
  target: who,
}: ResilientCallerOptions): ResilientCaller {
  const { late, full, silent, away } = troubleWith(who);
  const breaker = createBreaker({ failures: FAILURES, pauseMs: PAUSE_MS, now: () => performance.now() });
  const limiter = createLimiter({ concurrency, queue: MOST_WAITING, full: () => full, late: () => late });
  let reached = false;
  let failed = false;
  let last: unknown = null;

  const isHealthy = () => breaker.state === 'closed' && (reached || !failed);

  async function within<T>(attempt: Attempt<T>, noRetry: boolean): Promise<T> {
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => controller.abort(late), deadlineMs);
    try {
      const leave = await limiter.enter(signal);
      try {
        return await Promise.race([
          noRetry ? attempt(signal, false) : tries(attempt, signal, hedgeMs),
          aborted(signal),
        ]);
      } finally {
        leave();
      }
    } finally {
      clearTimeout(timer);
      controller.abort(OVER);
    }
  }

  return {
    async call(attempt, { noRetry = false, ignoreBreaker = false } = {}) {
      if (!ignoreBreaker && !breaker.allows()) throw away(last);
      try {
        const value = await within(attempt, noRetry);
        breaker.succeeded();
        reached = true;
        return value;
      } catch (error) {
        failed = true;
        if (isOurs(error) || error === full) breaker.undecided();
        else {
          breaker.failed();
          last = error;
        }
        throw error;
      }
    },
    get isHealthy() {
      return isHealthy();
    },
    requireHealthy() {
      if (isHealthy()) return;
      throw new BonafideError('graph_unavailable', last instanceof BonafideError ? last.message : silent);
    },
  };
}

/** One try, and a second where the first failed for a while only, or takes long. The first answer counts. */
function tries<T>(attempt: Attempt<T>, signal: AbortSignal, hedgeMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let open = 0;
    let second = false;
    const again = () => {
      second = true;
      clearTimeout(hedge);
    };
    const begin = () => {
      open++;
      attempt(signal, second).then(resolve, (error: unknown) => {
        open--;
        if (!second && isTransient(error)) {
          again();
          setTimeout(begin, SOONEST_MS + Math.random() * SPREAD_MS);
        } else if (open === 0) reject(error as Error);
      });
    };
    const late = () => {
      again();
      begin();
    };
    const hedge = hedgeMs > 0 ? setTimeout(late, hedgeMs) : undefined;
    signal.addEventListener('abort', () => clearTimeout(hedge), { once: true });
    begin();
  });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

const isTransient = (error: unknown) => error instanceof BonafideError && error.details.transient === true;
/** It says nothing about who was asked: the question itself was not taken. */
const isOurs = (error: unknown) => error instanceof BonafideError && error.details.ours === true;

const OVER = new BonafideError('graph_timeout', 'The question is answered already.');

function troubleWith(who: string) {
  const first = `${who.charAt(0).toUpperCase()}${who.slice(1)}`;
  return {
    late: new BonafideError('graph_timeout', `${first} did not answer in time.`),
    silent: `${first} does not answer.`,
    full: new BonafideError('overloaded', `Too many questions wait for ${who}.`),
    /** @param last what it failed with: that servers ask each other in a circle is no less so a while later */
    away(last: unknown): BonafideError {
      const { message = '', details = {} } = last instanceof BonafideError ? last : {};
      if (last instanceof BonafideError && details.circle) return last;
      const text = `${first} kept failing and is left alone for a while. ${message}`.trimEnd();
      return new BonafideError('graph_unavailable', text, {
        retryAfterMs: Math.max(PAUSE_MS, details.retryAfterMs ?? 0),
      });
    },
  };
}
