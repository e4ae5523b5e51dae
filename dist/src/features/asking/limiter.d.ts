export interface Limiter {
    /** Waits for a place; call the returned function when done. Errors: model_busy, model_timeout. */
    enter(signal: AbortSignal): Promise<() => void>;
    readonly running: number;
    readonly waiting: number;
}
export declare function createLimiter(concurrency: number, queue: number): Limiter;
