// Calls to a service that can be slow, fail or be unreachable: with a deadline, a second attempt, limited concurrency and a circuit breaker.
import { BonafideError } from '../../errors.ts';
import { createCircuitBreaker } from '../../platform/resilience/breaker.ts';
import { createConcurrencyLimiter } from '../../platform/resilience/limiter.ts';

export interface ResilientCallerOptions {
  /** Maximum duration (ms) of a call, including its wait in the queue and a second attempt. */
  deadlineMs: number;
  /** Time (ms) without an answer after which a second attempt is made beside the first (hedging); 0 for never. */
  hedgeMs: number;
  concurrency: number;
  /** Name of the service for error messages, such as "the upstream graph at HOST". */
  target: string;
}

/**
 * Makes one attempt of a call.
 * @param isSecond true for the second attempt
 */
type ResilientCallAttempt<T> = (signal: AbortSignal, isSecond: boolean) => Promise<T>;

interface ResilientCallOptions {
  noRetry?: boolean;
  ignoreBreaker?: boolean;
}

export interface ResilientCaller {
  /**
   * Calls the service. Errors: those of the attempt; graph_timeout; graph_unavailable if the service has failed repeatedly; overloaded if too many
   * calls are in the queue.
   */
  call<T>(attempt: ResilientCallAttempt<T>, options?: ResilientCallOptions): Promise<T>;
  /** True if calls are made (the circuit breaker is closed), and at least one succeeded or none failed. */
  readonly isHealthy: boolean;
  /** Throws if the service is not healthy. Errors: graph_unavailable, with the message of the last failure. */
  requireHealthy(): void;
}

/** Number of failures in a row after which calls fail at once (the circuit breaker opens). */
const FAILURES = 5;
const PAUSE_MS = 5000;
/** Minimum delay (ms) before a second attempt. A random delay is added, so that calls that failed together are not repeated together. */
const MIN_DELAY_MS = 10;
const DELAY_SPREAD_MS = 90;
/** Maximum number of calls in the queue. Further calls are rejected as overloaded. */
const MAX_WAITING = 1024;

export function createResilientCaller(options: ResilientCallerOptions): ResilientCaller {
  const { deadlineMs, hedgeMs, concurrency, target } = options;
  const { timeout, full, noAnswer, open } = errorsOf(target);
  const breaker = createCircuitBreaker({
    failures: FAILURES,
    pauseMs: PAUSE_MS,
    now: () => performance.now(),
  });
  const limiter = createConcurrencyLimiter({
    concurrency,
    queue: MAX_WAITING,
    toFullError: () => full,
    toAbortedError: () => timeout,
  });
  let [hasAnswered, hasFailed] = [false, false];
  let lastError: unknown = null;

  const isHealthy = () => breaker.state === 'closed' && (hasAnswered || !hasFailed);

  async function callWithin<T>(attempt: ResilientCallAttempt<T>, noRetry: boolean): Promise<T> {
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => controller.abort(timeout), deadlineMs);
    try {
      const leave = await limiter.acquire(signal);
      const answer = noRetry ? attempt(signal, false) : callTwice(attempt, signal, hedgeMs);
      return await Promise.race([answer, rejectOnAbort(signal)]).finally(leave);
    } finally {
      clearTimeout(timer);
      controller.abort(ANSWERED);
    }
  }

  return {
    async call(attempt, { noRetry = false, ignoreBreaker = false } = {}) {
      if (!ignoreBreaker && !breaker.tryBegin()) throw open(lastError);
      try {
        const value = await callWithin(attempt, noRetry);
        breaker.recordSuccess();
        hasAnswered = true;
        return value;
      } catch (error) {
        hasFailed = true;
        if (isOwnFault(error) || error === full) breaker.recordNoResult();
        else {
          breaker.recordFailure();
          lastError = error;
        }
        throw error;
      }
    },
    get isHealthy() {
      return isHealthy();
    },
    requireHealthy() {
      if (isHealthy()) return;
      throw new BonafideError(
        'graph_unavailable',
        lastError instanceof BonafideError ? lastError.message : noAnswer,
      );
    },
  };
}

/** Makes one attempt, and a second one if the first fails with a transient error or has no answer after `hedgeMs`. Returns the first answer. */
function callTwice<T>(attempt: ResilientCallAttempt<T>, signal: AbortSignal, hedgeMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    let running = 0;
    let isSecond = false;
    const start = () => {
      running++;
      attempt(signal, isSecond).then(resolve, (error: unknown) => {
        running--;
        if (!isSecond && isTransient(error)) startSecond(MIN_DELAY_MS + Math.random() * DELAY_SPREAD_MS);
        else if (running === 0) reject(error as Error);
      });
    };
    const startSecond = (delayMs: number) => {
      isSecond = true;
      clearTimeout(hedge);
      setTimeout(start, delayMs);
    };
    const hedge = hedgeMs > 0 ? setTimeout(startSecond, hedgeMs, 0) : undefined;
    signal.addEventListener('abort', () => clearTimeout(hedge), { once: true });
    start();
  });
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

const isTransient = (error: unknown) => error instanceof BonafideError && error.details.transient === true;
/** True if the service rejected the request as invalid, so that the service itself has not failed. */
const isOwnFault = (error: unknown) => error instanceof BonafideError && error.details.ours === true;

const ANSWERED = new BonafideError(
  'graph_timeout',
  'The second attempt of the query was cancelled, because the first attempt was answered.',
);

function errorsOf(target: string) {
  const subject = `${target.charAt(0).toUpperCase()}${target.slice(1)}`;
  return {
    timeout: new BonafideError('graph_timeout', `${subject} did not answer in time. Try again.`),
    noAnswer: `${subject} does not answer.`,
    full: new BonafideError('overloaded', `Too many queries are waiting for ${target}. Try again.`),
    /**
     * Creates the error for calls while the circuit breaker is open. If servers query each other in a circle, returns their error unchanged, because
     * waiting does not help.
     */
    open(lastError: unknown): BonafideError {
      const { message = '', details = {} } = lastError instanceof BonafideError ? lastError : {};
      if (lastError instanceof BonafideError && details.circle) return lastError;
      const text = `${subject} failed repeatedly and is not queried for some seconds. ${message}`.trimEnd();
      return new BonafideError('graph_unavailable', text, {
        retryAfterMs: Math.max(PAUSE_MS, details.retryAfterMs ?? 0),
      });
    },
  };
}
