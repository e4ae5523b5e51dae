// State of a circuit breaker: after repeated failures, a model or server gets no requests for a while, then
// one trial request.

type CircuitBreakerState = 'closed' | 'open' | 'half_open';

export interface CircuitBreaker {
  /** Returns true if a request may be sent. In the half-open state, only one request may be in progress. */
  tryBegin(): boolean;
  recordSuccess(): void;
  recordFailure(): void;
  /** Records a request whose end does not show if the protected service works, such as a request that its caller cancelled. */
  recordNoResult(): void;
  readonly state: CircuitBreakerState;
}

export interface CircuitBreakerOptions {
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
