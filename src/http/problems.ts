// Table of the problems (RFC 9457) that the server can answer, and the conversion of errors to problems.
import { BonafideError, type ErrorCode, type ValidationIssue } from '../errors.ts';

type Headers = [string, string][];

interface ProblemKind {
  status: number;
  title: string;
  /** Text of the page /problems/CODE: the cause of the error, and the solution. */
  help: string;
  /** True if callers may see the message of an error with this code. Other messages may contain a path, SQL or a submitted value. */
  showsMessage?: true;
  /** Sentence that callers see instead of the message of an error with this code. */
  detail?: string;
  headers?: Headers;
}

const CHALLENGE: Headers = [['www-authenticate', 'Bearer']];
const retryAfter = (seconds: number): Headers => [['retry-after', String(seconds)]];

/** All problems that the server can answer, by error code. An error with any other code is answered as `internal_error`. */
export const PROBLEMS = {
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    help: 'The request is not valid HTTP, its address is not valid, or it has more than one Idempotency-Key. With status 431: the headers are larger than 16 KiB. With status 408: the request did not arrive in time.',
  },
  invalid_json: {
    status: 400,
    title: 'Not a JSON object',
    help: 'The body must be one JSON object in UTF-8, as described for POST /v1/validate.',
    showsMessage: true,
  },
  missing_api_key: {
    status: 401,
    title: 'Missing API key',
    help: 'Send the key with every request, as X-API-Key: KEY or as Authorization: Bearer KEY.',
    showsMessage: true,
    headers: CHALLENGE,
  },
  invalid_api_key: {
    status: 401,
    title: 'Invalid API key',
    help: 'The key is mistyped, unknown, revoked or expired, or two headers of the request have different keys.',
    showsMessage: true,
    headers: CHALLENGE,
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    help: 'The key is valid, but it does not have the required scope, or its plan does not include the operation or the feature.',
    showsMessage: true,
  },
  watches_off: {
    status: 403,
    title: 'Watches are off',
    help: 'This server keeps no watches. Its operator turns them on with the setting `watches: true`; see the page watches.',
    showsMessage: true,
  },
  watch_limit: {
    status: 409,
    title: 'Too many watches',
    help: 'The account has as many watches as its plan allows. Delete watches that are no longer needed with DELETE /v1/watches/:id, or ask for a larger plan. The call was not counted.',
    showsMessage: true,
  },
  not_found: {
    status: 404,
    title: 'Not found',
    help: 'This address does not exist, or what it names belongs to another key.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    help: 'This address does not support the method of the request. The header Allow of the answer lists the methods that it supports.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'Request in progress',
    help: 'Another request with the same Idempotency-Key is being processed. Send this request again after the time in Retry-After; it will not be counted twice.',
    showsMessage: true,
    headers: retryAfter(1),
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    help: 'A JSON body may have 64 KiB. A body of records for the graph may have 4,096 KiB, a job 16,384 KiB.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    help: 'Send the body as Content-Type: application/json (records for the graph as application/x-ndjson; a file of a job as text/csv, application/x-ndjson or application/octet-stream), without a content encoding.',
  },
  invalid_request: {
    status: 422,
    title: 'Invalid request',
    help: 'The list "errors" names every rule that the request breaks, each with a JSON Pointer to the field.',
    showsMessage: true,
  },
  idempotency_mismatch: {
    status: 422,
    title: 'Idempotency-Key used for another request',
    help: 'The same Idempotency-Key was sent before with another body, path or query. Send a new request with a new key, or repeat the earlier request without changes.',
    showsMessage: true,
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    help: 'The rate limit of the key’s plan is reached. Wait for the time in Retry-After; the header RateLimit shows how many calls are left. Or this client address sent too many requests without a valid key within a minute; requests with a valid key are still answered. Or too many requests of this key or address were refused (401, 403, 413, 422, 429): correct the requests.',
    showsMessage: true,
    headers: retryAfter(60),
  },
  quota_exhausted: {
    status: 429,
    title: 'Monthly quota exhausted',
    help: 'All calls that the plan of this key includes in a month are used, and the plan allows no additional calls. The call was not counted. Try again after the time in Retry-After, when the next month begins, or ask for a larger plan.',
    showsMessage: true,
    headers: retryAfter(3600),
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    help: 'The server failed. The call was not counted, unless the answer says that it may have been counted. Try again; if the error remains, report the request id.',
  },
  store_unavailable: {
    status: 503,
    title: 'The store is unavailable',
    help: 'The server cannot look up keys or count calls at the moment. The call was not counted, unless the answer says that it may have been counted. Try again after the time in Retry-After, with the same Idempotency-Key.',
    detail: 'The server cannot look up keys or count calls at the moment. The call was not counted.',
    headers: retryAfter(5),
  },
  overloaded: {
    status: 503,
    title: 'Too many calls at once',
    help: 'Too many calls of this key, or of all keys, are being processed. The call was not counted, unless the answer says that it may have been counted. Try again after the time in Retry-After, with fewer calls at the same time.',
    showsMessage: true,
    headers: retryAfter(1),
  },
  graph_bad_response: {
    status: 502,
    title: 'Unreadable answer of the identity graph',
    help: 'The call was not counted. Try again later.',
    detail: 'The answer of the identity graph could not be read.',
  },
  graph_unavailable: {
    status: 503,
    title: 'The identity graph is unavailable',
    help: 'The call was not counted. Try again after the time in Retry-After.',
    detail: 'The identity graph cannot answer at the moment.',
    headers: retryAfter(5),
  },
  graph_timeout: {
    status: 504,
    title: 'The identity graph took too long',
    help: 'The call was not counted. Try again later.',
    detail: 'The identity graph did not answer in time.',
  },
  graph_circle: {
    status: 508,
    title: 'Servers query each other in a circle',
    help: 'A server answers this to another server: the query for its graph passed through more than three servers, so the servers probably query each other in a circle. Give one of these servers a graph of its own.',
    detail: 'The query passed through too many servers. Probably the servers query each other in a circle.',
  },
} satisfies Partial<Record<ErrorCode, ProblemKind>>;

export type ProblemCode = keyof typeof PROBLEMS;

const getProblemKind = (code: ProblemCode): ProblemKind => PROBLEMS[code];
const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code);

export const getProblemHeaders = (code: ProblemCode): Headers => getProblemKind(code).headers ?? [];

/** Problem details (RFC 9457) of the answer to a failed request. */
export interface Problem {
  code: ProblemCode;
  detail: string;
  errors?: ValidationIssue[];
  /** HTTP status that replaces the usual status of the code, such as 408 or 431 for a malformed request. */
  status?: number;
  headers?: Headers;
}

export class ProblemError extends Error {
  readonly problem: Problem;
  /** @param cause the error of which the caller sees only the problem; the log has its message */
  constructor(problem: Problem, cause?: BonafideError) {
    super(problem.code, { cause });
    this.problem = problem;
  }
}

export const createNotFoundProblemError = (detail = 'This address does not exist.'): ProblemError =>
  new ProblemError({ code: 'not_found', detail });

export const toHttpStatus = ({ code, status }: Problem): number => status ?? PROBLEMS[code].status;

/** True if a problem is the server's fault. `overloaded` is not: the server limits its load on purpose. */
export const isServerFailure = (problem: Problem): boolean =>
  toHttpStatus(problem) >= 500 && problem.code !== 'overloaded';

export function toProblemJsonText(problem: Problem, requestId: string): string {
  const { code, detail, errors } = problem;
  return JSON.stringify({
    type: `/problems/${code}`,
    title: PROBLEMS[code].title,
    status: toHttpStatus(problem),
    detail,
    code,
    request_id: requestId,
    errors,
  });
}

/** Error codes for an unusable file of the store. Graph files have other codes. */
const STORE_FILE_ERRORS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'disk_full',
  'disk_failed',
  'out_of_memory',
  'database_busy',
  'read_only',
  'damaged_database',
  'foreign_database',
  'unreadable_file',
]);

export const isStoreFileErrorCode = (code: ErrorCode): boolean => STORE_FILE_ERRORS.has(code);

/** Facts about a failed request that its problem depends on. */
export interface FailedRequest {
  /** True if the call was counted against the quota before the error. */
  isCounted?: boolean | undefined;
  /** True if the request had an Idempotency-Key. */
  hasIdempotencyKey?: boolean;
}

/** Converts a thrown error to the problem that the caller gets. It contains only text that callers may see. */
export function toProblem(error: unknown, { isCounted, hasIdempotencyKey }: FailedRequest = {}): Problem {
  const problem = toProblemOfUncountedCall(error);
  const mayBeCounted = isCounted || (error instanceof BonafideError && error.details.mayBeCounted === true);
  if (!mayBeCounted || toHttpStatus(problem) < 500) return problem;
  return { ...problem, detail: `${MAY_BE_COUNTED} ${hasIdempotencyKey ? REPEAT_WITH_KEY : LOOK_UP_FIRST}` };
}

const MAY_BE_COUNTED = 'The server failed after it began to count the call. The call may have been counted.';
const REPEAT_WITH_KEY = 'Send it again with the same Idempotency-Key, so that it is counted once.';
const LOOK_UP_FIRST =
  'The request had no Idempotency-Key, so a repeat may be counted a second time. Look the call up first: GET /v1/requests/ID, with the request_id of this answer.';

function toProblemOfUncountedCall(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  if (!(error instanceof BonafideError)) return INTERNAL;
  const code = isStoreFileErrorCode(error.code) ? 'store_unavailable' : error.code;
  if (!isProblemCode(code)) return INTERNAL;
  const { showsMessage, detail = showsMessage && error.message } = getProblemKind(code);
  if (detail === undefined) return INTERNAL;
  const { issues, retryAfterMs } = error.details;
  // Rounded up to whole seconds, so that a client that waits exactly this long does not come too early.
  const headers =
    retryAfterMs === undefined
      ? getProblemHeaders(code)
      : retryAfter(Math.max(1, Math.ceil(retryAfterMs / 1000)));
  return { code, detail, errors: issues, headers };
}

const INTERNAL: Problem = {
  code: 'internal_error',
  detail: 'The request could not be completed. It was not counted.',
};

export function renderProblemPage(code: string): string | null {
  if (!isProblemCode(code)) return null;
  const { title, status, help } = PROBLEMS[code];
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem}</style>
<h1>${title}</h1><p><code>${code}</code>, HTTP status ${status}</p><p>${help.replaceAll('"', '&quot;')}</p>
</html>
`;
}
