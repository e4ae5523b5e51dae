/** One broken rule of a request. `pointer` is a JSON Pointer into the body as it was sent. */
export interface Issue {
    pointer: string;
    code: string;
    detail: string;
}
/** Every error that an answer can carry. A code that is not here (a broken disk, say) is answered as internal_error. */
export declare const PROBLEMS: {
    malformed_request: {
        status: number;
        title: string;
        help: string;
    };
    invalid_json: {
        status: number;
        title: string;
        help: string;
    };
    missing_api_key: {
        status: number;
        title: string;
        help: string;
    };
    invalid_api_key: {
        status: number;
        title: string;
        help: string;
    };
    forbidden: {
        status: number;
        title: string;
        help: string;
    };
    not_found: {
        status: number;
        title: string;
        help: string;
    };
    method_not_allowed: {
        status: number;
        title: string;
        help: string;
    };
    body_too_large: {
        status: number;
        title: string;
        help: string;
    };
    unsupported_media_type: {
        status: number;
        title: string;
        help: string;
    };
    invalid_request: {
        status: number;
        title: string;
        help: string;
    };
    internal_error: {
        status: number;
        title: string;
        help: string;
    };
    graph_bad_response: {
        status: number;
        title: string;
        help: string;
    };
    graph_unavailable: {
        status: number;
        title: string;
        help: string;
    };
    graph_timeout: {
        status: number;
        title: string;
        help: string;
    };
};
export type ProblemCode = keyof typeof PROBLEMS;
export interface Problem {
    code: ProblemCode;
    detail: string;
    errors?: Issue[];
    /** Where the same code has a more exact status (408 and 431 of a malformed request). */
    status?: number;
    headers?: [string, string][];
}
/** An error on its way to becoming an answer; thrown by what handles requests. */
export declare class ProblemError extends Error {
    readonly problem: Problem;
    constructor(problem: Problem);
}
/** The text of a problem's body (RFC 9457), the key order fixed. */
export declare function problemBody({ code, detail, errors, status }: Problem, requestId: string): string;
/**
 * What a caller may see of anything that was thrown. Only problems that we worded ourselves keep their sentence:
 * the message of any other error may hold a path, SQL or a submitted value.
 */
export declare function toProblem(error: unknown): Problem;
/** The page that explains a code, or null where there is no such code. */
export declare function problemPage(code: string): string | null;
