// A circuit breaker: what keeps failing (a model, another server) is left alone for a while, then tried with one question.

export type CircuitBreakerState = 'closed' | 'open' | 'half_open';

export interface CircuitBreaker {
  /** True when a question may be asked; in the half-open state for one question at a time. */
  tryBegin(): boolean;
  recordSuccess(): void;
  recordFailure(): void;
  /** The question ended for a reason that says nothing about what was asked (the caller left, the queue was full). */
  recordNoResult(): void;
  readonly state: CircuitBreakerState;
}

export interface CircuitBreakerOptions {
  /** Failures in a row that open it. */
  failures: number;
  pauseMs: number;
  now: () => number;
}

export function createCircuitBreaker({ failures, pauseMs, now }: CircuitBreakerOptions): CircuitBreaker {
  let consecutiveFailures = 0;
  let openedAt: number | null = null;
  let probing = false;

  const state = (): CircuitBreakerState => {
    if (openedAt === null) return 'closed';
    return now() - openedAt >= pauseMs ? 'half_open' : 'open';
  };
  return {
    tryBegin() {
      const current = state();
      if (current === 'closed') return true;
      if (current === 'open' || probing) return false;
      probing = true;
      return true;
    },
    recordSuccess() {
      consecutiveFailures = 0;
      openedAt = null;
      probing = false;
    },
    recordFailure() {
      consecutiveFailures += 1;
      if (probing || consecutiveFailures >= failures) openedAt = now();
      probing = false;
    },
    recordNoResult() {
      probing = false;
    },
    get state() {
      return state();
    },
  };
}
