// Asks what may be slow, fail or be away: within a deadline, a second time at most, a bounded number at a time, and not at all for a while
// where it keeps failing.
import { BonafideError } from '../../errors.ts';
import { createBreaker } from '../../platform/asking/breaker.ts';
import { createLimiter } from '../../platform/asking/limiter.ts';

export interface PatienceOptions {
  /** Milliseconds for an answer, waiting and a second try included. */
  deadlineMs: number;
  /** After so many without an answer a second one is asked for; 0 for never. */
  hedgeMs: number;
  /** Questions at a time. */
  concurrency: number;
  /** Who is asked, in the middle of a sentence; the upstream graph unless said. */
  who?: string;
}

/** `second` is of the one other try that a question has. */
export type Attempt<T> = (signal: AbortSignal, second: boolean) => Promise<T>;

export interface AskOptions {
  /** There is no second try, whatever happens. */
  once?: boolean;
}

export interface Patience {
  /** Errors: those of the attempt; graph_timeout; graph_unavailable where it is left alone, overloaded where too many wait. */
  ask<T>(attempt: Attempt<T>, options?: AskOptions): Promise<T>;
  /** Whether it is asked at all. */
  readonly healthy: boolean;
}

/** Failures in a row after which it is left alone, and for how long. */
const FAILURES = 5;
export const PAUSE_MS = 5000;
/** A second try comes after 10 to 100 milliseconds: who failed together does not come back together. */
const SOONEST_MS = 10;
const SPREAD_MS = 90;
/** As many as a server takes on in all may wait. */
const MOST_WAITING = 1024;

export function createPatience({
  deadlineMs,
  hedgeMs,
  concurrency,
  who = 'the upstream graph',
}: PatienceOptions): Patience {
  const { late, full, leftAlone } = troubleWith(who);
  const breaker = createBreaker({ failures: FAILURES, pauseMs: PAUSE_MS, now: () => performance.now() });
  const limiter = createLimiter({ concurrency, queue: MOST_WAITING, full: () => full, late: () => late });
  let reached = false;
  let failed = false;

  async function within<T>(attempt: Attempt<T>, once: boolean): Promise<T> {
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => controller.abort(late), deadlineMs);
    try {
      const leave = await limiter.enter(signal);
      try {
        return await Promise.race([
          once ? attempt(signal, false) : tries(attempt, signal, hedgeMs),
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
    async ask(attempt, { once = false } = {}) {
      if (!breaker.allows()) throw leftAlone;
      try {
        const value = await within(attempt, once);
        breaker.succeeded();
        reached = true;
        return value;
      } catch (error) {
        if (isOurs(error) || error === full) breaker.undecided();
        else breaker.failed();
        failed = true;
        throw error;
      }
    },
    get healthy() {
      return breaker.state === 'closed' && (reached || !failed);
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
    full: new BonafideError('overloaded', `Too many questions wait for ${who}.`),
    leftAlone: new BonafideError(
      'graph_unavailable',
      `${first} kept failing and is left alone for a while.`,
      { retryAfterMs: PAUSE_MS },
    ),
  };
}
