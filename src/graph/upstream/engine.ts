// The engine that asks another server's graph. What it sends and reads is in ../wire; this is the way there.
import { BonafideError } from '../../errors.ts';
import type { GraphAnswer, GraphQuery, GraphStats, IdentityGraph } from '../graph.ts';
import { NOTHING } from '../graph.ts';
import { readAnswer } from '../wire/answer.ts';
import { questionOf } from '../wire/question.ts';
import { addressOf, keyHeader, requireKey, tlsOf, warningsOf } from './credentials.ts';
import type { CredentialSettings } from './credentials.ts';
import { createPatience } from './patience.ts';
import { recovering } from './recovery.ts';
import { statusProblem, valueOf } from './reply.ts';
import { readStats } from './stats.ts';
import { openTransport } from './transport.ts';

export interface UpstreamSettings extends CredentialSettings {
  deadlineMs: number;
  hedgeMs: number;
  concurrency: number;
  answerKib: number;
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * An engine that only resolves: the values of a question go to the server at `url`, whose graph they are looked up in.
 *
 * Errors: invalid_config for settings that cannot be; of `resolve` graph_bad_response, graph_unavailable, graph_timeout, overloaded.
 */
export function openUpstream(settings: UpstreamSettings, env: Variables): IdentityGraph {
  const { concurrency, answerKib } = settings;
  const { url, tls } = checkUpstream(settings, env);
  const transport = openTransport({
    url,
    tls,
    connections: concurrency,
    mostBytes: answerKib * 1024,
  });
  const patience = createPatience(settings);
  const headersOf = (body: string, hops: number) => ({
    accept: 'application/json',
    ...(body === '' ? {} : { 'content-type': 'application/json' }),
    'bonafide-hops': String(Math.min(hops + 1, MOST_HOPS)),
    ...keyHeader(settings, env),
  });
  const asked = (method: 'GET' | 'POST', path: string, { body = '', hops = 0 } = {}) =>
    patience.ask(
      async (signal, fresh) => {
        const headers = headersOf(body, hops);
        const reply = await transport.send({ method, path, headers, body, signal, fresh });
        const problem = statusProblem(reply);
        if (problem) throw problem;
        return valueOf(reply);
      },
      // In a row of servers the first alone tries again: else each would twice, and the last be asked many times.
      { once: hops > 0 },
    );
  const resolve = async (query: GraphQuery): Promise<GraphAnswer> => {
    const { question, places } = questionOf(query);
    const value = await asked('POST', '/graph/v1/resolve', {
      body: JSON.stringify(question),
      hops: query.hops,
    });
    return readAnswer(value, places, query.values.length);
  };
  const stats = async () => readStats(await asked('GET', '/graph/v1/stats'));
  const recovery = recovering(
    () => resolve(NOTHING),
    () => patience.healthy,
  );
  return {
    engine: 'upstream',
    resolve: (query) => recovery.watch(resolve(query)),
    stats: async (): Promise<GraphStats> => (await stats()).stats,
    warnings: async () => [...warningsOf(url), ...(await stats().then(({ warnings }) => warnings, told))],
    ping() {
      if (!patience.healthy) throw AWAY;
    },
    close() {
      recovery.end();
      transport.close();
    },
  };
}

/** What the settings come to, without asking anybody. Errors: invalid_config. */
export function checkUpstream(settings: CredentialSettings, env: Variables) {
  requireKey(settings, env);
  return { url: addressOf(settings), tls: tlsOf(settings) };
}

/** One digit. */
const MOST_HOPS = 9;

const AWAY = new BonafideError('graph_unavailable', 'The upstream graph does not answer.');

/** Checks do without it, and a graph of another make need not tell. */
function told(error: unknown): string[] {
  if (!(error instanceof BonafideError)) throw error;
  return [error.message];
}
