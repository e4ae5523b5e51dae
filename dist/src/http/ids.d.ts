/**
 * A request id: `req_` and 26 characters of Crockford's base32: 10 of the time in milliseconds, 4 that count up
 * within one millisecond, 12 random. Ids of one process sort in the order they were made.
 */
export declare function requestId(now: number): string;
