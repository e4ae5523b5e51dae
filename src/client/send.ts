// Sends one call over HTTP with retries. All tries have the same Idempotency-Key, so that the call counts once.
import { setTimeout as pause } from 'node:timers/promises';
import { ofetch } from 'ofetch';
import type { ErrorCode } from '../errors.ts';

/** Error code of the server (see the page Calling the API), or the reason that no answer arrived. */
export type ApiErrorCode = ErrorCode | 'unreachable' | 'timed_out' | 'unreadable_answer';

export interface ApiIssue {
  /** JSON Pointer to the field in the request body. */
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

/** Error of a failed call. Programs should use `code`; the message is for people. */
export class BonafideApiError extends Error {
  readonly code: ApiErrorCode;
  /** HTTP status of the answer; 0 if there was no answer. */
  readonly status: number;
  /** Request id, as in the server's log; undefined without an answer. */
  readonly requestId: string | undefined;
  /** Rules that the request breaks; empty for other codes than `invalid_request`. */
  readonly issues: ApiIssue[];
  /** Time (ms) after which the call may be sent again; undefined if the server gave none. */
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

/** Call to send, with its retry settings. */
export interface SendOptions {
  url: string;
  method: 'GET' | 'POST' | 'DELETE';
  headers: Record<string, string>;
  /** Request body. An object is sent as JSON; a text or bytes as they are. */
  body?: object | string | Uint8Array;
  isJsonLines?: boolean;
  retries: number;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  fetch?: typeof fetch | undefined;
}

/** Codes of temporary errors, after which a call is sent again. `quota_exhausted` may last until the next month. */
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
/** Statuses of a proxy that cannot reach the server for now. Its page has no code of Bonafide. */
const RETRIED_PROXY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);
const FIRST_PAUSE_MS = 200;
/** Maximum pause (ms) between two attempts. If the server asks for a longer pause, the call fails with `retryAfterMs`. */
const MAX_PAUSE_MS = 30_000;

/** Sends a call, with retries after temporary errors. Returns the body of the answer. Errors: BonafideApiError. */
export async function sendWithRetries<T>(options: SendOptions): Promise<T> {
  options.signal?.throwIfAborted();
  for (let tries = 0; ; tries++) {
    try {
      return await sendOnce<T>(options);
    } catch (error) {
      if (!(error instanceof BonafideApiError) || !isTemporary(error) || tries >= options.retries)
        throw error;
      const wait = error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** tries;
      if (wait > MAX_PAUSE_MS || options.signal?.aborted) throw error;
      await pause(wait, undefined, { signal: options.signal });
    }
  }
}

const isTemporary = ({ code, status }: BonafideApiError): boolean =>
  RETRIED_CODES.has(code) || (code === 'unreadable_answer' && RETRIED_PROXY_STATUSES.has(status));

async function sendOnce<T>({
  url,
  method,
  headers,
  body,
  timeoutMs,
  isJsonLines = false,
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
  if (response.ok && isJsonLines) return parseJsonLines(text, response) as T;
  const content = parseJson(text);
  if (response.ok && content !== undefined) return content as T;
  throw toApiError(content, response);
}

/** Body of an error answer. Every member is optional, because a proxy may have written it. */
interface Problem {
  code?: ApiErrorCode;
  detail?: string;
  request_id?: string;
  errors?: ApiIssue[];
}

/** Creates the error of an answer. `content` is its parsed body; undefined if the body is not JSON. */
function toApiError(content: unknown, { status, headers }: Response) {
  const { code, detail, request_id, errors }: Problem = content ?? {};
  return new BonafideApiError({
    code: code ?? 'unreadable_answer',
    detail:
      detail ??
      (content === undefined
        ? 'The answer is no JSON.'
        : `The answer has the status ${status} and is no problem of Bonafide.`),
    status,
    requestId: request_id ?? headers.get('x-request-id') ?? undefined,
    issues: errors,
    retryAfterMs: parseRetryAfter(headers.get('retry-after') ?? '', headers.get('date') ?? ''),
  });
}

/** Returns the pause of a Retry-After header, which is a number of seconds or a date, in milliseconds; undefined if it is neither. */
function parseRetryAfter(value: string, answeredAt: string): number | undefined {
  const ms = value.endsWith('GMT')
    ? Date.parse(value) - Date.parse(answeredAt)
    : Number(value || Number.NaN) * 1000;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function parseJsonLines(text: string, response: Response): unknown[] {
  const values = text.split('\n').flatMap((line) => (line === '' ? [] : [parseJson(line)]));
  if (values.includes(undefined)) throw toApiError(undefined, response);
  return values;
}

/** Parses JSON; undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
