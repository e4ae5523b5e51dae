// A circuit breaker: what keeps failing (a model, another server) is left alone for a while, then tried with one question.

export type BreakerState = 'closed' | 'open' | 'half_open';

export interface Breaker {
  /** True when a question may be asked; in the half-open state for one question at a time. */
  allows(): boolean;
  succeeded(): void;
  failed(): void;
  /** The question ended for a reason that says nothing about what was asked (the caller left, the queue was full). */
  undecided(): void;
  readonly state: BreakerState;
}

export interface BreakerOptions {
  /** Failures in a row that open it. */
  failures: number;
  pauseMs: number;
  now: () => number;
}

export function createBreaker({ failures, pauseMs, now }: BreakerOptions): Breaker {
  let inARow = 0;
  let openedAt: number | null = null;
  let probing = false;

  const state = (): BreakerState => {
    if (openedAt === null) return 'closed';
    return now() - openedAt >= pauseMs ? 'half_open' : 'open';
  };
  return {
    allows() {
      const at = state();
      if (at === 'closed') return true;
      if (at === 'open' || probing) return false;
      probing = true;
      return true;
    },
    succeeded() {
      inARow = 0;
      openedAt = null;
      probing = false;
    },
    failed() {
      inARow += 1;
      if (probing || inARow >= failures) openedAt = now();
      probing = false;
    },
    undecided() {
      probing = false;
    },
    get state() {
      return state();
    },
  };
}
