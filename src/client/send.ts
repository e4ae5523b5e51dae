// One call over HTTP with retries. Every try has the same Idempotency-Key, so that the call counts once however often it was sent.
import { setTimeout as pause } from 'node:timers/promises';
import { ofetch } from 'ofetch';
import type { ErrorCode } from '../errors.ts';

/** Error code of the server (see the page Calling the API), or why the client got no answer. */
export type ApiErrorCode = ErrorCode | 'unreachable' | 'timed_out' | 'unreadable_answer';

/** One rule that a request breaks. */
export interface ApiIssue {
  /** JSON Pointer into the body as it was sent. */
  pointer: string;
  code: string;
  detail: string;
}

interface ApiErrorFields {
  code: ApiErrorCode;
  detail: string;
  status?: number;
  requestId?: string | undefined;
  issues?: ApiIssue[] | undefined;
  retryAfterMs?: number | undefined;
}

/** Error of a call that failed. Decide by `code`; the message is for people. */
export class BonafideApiError extends Error {
  readonly code: ApiErrorCode;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** Request id, which the log of the server has too. */
  readonly requestId: string | undefined;
  /** Every rule that the request breaks, with the code `invalid_request`. */
  readonly issues: ApiIssue[];
  /** Time in milliseconds after which the server can be asked again. */
  readonly retryAfterMs: number | undefined;

  constructor({ code, detail, status = 0, requestId, issues = [], retryAfterMs }: ApiErrorFields) {
    super(`${code}: ${detail}`);
    this.name = 'BonafideApiError';
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.issues = issues;
    this.retryAfterMs = retryAfterMs;
  }
}

/** One call with its retries. */
export interface SendOptions {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  /** An object is sent as JSON, a text as it is. */
  body?: object | string;
  /** Greatest number of retries. */
  retries: number;
  /** Time limit of one try. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  fetch?: typeof fetch | undefined;
}

/** Codes of errors that may pass. `quota_exhausted` is not one of them: a month is long. */
const RETRIED_CODES: ReadonlySet<ApiErrorCode> = new Set<ApiErrorCode>([
  'unreachable',
  'timed_out',
  'rate_limited',
  'overloaded',
  'store_unavailable',
  'graph_unavailable',
  'graph_timeout',
  'graph_bad_response',
  'idempotency_in_progress',
]);
const FIRST_PAUSE_MS = 200;
/** Longest pause inside a call. A caller that can wait longer reads `retryAfterMs`. */
const MAX_PAUSE_MS = 30_000;

/** Sends a call until it succeeds or its retries are used up, and returns the body of the answer. Errors: BonafideApiError. */
export async function sendWithRetries<T>(options: SendOptions): Promise<T> {
  options.signal?.throwIfAborted();
  for (let tries = 0; ; tries++) {
    try {
      return await sendOnce<T>(options);
    } catch (error) {
      if (!(error instanceof BonafideApiError) || !RETRIED_CODES.has(error.code) || tries >= options.retries)
        throw error;
      const wait = error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** tries;
      if (wait > MAX_PAUSE_MS || options.signal?.aborted) throw error;
      await pause(wait, undefined, { signal: options.signal });
    }
  }
}

async function sendOnce<T>({
  url,
  method,
  headers,
  body,
  timeoutMs,
  signal,
  fetch,
}: SendOptions): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const request = ofetch.create({}, fetch ? { fetch } : {}).raw<string, 'text'>(url, {
    method,
    headers,
    body: body ?? null,
    responseType: 'text',
    ignoreResponseError: true,
    retry: false,
    redirect: 'error',
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
  const response = await request.catch(() => {
    signal?.throwIfAborted();
    if (timeout.aborted) throw new BonafideApiError({ code: 'timed_out', detail: 'No answer came in time.' });
    throw new BonafideApiError({ code: 'unreachable', detail: `${new URL(url).origin} cannot be reached.` });
  });
  const { _data: text = '' } = response;
  const content = parseJson(text, response.status);
  if (response.ok) return content as T;
  throw toApiError(content as Problem, response);
}

/** Body of an error answer; a foreign server may answer anything. */
interface Problem {
  code?: ApiErrorCode;
  detail?: string;
  request_id?: string;
  errors?: ApiIssue[];
}

function toApiError({ code, detail, request_id, errors }: Problem, { status, headers }: Response) {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new BonafideApiError({
    code: code ?? 'unreadable_answer',
    detail: detail ?? `The answer has the status ${status} and is no problem of Bonafide.`,
    status,
    requestId: request_id ?? headers.get('x-request-id') ?? undefined,
    issues: errors,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : undefined,
  });
}

function parseJson(text: string, status: number): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new BonafideApiError({ code: 'unreadable_answer', detail: 'The answer is no JSON.', status });
  }
}
