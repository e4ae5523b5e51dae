import type { H3Event } from 'h3';
import { FastResponse } from 'srvx';
import { formatLimitFields, type LimitPolicy } from '../accounts/limits.ts';
import type { RequestLine } from '../observe/log.ts';
import { traceparentOf } from '../observe/trace/context.ts';
import type { Trace } from '../observe/trace/tracer.ts';
import { problemBody, statusOf, type Problem } from './problems.ts';

/** One HTTP request while it is served: what every answer and the log line need. */
export interface RequestContext {
  requestId: string;
  /** When it arrived: milliseconds since 1970, and on the clock that measures durations. */
  now: number;
  started: number;
  line: RequestLine;
  /** What the answer tells of the caller's limits; not there where nobody was authenticated. */
  policies?: readonly LimitPolicy[];
  /** Where requests are traced. */
  trace?: Trace;
  /** Trace context for whoever is asked for this request: its own span's, else the caller's as it came. */
  traceparent?: string;
}

type Headers = [string, string][];

/** Header of an answer about invented people. */
export const TEST_MODE: [string, string] = ['bonafide-mode', 'test'];

/** Header of an answer to a retry: an earlier call with its Idempotency-Key was counted, and this one was not. */
export const REPLAYED: [string, string] = ['idempotency-replayed', 'true'];

export const contextOf = (event: H3Event): RequestContext => event.context.exchange as RequestContext;

/**
 * An answer whose text and headers are at hand, so that a Node server can send them in one write. A FastResponse
 * takes header pairs as they are, which spares the Headers objects that h3 makes for a plain object with headers.
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

/** An answer with the headers that all answers carry. */
export function textResponse(
  exchange: RequestContext,
  body: string,
  { status = 200, type = 'application/json', headers = [] as Headers } = {},
) {
  return new TextResponse(body, status, [
    ['content-type', type],
    ['x-request-id', exchange.requestId],
    ['cache-control', 'no-store'],
    ['x-content-type-options', 'nosniff'],
    ...limitHeaders(exchange),
    ...(exchange.trace ? [['traceparent', traceparentOf(exchange.trace)] as [string, string]] : []),
    ...headers,
  ]) as TextResponse & Response;
}

function limitHeaders({ policies }: RequestContext): Headers {
  if (!policies) return NONE;
  const { policy, limit } = formatLimitFields(policies);
  return [
    ['ratelimit-policy', policy],
    ['ratelimit', limit],
  ];
}
const NONE: Headers = [];

export function jsonResponse(exchange: RequestContext, body: object): Response {
  return textResponse(exchange, JSON.stringify(body));
}

/** A problem as an answer; its code goes to the log line. */
export function problemResponse(exchange: RequestContext, problem: Problem): Response {
  exchange.line.code = problem.code;
  return textResponse(exchange, problemBody(problem, exchange.requestId), {
    status: statusOf(problem),
    type: 'application/problem+json',
    headers: problem.headers,
  });
}
