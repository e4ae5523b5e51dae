import { readFileSync, statSync } from 'node:fs';
import type { H3Event } from 'h3';
import { FastResponse } from 'srvx';
import { formatRateLimitHeaders, type LimitPolicy } from '../accounts/limits.ts';
import type { Refusal } from '../accounts/model.ts';
import type { VerdictWord } from '../model.ts';
import type { RequestLogLine } from '../observe/log.ts';
import { formatTraceparent, type RequestTrace } from '../observe/trace/tracer.ts';
import { toProblemJsonText, toHttpStatus, type FailedRequest, type Problem } from './problems.ts';

/** Values that the handler, the response and the log line of one HTTP request share. */
export interface RequestContext {
  requestId: string;
  /** Time at which the request arrived, in milliseconds since 1970. */
  now: number;
  /** Time at which the request arrived, in milliseconds by `performance.now()`. */
  started: number;
  line: RequestLogLine;
  /** Verdict word of the check that this request made; undefined until the check has ended. */
  verdict?: VerdictWord;
  /** True if a call of this request was counted against the quota. */
  isCounted?: boolean;
  /** Limits of the caller, for the response headers; undefined before authentication. */
  policies?: readonly LimitPolicy[];
  /** Caller of the request, for the log of refused calls. `keyHash` is the SHA-256 of a rejected API key. Unknown members are null. */
  sender?: { key: string | null; account: string | null; test: boolean; keyHash: Uint8Array | null };
  /** Problem with which the call was refused; undefined if it was not refused. */
  refusal?: Pick<Refusal, 'status' | 'code' | 'rule'>;
  /** Number of refused requests that `refusal` counts as. */
  refusals?: number | undefined;
  trace?: RequestTrace;
  /** Header `Vary` of an error answer to this request; undefined if the answer depends on no header of the request. */
  vary?: [string, string];
  /** Value of the header `traceparent` for requests to other servers: from this request's span, or as the caller sent it. */
  traceparent?: string;
}

type Headers = [string, string][];

/** Returns the facts about a failed request that decide which problem is its answer. */
export const toFailedRequest = (event: H3Event): FailedRequest => ({
  isCounted: getRequestContext(event).isCounted,
  hasIdempotencyKey: event.req.headers.has('idempotency-key'),
});

/** Response header for answers to a test key, which are about invented people. */
export const TEST_MODE_HEADER_PAIR: [string, string] = ['bonafide-mode', 'test'];

/** Response header for a retry, which is not counted because an earlier call with the same Idempotency-Key was. */
export const IDEMPOTENCY_REPLAYED_HEADER_PAIR: [string, string] = ['idempotency-replayed', 'true'];

/**
 * Name of the header with a graph revision. The response to added records has the new revision; a check request names the lowest revision that it
 * accepts.
 */
export const GRAPH_REVISION_HEADER = 'bonafide-revision';

/** Returns the response header with the verdict word; no header if the request was no check. */
export const getVerdictHeaderPairs = ({ verdict }: RequestContext): Headers =>
  verdict === undefined ? [] : [['bonafide-verdict', verdict]];

export const getRequestContext = (event: H3Event): RequestContext =>
  event.context.requestContext as RequestContext;

/** Body of an answer. Bytes are not copied for each answer, so large texts that do not change are bytes. */
type Payload = string | Buffer<ArrayBuffer>;

/**
 * HTTP response with body and headers in memory, so that both are sent in one write. Header pairs are faster here than a Headers object.
 */
export class TextResponse extends FastResponse {
  readonly payload: Payload;
  readonly code: number;
  readonly pairs: Headers;

  constructor(payload: Payload, code: number, pairs: Headers) {
    super(payload, { status: code, headers: pairs });
    this.payload = payload;
    this.code = code;
    this.pairs = pairs;
  }
}

/** Creates the headers that every response has. */
export const createCommonHeaders = (type: string, requestId: string): Headers => [
  ['content-type', type],
  ['x-request-id', requestId],
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
];

/** Creates a response from a text, with the headers that every response has. */
export function createTextResponse(
  context: RequestContext,
  body: Payload,
  { status = 200, type = 'application/json', headers = [] as Headers } = {},
) {
  return new TextResponse(body, status, [
    ...createCommonHeaders(type, context.requestId),
    ...limitHeaders(context),
    ...(context.trace ? [['traceparent', formatTraceparent(context.trace)] as [string, string]] : []),
    ...headers,
  ]) as TextResponse & Response;
}

/** Creates a response from a text, compressed if the client accepts gzip. */
export function createResponseGzippedIfAccepted(
  context: RequestContext,
  { plain, gzipped }: { plain: Buffer<ArrayBuffer>; gzipped: Buffer<ArrayBuffer> },
  accepted: string | null,
): Response {
  const vary: [string, string] = ['vary', 'Accept-Encoding'];
  const codings = (accepted ?? '').split(',').map((coding) => coding.trim().toLowerCase());
  if (!codings.includes('gzip')) return createTextResponse(context, plain, { headers: [vary] });
  return createTextResponse(context, gzipped, { headers: [vary, ['content-encoding', 'gzip']] });
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
 * Creates a response from an HTML page. Its content security policy allows only `sources`, such as `script-src 'self'`, and contains
 * `restrictions`.
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
    /** Addresses that the forms of the page may be sent to, as written in the policy. */
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

/** Creates a response from a problem, and adds its code to the request's log line. */
export function createProblemResponse(context: RequestContext, problem: Problem): Response {
  context.line.code = problem.code;
  return createTextResponse(context, toProblemJsonText(problem, context.requestId), {
    status: toHttpStatus(problem),
    type: 'application/problem+json',
    headers: [...(problem.headers ?? []), ...(context.vary ? [context.vary] : [])],
  });
}

/**
 * Returns texts as a byte stream. Each text is created only after the client has read the previous one. Calls `onEnd` after the last text, after an
 * error, and if the client disconnects.
 */
export function encodeTextsAsByteStream(
  texts: AsyncIterator<string>,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await texts.next();
        if (!done) return controller.enqueue(encoder.encode(value));
      } catch (error) {
        onEnd();
        throw error;
      }
      onEnd();
      controller.close();
    },
    async cancel() {
      onEnd();
      await texts.return?.();
    },
  });
}

/** Contents of the files that were sent in answers, each with the time of the file's last change. */
const sentFiles = new Map<string, { changed: number; content: WeakRef<Buffer<ArrayBuffer>> }>();

/**
 * Reads a file for an answer; returns null if it does not exist. Answers that are sent at the same time share one copy of the content, so that
 * slow clients do not fill the memory.
 */
export function readFileForAnswer(path: string): Buffer<ArrayBuffer> | null {
  const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (changed === undefined) return null;
  const sent = sentFiles.get(path);
  const shared = sent?.changed === changed ? sent.content.deref() : undefined;
  if (shared) return shared;
  const content = readFileSync(path);
  sentFiles.set(path, { changed, content: new WeakRef(content) });
  return content;
}
