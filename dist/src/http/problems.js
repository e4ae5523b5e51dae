import { BonafideError } from '../errors.js';
/** Every error that an answer can carry. A code that is not here (a broken disk, say) is answered as internal_error. */
export const PROBLEMS = {
    malformed_request: {
        status: 400,
        title: 'Malformed request',
        help: 'The request is not well-formed HTTP, or its address is not a valid one.',
    },
    invalid_json: {
        status: 400,
        title: 'Not a JSON object',
        help: 'The body must be one JSON object in UTF-8, as described for POST /v1/validate.',
    },
    missing_api_key: {
        status: 401,
        title: 'No API key',
        help: 'Send the key with every request, as X-API-Key: KEY or as Authorization: Bearer KEY.',
    },
    invalid_api_key: {
        status: 401,
        title: 'Invalid API key',
        help: 'The key is mistyped, unknown, revoked or expired, or two headers carry different keys.',
    },
    forbidden: {
        status: 403,
        title: 'Not allowed',
        help: 'The key is valid but lacks the scope that this operation needs.',
    },
    not_found: {
        status: 404,
        title: 'Not found',
        help: 'Nothing is at this address, or it belongs to another key.',
    },
    method_not_allowed: {
        status: 405,
        title: 'Method not allowed',
        help: 'The Allow header of the answer lists the methods of this address.',
    },
    body_too_large: {
        status: 413,
        title: 'Body too large',
        help: 'A request body has at most 64 KiB.',
    },
    unsupported_media_type: {
        status: 415,
        title: 'Unsupported media type',
        help: 'Send the body as Content-Type: application/json, without a content encoding.',
    },
    invalid_request: {
        status: 422,
        title: 'Invalid request',
        help: 'The list "errors" names every rule that the request breaks, with a JSON Pointer to the place.',
    },
    internal_error: {
        status: 500,
        title: 'Internal error',
        help: 'Something failed on our side. The call was not counted. Try again, and report the request id if it stays.',
    },
    graph_bad_response: {
        status: 502,
        title: 'The identity graph gave no usable answer',
        help: 'The call was not counted. Try again later.',
    },
    graph_unavailable: {
        status: 503,
        title: 'The identity graph is unavailable',
        help: 'The call was not counted. Try again after the time in Retry-After.',
    },
    graph_timeout: {
        status: 504,
        title: 'The identity graph took too long',
        help: 'The call was not counted. Try again later.',
    },
};
/** An error on its way to becoming an answer; thrown by what handles requests. */
export class ProblemError extends Error {
    problem;
    constructor(problem) {
        super(problem.code);
        this.problem = problem;
    }
}
/** The text of a problem's body (RFC 9457), the key order fixed. */
export function problemBody({ code, detail, errors, status }, requestId) {
    const { title, status: usual } = PROBLEMS[code];
    return JSON.stringify({
        type: `/problems/${code}`,
        title,
        status: status ?? usual,
        detail,
        code,
        request_id: requestId,
        errors,
    });
}
const SAFE_DETAILS = {
    graph_bad_response: 'The identity graph answered something that could not be read.',
    graph_unavailable: 'The identity graph cannot answer at the moment.',
    graph_timeout: 'The identity graph did not answer in time.',
};
/**
 * What a caller may see of anything that was thrown. Only problems that we worded ourselves keep their sentence:
 * the message of any other error may hold a path, SQL or a submitted value.
 */
export function toProblem(error) {
    if (error instanceof ProblemError)
        return error.problem;
    const code = error instanceof BonafideError ? error.code : 'internal_error';
    const detail = SAFE_DETAILS[code];
    if (!detail)
        return { code: 'internal_error', detail: 'The request could not be completed. It was not counted.' };
    const headers = code === 'graph_unavailable' ? [['retry-after', '5']] : [];
    return { code: code, detail, headers };
}
/** The page that explains a code, or null where there is no such code. */
export function problemPage(code) {
    if (!Object.hasOwn(PROBLEMS, code))
        return null;
    const { title, status, help } = PROBLEMS[code];
    return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem}</style>
<h1>${title}</h1><p><code>${code}</code>, HTTP status ${status}</p><p>${help.replaceAll('"', '&quot;')}</p>
</html>
`;
}
