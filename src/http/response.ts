import type { H3Event } from 'h3';
import { FastResponse } from 'srvx';
import { formatRateLimitHeaders, type LimitPolicy } from '../accounts/limits.ts';
import type { Refusal } from '../accounts/model.ts';
import type { VerdictWord } from '../model.ts';
import type { RequestLogLine } from '../observe/log.ts';
import { formatTraceparent, type RequestTrace } from '../observe/trace/tracer.ts';
import { toProblemJson, toHttpStatus, type Problem } from './problems.ts';

/** Values that the handler, the response and the log line of one HTTP request share. */
export interface RequestContext {
  requestId: string;
  /** Time at which the request arrived, in milliseconds since 1970. */
  now: number;
  /** Time at which the request arrived, by `performance.now()`. */
  started: number;
  line: RequestLogLine;
  /** Verdict word of the check that this request made; undefined until the check has ended. */
  verdict?: VerdictWord;
  /** Limits of the caller, which the headers of the response show; undefined before authentication. */
  policies?: readonly LimitPolicy[];
  /** Caller of the request, and the SHA-256 of a rejected key; null parts are unknown. See `recordRefusalInContext`. */
  sender?: { key: string | null; account: string | null; test: boolean; keyHash: Uint8Array | null };
  /** Problem with which the call was refused; undefined if it was not refused. */
  refusal?: Pick<Refusal, 'status' | 'code' | 'rule'>;
  trace?: RequestTrace;
  /** Value of the header `traceparent` for requests to other servers: from the span of this request, else as the caller sent it. */
  traceparent?: string;
}

type Headers = [string, string][];

/** Response header that marks an answer to a test key: it is about invented people. */
export const TEST_MODE_HEADER: [string, string] = ['bonafide-mode', 'test'];

/** Response header of a retry: an earlier call with the same Idempotency-Key was counted, and this call was not. */
export const IDEMPOTENCY_REPLAYED_HEADER: [string, string] = ['idempotency-replayed', 'true'];

/** Header with the revision of the graph: in answers to a feed, and in check requests that must include this revision. */
export const REVISION_HEADER = 'bonafide-revision';

/** Returns the response header with the verdict word; no header if the request made no check. */
export const getVerdictHeader = ({ verdict }: RequestContext): Headers =>
  verdict === undefined ? [] : [['bonafide-verdict', verdict]];

export const getRequestContext = (event: H3Event): RequestContext =>
  event.context.requestContext as RequestContext;

/**
 * HTTP response whose text and headers are in memory, so that the server can send both in one write. Header pairs are faster than a plain
 * object, for which h3 makes Headers objects.
 */
export class TextResponse extends FastResponse {
  readonly payload: string;
  readonly code: number;
  readonly pairs: Headers;

  constructor(text: string, code: number, pairs: Headers) {
    super(text, { status: code, headers: pairs });
    this.payload = text;
    this.code = code;
    this.pairs = pairs;
  }
}

/** Returns a text as response. Adds the headers that every response has. */
export function createTextResponse(
  context: RequestContext,
  body: string,
  { status = 200, type = 'application/json', headers = [] as Headers } = {},
) {
  return new TextResponse(body, status, [
    ['content-type', type],
    ['x-request-id', context.requestId],
    ['cache-control', 'no-store'],
    ['x-content-type-options', 'nosniff'],
    ...limitHeaders(context),
    ...(context.trace ? [['traceparent', formatTraceparent(context.trace)] as [string, string]] : []),
    ...headers,
  ]) as TextResponse & Response;
}

/**
 * Returns a text as a response, compressed if the client accepts gzip. It is a plain Response, because a TextResponse sends its text
 * uncompressed in one write.
 */
export function createCompressedResponse(
  context: RequestContext,
  { text, gzipped }: { text: string; gzipped: Uint8Array<ArrayBuffer> },
  accepted: string | null,
): Response {
  const vary: [string, string] = ['vary', 'Accept-Encoding'];
  const plain = createTextResponse(context, text, { headers: [vary] });
  const codings = (accepted ?? '').split(',').map((coding) => coding.trim().toLowerCase());
  if (!codings.includes('gzip')) return plain;
  const headers = [...plain.pairs, ['content-encoding', 'gzip'] as [string, string]];
  return new Response(gzipped, { status: plain.code, headers });
}

function limitHeaders({ policies }: RequestContext): Headers {
  if (!policies) return NO_HEADERS;
  const { policy, limit } = formatRateLimitHeaders(policies);
  return [
    ['ratelimit-policy', policy],
    ['ratelimit', limit],
  ];
}
const NO_HEADERS: Headers = [];

export const createJsonResponse = (context: RequestContext, body: object): Response =>
  createTextResponse(context, JSON.stringify(body));

/**
 * Returns an HTML page as response. Its content security policy allows only `sources`, such as `script-src 'self'`; `restrictions` are
 * added to the policy.
 */
export function createHtmlResponse(
  context: RequestContext,
  html: string,
  {
    sources,
    restrictions = [],
    formAction = "'none'",
    headers = [] as Headers,
  }: {
    sources: string[];
    restrictions?: string[];
    /** Addresses that forms of the page may be sent to, as the policy lists them. */
    formAction?: string;
    headers?: Headers;
  },
): Response {
  const policy = [
    "default-src 'none'",
    ...sources,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
    ...restrictions,
  ].join('; ');
  return createTextResponse(context, html, {
    type: 'text/html; charset=utf-8',
    headers: [['content-security-policy', policy], ['referrer-policy', 'no-referrer'], ...headers],
  });
}

/** Returns a problem as response, and adds its code to the log line of the request. */
export function createProblemResponse(context: RequestContext, problem: Problem): Response {
  context.line.code = problem.code;
  return createTextResponse(context, toProblemJson(problem, context.requestId), {
    status: toHttpStatus(problem),
    type: 'application/problem+json',
    headers: problem.headers,
  });
}
