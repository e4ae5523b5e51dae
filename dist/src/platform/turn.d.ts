/**
 * Waits for a turn of the event loop that has time left for a check, so that a burst of calls never holds up timers, sockets and the
 * answers that are ready. Calls keep their order.
 */
export declare function turn(): Promise<void>;
