import { FastResponse } from 'srvx';
import { PROBLEMS, problemBody } from './problems.js';
export const callOf = (event) => event.context.call;
/**
 * An answer whose text and headers are at hand, so that a Node server can send them in one write. A FastResponse
 * takes header pairs as they are, which spares the Headers objects that h3 makes for a plain object with headers.
 */
export class Answer extends FastResponse {
    payload;
    code;
    pairs;
    constructor(text, code, pairs) {
        super(text, { status: code, headers: pairs });
        this.payload = text;
        this.code = code;
        this.pairs = pairs;
    }
}
/** An answer with the headers that all answers carry. */
export function answer(call, body, { status = 200, type = 'application/json', headers = [] } = {}) {
    return new Answer(body, status, [
        ['content-type', type],
        ['x-request-id', call.requestId],
        ['cache-control', 'no-store'],
        ['x-content-type-options', 'nosniff'],
        ...headers,
    ]);
}
export function answerJson(call, body) {
    return answer(call, JSON.stringify(body));
}
/** A problem as an answer; its code goes to the log line. */
export function answerProblem(call, problem) {
    call.line.code = problem.code;
    return answer(call, problemBody(problem, call.requestId), {
        status: problem.status ?? PROBLEMS[problem.code].status,
        type: 'application/problem+json',
        headers: problem.headers,
    });
}
