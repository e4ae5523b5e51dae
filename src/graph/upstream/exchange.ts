// One question to the server of an upstream graph, patiently: what is sent, and what its answer means.
import {
  requireUrl,
  readKeyHeader,
  requireGraphKey,
  readTlsFiles,
  type CredentialSettings,
} from './credentials.ts';
import type { ResilientCaller, ResilientCallerOptions } from './resilient-calls.ts';
import { openTransport, type TransportReply } from './transport.ts';
import { BonafideError, type ErrorCode } from '../../errors.ts';

export interface UpstreamSettings extends CredentialSettings, Omit<ResilientCallerOptions, 'target'> {
  answerKib: number;
}

export type Variables = Readonly<Record<string, string | undefined>>;

export interface UpstreamRequest<T> {
  method: 'GET' | 'POST';
  path: string;
  /** Errors: graph_bad_response. */
  parse(value: unknown): T;
  body?: string;
  /** Servers that the question came through before. */
  hops?: number | undefined;
  /** Even where the graph is left alone. */
  ignoreBreaker?: boolean;
}

/** One digit. */
const MOST_HOPS = 9;

/** Errors: invalid_config for settings that cannot be; of what is asked graph_bad_response, graph_unavailable, graph_timeout, overloaded. */
export function openExchange(settings: UpstreamSettings, env: Variables) {
  const { concurrency, answerKib } = settings;
  const { url, tls } = checkUpstreamSettings(settings, env);
  const transport = openTransport({ url, tls, connections: concurrency, maxBytes: answerKib * 1024 });
  const { host } = new URL(url);
  const key = () => readKeyHeader(settings, env);
  const headersOf = (body: string, hops: number) => ({
    accept: 'application/json',
    ...(body === '' ? {} : { 'content-type': 'application/json' }),
    'bonafide-hops': String(Math.min(hops + 1, MOST_HOPS)),
    ...key(),
  });
  return {
    url,
    host,
    key,
    ask: <T>(
      by: ResilientCaller,
      { method, path, parse: read, body = '', hops = 0, ignoreBreaker: anyway = false }: UpstreamRequest<T>,
    ) =>
      by.call(
        async (signal, fresh) => {
          const headers = headersOf(body, hops);
          const reply = await transport.send({ method, path, headers, body, signal, newConnection: fresh });
          const problem = statusProblem(reply, host);
          if (problem) throw problem;
          return read(valueOf(reply));
        },
        // In a row of servers the first alone tries again: else each would twice, and the last be asked many times.
        { noRetry: hops > 0, ignoreBreaker: anyway },
      ),
    close: () => transport.close(),
  };
}

/** What the settings come to, without asking anybody. Errors: invalid_config. */
export function checkUpstreamSettings(settings: CredentialSettings, env: Variables) {
  requireGraphKey(settings, env);
  return { url: requireUrl(settings), tls: readTlsFiles(settings) };
}

// What a reply means, by its status and type.
/** What it says of later is believed within reason. */
const LONGEST_WAIT_MS = 60_000;
const USUAL_WAIT_MS = 5000;

/** Said by a server whose question came through too many. */
const CIRCLE = 508;

/**
 * An error for a reply that is no answer; null for one that is. The text of the reply is read by nobody: it may repeat what was asked.
 *
 * @param host who was asked
 */
function statusProblem({ status, retryAfterMs }: TransportReply, host: string): BonafideError | null {
  const problem = problemOf(host);
  if (status === 200) return null;
  if (status === CIRCLE) return inCircle(host);
  if (status === 429 || status === 503) {
    const wait = Math.min(retryAfterMs ?? USUAL_WAIT_MS, LONGEST_WAIT_MS);
    // Who says when to come again is not asked before.
    return problem('graph_unavailable', status, {
      retryAfterMs: wait,
      transient: retryAfterMs === null && status === 503,
    });
  }
  if (status === 504 || status === 408) return problem('graph_timeout', status, { transient: true });
  if (OF_THE_QUESTION.has(status)) return problem('graph_bad_response', status, { ours: true });
  return problem('graph_bad_response', status, { transient: status >= 500 });
}

/** The question was not taken, which says nothing about others. */
const OF_THE_QUESTION = new Set([400, 413, 415, 422]);

const SAYS: Record<number, string> = {
  401: 'it does not know the key of graph.keyFile or graph.keyEnv',
  403: 'the key has not the scope graph there, or may not be used from here',
  404: 'nothing is at that address, its setting graph has no serve, or it speaks another version than 1',
};

const problemOf =
  (host: string) =>
  (code: ErrorCode, status: number, details: Record<string, unknown>): BonafideError => {
    const says = status >= 300 && status < 400 ? 'a redirect, which is not followed' : SAYS[status];
    const text = `The upstream graph at ${host} answered ${status}${says ? `: ${says}` : ''}.`;
    return new BonafideError(code, text, details);
  };

const inCircle = (host: string) =>
  new BonafideError(
    'graph_bad_response',
    `The upstream graph at ${host} is one of servers that ask each other in a circle, or in too long a row: a question came through more than three. One of them needs a graph of its own.`,
    { circle: true },
  );

/** The JSON of an answer. Errors: graph_bad_response. */
function valueOf({ type, body }: TransportReply): unknown {
  if (type !== 'application/json') throw notJson('has another type than JSON');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw notJson('is not JSON in UTF-8');
  }
}

const notJson = (why: string) =>
  new BonafideError('graph_bad_response', `The upstream graph’s answer ${why}.`);
