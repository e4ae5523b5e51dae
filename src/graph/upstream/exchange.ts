// Requests to the server of an upstream graph, and errors for its replies.
import { BonafideError, type ErrorCode } from '../../errors.ts';
import {
  requireUpstreamUrl,
  readUpstreamApiKeyHeader,
  refuseMissingUpstreamApiKey,
  readTlsFiles,
  type UpstreamCredentialSettings,
  type EnvironmentVariables,
} from './credentials.ts';
import type { ResilientCaller, ResilientCallerOptions } from './resilient-calls.ts';
import { openHttpTransport, type HttpTransportReply } from './transport.ts';

export interface UpstreamSettings extends UpstreamCredentialSettings, Omit<ResilientCallerOptions, 'target'> {
  answerKib: number;
}

export interface UpstreamRequest<T> {
  method: 'GET' | 'POST';
  path: string;
  /** Converts the JSON value of an answer to the result. Errors: graph_bad_response. */
  parse(value: unknown): T;
  body?: string;
  /** Number of servers that have forwarded the query so far. Default: 0. */
  hops?: number | undefined;
  ignoreBreaker?: boolean;
}

const MAX_HOPS = 9;

/**
 * Opens the connection to an upstream graph. Errors: invalid_config; those of `ask`: graph_bad_response, graph_unavailable, graph_timeout,
 * overloaded.
 */
export function createUpstreamClient(settings: UpstreamSettings, env: EnvironmentVariables) {
  const { concurrency, answerKib } = settings;
  const { url, tls } = checkUpstreamSettings(settings, env);
  const transport = openHttpTransport({ url, tls, connections: concurrency, maxBytes: answerKib * 1024 });
  const { host } = new URL(url);
  const key = () => readUpstreamApiKeyHeader(settings, env);
  const headersFor = (body: string, hops: number) => ({
    accept: 'application/json',
    ...(body === '' ? {} : { 'content-type': 'application/json' }),
    'bonafide-hops': String(Math.min(hops + 1, MAX_HOPS)),
    ...key(),
  });
  return {
    url,
    host,
    key,
    ask<T>(caller: ResilientCaller, request: UpstreamRequest<T>): Promise<T> {
      const { method, path, parse, body = '', hops = 0, ignoreBreaker = false } = request;
      return caller.call(
        async (signal, newConnection) => {
          const headers = headersFor(body, hops);
          const reply = await transport.send({ method, path, headers, body, signal, newConnection });
          const problem = errorForStatus(reply, host);
          if (problem) throw problem;
          return parse(parseJson(reply, host));
        },
        // Only the first server of a chain makes a second attempt: otherwise the number of queries would double at each server.
        { noRetry: hops > 0, ignoreBreaker },
      );
    },
    close: () => transport.close(),
  };
}

/** Validates the settings of an upstream graph without sending anything. Errors: invalid_config. */
export function checkUpstreamSettings(settings: UpstreamCredentialSettings, env: EnvironmentVariables) {
  refuseMissingUpstreamApiKey(settings, env);
  return { url: requireUpstreamUrl(settings), tls: readTlsFiles(settings) };
}

/**
 * Maximum retry delay that a reply can request (`MAX_WAIT_MS`), and the delay after a reply that requests none (`DEFAULT_WAIT_MS`), in milliseconds.
 */
const MAX_WAIT_MS = 60_000;
const DEFAULT_WAIT_MS = 5000;

/** HTTP status of a query that too many servers have forwarded. */
const LOOP_DETECTED = 508;

/** HTTP statuses for an invalid request, which is not a failure of the upstream server. */
const INVALID_REQUEST = new Set([400, 413, 415, 422]);

/** Returns the error for a reply; null for status 200. Does not use the text of the reply, because it may repeat submitted values. */
function errorForStatus({ status, retryAfterMs }: HttpTransportReply, host: string): BonafideError | null {
  if (status === 200) return null;
  if (status === LOOP_DETECTED) return circleError(host);
  if (status === 429 || status === 503)
    return statusError(host, 'graph_unavailable', status, {
      retryAfterMs: Math.min(retryAfterMs ?? DEFAULT_WAIT_MS, MAX_WAIT_MS),
      // Not transient if the server requests a delay: it is not called before the delay is over.
      transient: retryAfterMs === null && status === 503,
    });
  if (status === 504 || status === 408)
    return statusError(host, 'graph_timeout', status, { transient: true });
  const details = INVALID_REQUEST.has(status) ? { ours: true } : { transient: status >= 500 };
  return statusError(host, 'graph_bad_response', status, details);
}

const STATUS_MEANINGS: Record<number, string> = {
  401: 'it does not know the key of graph.keyFile or graph.keyEnv',
  403: 'the key does not have the scope graph, or may not be used from this address',
  404: 'the address is wrong, the server does not serve its graph (graph.serve), or it has another version of the protocol',
};

function statusError(host: string, code: ErrorCode, status: number, details: Record<string, unknown>) {
  const isRedirect = status >= 300 && status < 400;
  const meaning = isRedirect ? 'a redirect, which is not followed' : STATUS_MEANINGS[status];
  const text = `The upstream graph at ${host} answered ${status}${meaning ? `: ${meaning}` : ''}.`;
  return new BonafideError(code, text, details);
}

const circleError = (host: string) =>
  new BonafideError(
    'graph_bad_response',
    `The upstream graph at ${host} received a query through more than three servers: the servers query each other in a circle, or the chain is too long. Give one of the servers a graph of its own.`,
    { circle: true },
  );

/** Parses the body of an answer as JSON. Errors: graph_bad_response. */
function parseJson({ type, body }: HttpTransportReply, host: string): unknown {
  if (type !== 'application/json') throw notJsonError(host, 'is not of type application/json');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw notJsonError(host, 'is not JSON in UTF-8');
  }
}

const notJsonError = (host: string, problem: string) =>
  new BonafideError(
    'graph_bad_response',
    `The answer of the upstream graph at ${host} ${problem}. Check that graph.url is the address of a Bonafide server or of a compatible graph.`,
  );
