// Responses, and the context of the request that they answer.
import type { H3Event } from 'h3';
import { FastResponse } from 'srvx';
import { formatLimitFields, type LimitPolicy } from '../accounts/limits.ts';
import type { RequestLine } from '../observe/log.ts';
import { traceparentOf } from '../observe/trace/context.ts';
import type { Trace } from '../observe/trace/tracer.ts';
import { toProblemJson, toHttpStatus, type Problem } from './problems.ts';

/** Values of one HTTP request that its handlers, its response and its log line share. */
export interface RequestContext {
  requestId: string;
  /** Arrival in milliseconds since 1970. */
  now: number;
  /** Arrival on the clock of `performance.now()`. */
  started: number;
  line: RequestLine;
  /** Limits of the caller, which the response shows; undefined before authentication. */
  policies?: readonly LimitPolicy[];
  /** Span of the request, if requests are traced. */
  trace?: Trace;
  /** Trace context for requests to other servers: the own span's, else the caller's. */
  traceparent?: string;
}

type Headers = [string, string][];

/** Header of a response about invented people. */
export const TEST_MODE_HEADER: [string, string] = ['bonafide-mode', 'test'];

/** Header of a response to a retry: an earlier call with the same Idempotency-Key was counted, and this one was not. */
export const REPLAYED_HEADER: [string, string] = ['idempotency-replayed', 'true'];

export const getRequestContext = (event: H3Event): RequestContext =>
  event.context.requestContext as RequestContext;

/**
 * A response whose text and headers are in memory, so that a Node server can send them in one write. FastResponse takes pairs of headers, which
 * spares the Headers objects that h3 makes for a plain object with headers.
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

/** Returns a text as response, with the headers of every response. */
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
    ...(context.trace ? [['traceparent', traceparentOf(context.trace)] as [string, string]] : []),
    ...headers,
  ]) as TextResponse & Response;
}

function limitHeaders({ policies }: RequestContext): Headers {
  if (!policies) return NO_HEADERS;
  const { policy, limit } = formatLimitFields(policies);
  return [
    ['ratelimit-policy', policy],
    ['ratelimit', limit],
  ];
}
const NO_HEADERS: Headers = [];

/** Returns an object as JSON response. */
export const createJsonResponse = (context: RequestContext, body: object): Response =>
  createTextResponse(context, JSON.stringify(body));

/**
 * Returns a page as response. Its content security policy allows nothing except `sources`, such as `script-src 'self'`; `restrictions` are added
 * at the end.
 */
export function createHtmlResponse(
  context: RequestContext,
  html: string,
  {
    sources,
    restrictions = [],
    headers = [] as Headers,
  }: {
    sources: string[];
    restrictions?: string[];
    headers?: Headers;
  },
): Response {
  const policy = [
    "default-src 'none'",
    ...sources,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...restrictions,
  ].join('; ');
  return createTextResponse(context, html, {
    type: 'text/html; charset=utf-8',
    headers: [['content-security-policy', policy], ['referrer-policy', 'no-referrer'], ...headers],
  });
}

/** Returns a problem as response, and puts its code in the log line. */
export function createProblemResponse(context: RequestContext, problem: Problem): Response {
  context.line.code = problem.code;
  return createTextResponse(context, toProblemJson(problem, context.requestId), {
    status: toHttpStatus(problem),
    type: 'application/problem+json',
    headers: problem.headers,
  });
}
