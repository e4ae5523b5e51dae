// One call over HTTP, tried again where that can help: with the same Idempotency-Key, so that it counts once however often it was sent.
import { setTimeout as pause } from 'node:timers/promises';
import { ofetch } from 'ofetch';
import { BonafideApiError } from './errors.ts';
import type { ApiErrorCode, ApiIssue } from './errors.ts';

export interface Sending {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  /** A text is sent as it is. */
  body?: object | string;
  /** How often a call is sent again at most. */
  retries: number;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  fetch?: typeof fetch | undefined;
}

/** Where another try may be answered. `quota_exhausted` is not among them: a month is long. */
const PASSING: ReadonlySet<ApiErrorCode> = new Set<ApiErrorCode>([
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
/** Nobody waits longer inside a call; who wants to can read `retryAfterMs`. */
const LONGEST_PAUSE_MS = 30_000;

/** The answer's body. Errors: BonafideApiError. */
export async function send<T>(sending: Sending): Promise<T> {
  sending.signal?.throwIfAborted();
  for (let tries = 0; ; tries++) {
    try {
      return await sendOnce<T>(sending);
    } catch (error) {
      if (!(error instanceof BonafideApiError) || !PASSING.has(error.code) || tries >= sending.retries)
        throw error;
      const wait = error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** tries;
      if (wait > LONGEST_PAUSE_MS || sending.signal?.aborted) throw error;
      await pause(wait, undefined, { signal: sending.signal });
    }
  }
}

async function sendOnce<T>({ url, method, headers, body, timeoutMs, signal, fetch }: Sending): Promise<T> {
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
  const content = parsed(text, response.status);
  if (response.ok) return content as T;
  throw problemOf(content as Problem, response);
}

interface Problem {
  code?: ApiErrorCode;
  detail?: string;
  request_id?: string;
  errors?: ApiIssue[];
}

function problemOf({ code, detail, request_id, errors }: Problem, { status, headers }: Response) {
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

function parsed(text: string, status: number): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new BonafideApiError({ code: 'unreadable_answer', detail: 'The answer is no JSON.', status });
  }
}
