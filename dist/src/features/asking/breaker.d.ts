export type BreakerState = 'closed' | 'open' | 'half_open';
export interface Breaker {
    /** True when a question may be asked; in the half-open state for one question at a time. */
    allows(): boolean;
    succeeded(): void;
    failed(): void;
    /** The question ended for a reason that says nothing about the model (the caller left, the queue was full). */
    undecided(): void;
    readonly state: BreakerState;
}
export interface BreakerOptions {
    /** Failures in a row that open it. */
    failures: number;
    pauseMs: number;
    now: () => number;
}
export declare function createBreaker({ failures, pauseMs, now }: BreakerOptions): Breaker;
