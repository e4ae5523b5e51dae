// One question to the server of an upstream graph, patiently: what is sent, and what its answer means.
import { addressOf, keyHeader, requireKey, tlsOf } from './credentials.ts';
import type { CredentialSettings } from './credentials.ts';
import type { Patience, PatienceOptions } from './patience.ts';
import { statusProblem, valueOf } from './reply.ts';
import { openTransport } from './transport.ts';

export interface UpstreamSettings extends CredentialSettings, Omit<PatienceOptions, 'who'> {
  answerKib: number;
}

export type Variables = Readonly<Record<string, string | undefined>>;

export interface Asked<T> {
  method: 'GET' | 'POST';
  path: string;
  /** Errors: graph_bad_response. */
  read(value: unknown): T;
  body?: string;
  /** Servers that the question came through before. */
  hops?: number | undefined;
  /** Even where the graph is left alone. */
  anyway?: boolean;
}

/** One digit. */
const MOST_HOPS = 9;

/** Errors: invalid_config for settings that cannot be; of what is asked graph_bad_response, graph_unavailable, graph_timeout, overloaded. */
export function openExchange(settings: UpstreamSettings, env: Variables) {
  const { concurrency, answerKib } = settings;
  const { url, tls } = checkUpstream(settings, env);
  const transport = openTransport({ url, tls, connections: concurrency, mostBytes: answerKib * 1024 });
  const { host } = new URL(url);
  const key = () => keyHeader(settings, env);
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
    ask: <T>(by: Patience, { method, path, read, body = '', hops = 0, anyway = false }: Asked<T>) =>
      by.ask(
        async (signal, fresh) => {
          const headers = headersOf(body, hops);
          const reply = await transport.send({ method, path, headers, body, signal, fresh });
          const problem = statusProblem(reply, host);
          if (problem) throw problem;
          return read(valueOf(reply));
        },
        // In a row of servers the first alone tries again: else each would twice, and the last be asked many times.
        { once: hops > 0, anyway },
      ),
    close: () => transport.close(),
  };
}

/** What the settings come to, without asking anybody. Errors: invalid_config. */
export function checkUpstream(settings: CredentialSettings, env: Variables) {
  requireKey(settings, env);
  return { url: addressOf(settings), tls: tlsOf(settings) };
}
