import { BonafideError } from '../errors.ts';
import type { ErrorCode, ValidationIssue } from '../errors.ts';

interface Kind {
  status: number;
  title: string;
  /** What a caller reads on /problems/<code>: what happened and what to do. */
  help: string;
}

/** Every error that an answer can carry. A code that is not here (a broken disk, say) is answered as internal_error. */
export const PROBLEMS = {
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    help: 'The request is not well-formed HTTP, or its address is not a valid one, or it carries more than one Idempotency-Key; or its headers are larger than 16 KiB (status 431), or it did not arrive in time (408).',
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
    help: 'The key is valid but may not do this: it lacks the scope, or its plan the operation or the feature.',
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
  idempotency_in_progress: {
    status: 409,
    title: 'Being worked on',
    help: 'A request with the same Idempotency-Key is being worked on. Send this one again after the time in Retry-After: it will not be counted twice.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    help: 'A request body has at most 64 KiB, one of records for the graph 4,096 KiB.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    help: 'Send the body as Content-Type: application/json (records for the graph as application/x-ndjson), without a content encoding.',
  },
  invalid_request: {
    status: 422,
    title: 'Invalid request',
    help: 'The list "errors" names every rule that the request breaks, with a JSON Pointer to the place.',
  },
  idempotency_mismatch: {
    status: 422,
    title: 'Another request had this Idempotency-Key',
    help: 'The Idempotency-Key was sent before with another body, path or query. A new request needs a new key; a retry repeats the request as it was.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    help: 'The rate of the key’s plan is reached: wait for the time in Retry-After; the header RateLimit tells what is left. Or too many requests without a valid key came from this address within a minute; a valid key passes all the same.',
  },
  quota_exhausted: {
    status: 429,
    title: 'No call left this month',
    help: 'The plan of this key includes a number of calls a month, all of them are used, and it bills none beyond. The call was not counted. Try again after the time in Retry-After, when the next month begins, or ask for a larger plan.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    help: 'Something failed on our side. The call was not counted. Try again, and report the request id if it stays.',
  },
  store_unavailable: {
    status: 503,
    title: 'The call log cannot be used',
    help: 'Calls cannot be counted at the moment, or keys not be looked up. The call was not counted. Try again after the time in Retry-After.',
  },
  overloaded: {
    status: 503,
    title: 'Too much at once',
    help: 'Too many calls of this key, or in all, are being worked on. The call was not counted. Try again after the time in Retry-After, with fewer at a time.',
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
  graph_circle: {
    status: 508,
    title: 'Servers ask each other’s graphs in a circle',
    help: 'Said by one server to another: the question for its graph came through more than three servers, so it may go round in a circle. Give one of them a graph of its own.',
  },
} satisfies Partial<Record<ErrorCode, Kind>>;

export type ProblemCode = keyof typeof PROBLEMS;

export interface Problem {
  code: ProblemCode;
  detail: string;
  errors?: ValidationIssue[];
  /** Where the same code has a more exact status (408 and 431 of a malformed request). */
  status?: number;
  headers?: [string, string][];
}

/** An error on its way to becoming an answer; thrown by what handles requests. */
export class ProblemError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.code);
    this.problem = problem;
  }
}

export const statusOf = ({ code, status }: Problem): number => status ?? PROBLEMS[code].status;

/** Whether something went wrong on our side. That there is too much at once is said by design, as often as somebody asks for more. */
export const isFailure = (problem: Problem): boolean =>
  statusOf(problem) >= 500 && problem.code !== 'overloaded';

/** The text of a problem's body (RFC 9457), the key order fixed. */
export function problemBody(problem: Problem, requestId: string): string {
  const { code, detail, errors } = problem;
  return JSON.stringify({
    type: `/problems/${code}`,
    title: PROBLEMS[code].title,
    status: statusOf(problem),
    detail,
    code,
    request_id: requestId,
    errors,
  });
}

/** Errors whose sentence was written for the caller. That of any other may hold a path, SQL or a submitted value. */
const FOR_CALLERS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'missing_api_key',
  'invalid_api_key',
  'forbidden',
  'invalid_json',
  'invalid_request',
  'idempotency_in_progress',
  'idempotency_mismatch',
  'rate_limited',
  'quota_exhausted',
  'overloaded',
]);

/** What the files of the store are said to suffer from. A graph's troubles have codes of their own before they come here. */
const STORE_TROUBLES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'disk_full',
  'disk_failed',
  'out_of_memory',
  'database_busy',
  'read_only',
  'damaged_database',
  'foreign_database',
  'unreadable_file',
]);

export const isStoreTrouble = (code: ErrorCode): boolean => STORE_TROUBLES.has(code);

const SAFE_DETAILS: Partial<Record<ErrorCode, string>> = {
  store_unavailable: 'The call could not be counted, or its key not be looked up. It was not counted.',
  graph_bad_response: 'The identity graph answered something that could not be read.',
  graph_unavailable: 'The identity graph cannot answer at the moment.',
  graph_timeout: 'The identity graph did not answer in time.',
  graph_circle: 'The question came through too many servers: they may ask each other in a circle.',
};

const HEADERS: Partial<Record<ErrorCode, [string, string][]>> = {
  missing_api_key: [['www-authenticate', 'Bearer']],
  invalid_api_key: [['www-authenticate', 'Bearer']],
  idempotency_in_progress: [['retry-after', '1']],
  rate_limited: [['retry-after', '60']],
  // Told more exactly where it is thrown.
  quota_exhausted: [['retry-after', '3600']],
  store_unavailable: [['retry-after', '5']],
  overloaded: [['retry-after', '1']],
  graph_unavailable: [['retry-after', '5']],
};

/** The headers that an answer with this code has. */
export const problemHeaders = (code: ErrorCode): [string, string][] => HEADERS[code] ?? [];

/** What a caller may see of anything that was thrown. */
export function toProblem(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  const code = codeOf(error);
  const detail = error instanceof BonafideError && FOR_CALLERS.has(code) ? error.message : SAFE_DETAILS[code];
  if (detail === undefined || !isProblemCode(code))
    return { code: 'internal_error', detail: 'The request could not be completed. It was not counted.' };
  return {
    code,
    detail,
    errors: error instanceof BonafideError ? error.details.issues : undefined,
    headers: retryAfter(error) ?? problemHeaders(code),
  };
}

/** Whole seconds, rounded up: who waits as long as it says is not early. */
function retryAfter(error: unknown): [string, string][] | undefined {
  const ms = error instanceof BonafideError ? error.details.retryAfterMs : undefined;
  return ms === undefined ? undefined : [['retry-after', String(Math.max(1, Math.ceil(ms / 1000)))]];
}

function codeOf(error: unknown): ErrorCode {
  if (!(error instanceof BonafideError)) return 'internal_error';
  return STORE_TROUBLES.has(error.code) ? 'store_unavailable' : error.code;
}

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code);

/** The page that explains a code, or null where there is no such code. */
export function problemPage(code: string): string | null {
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
