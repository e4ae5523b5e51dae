import type { H3Event } from 'h3';
import { FastResponse } from 'srvx';
import type { RequestLine } from '../observe/log.ts';
import type { Problem } from './problems.ts';
/** One HTTP request while it is served: what every answer and the log line need. */
export interface Call {
    requestId: string;
    /** When it arrived: milliseconds since 1970, and on the clock that measures durations. */
    now: number;
    started: number;
    line: RequestLine;
}
type Headers = [string, string][];
export declare const callOf: (event: H3Event) => Call;
/**
 * An answer whose text and headers are at hand, so that a Node server can send them in one write. A FastResponse
 * takes header pairs as they are, which spares the Headers objects that h3 makes for a plain object with headers.
 */
export declare class Answer extends FastResponse {
    readonly payload: string;
    readonly code: number;
    readonly pairs: Headers;
    constructor(text: string, code: number, pairs: Headers);
}
/** An answer with the headers that all answers carry. */
export declare function answer(call: Call, body: string, { status, type, headers }?: {
    headers?: Headers | undefined;
    status?: number | undefined;
    type?: string | undefined;
}): Answer & Response;
export declare function answerJson(call: Call, body: object): Response;
/** A problem as an answer; its code goes to the log line. */
export declare function answerProblem(call: Call, problem: Problem): Response;
export {};
