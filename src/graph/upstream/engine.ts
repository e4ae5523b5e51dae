// The engine that asks another server's graph. What it sends and reads is in ../wire; the way there is beside it.
import { BonafideError } from '../../errors.ts';
import { recovering } from '../../platform/asking/recovery.ts';
import {
  type GraphAnswer,
  type GraphQuery,
  type GraphStats,
  type IdentityGraph,
  isEmptyQuery,
  EMPTY_QUERY,
} from '../graph.ts';
import { parseAnswer } from '../wire/answer.ts';
import { toQuestion } from '../wire/question.ts';
import { isTestKey, urlWarnings } from './credentials.ts';
import { openExchange, type UpstreamSettings, type Variables } from './exchange.ts';
import { createResilientCaller } from './resilient-calls.ts';
import * as v from 'valibot';

/**
 * An engine that only resolves: the values of a question go to the server at `url`, whose graph they are looked up in.
 *
 * Errors: invalid_config for settings that cannot be; of `resolve` graph_bad_response, graph_unavailable, graph_timeout, overloaded.
 */
export function openUpstream(settings: UpstreamSettings, env: Variables): IdentityGraph {
  const exchange = openExchange(settings, env);
  const callerOptions = { ...settings, target: `the upstream graph at ${exchange.host}` };
  const checking = createResilientCaller(callerOptions);
  // That counting takes long says nothing of how checks are answered.
  const counting = createResilientCaller({
    ...callerOptions,
    deadlineMs: Math.max(settings.deadlineMs, COUNTING_MS),
  });
  const ask = (query: GraphQuery): Promise<GraphAnswer> => {
    const { question, valueIndexes: places } = toQuestion(query);
    const { hops = 0, values } = query;
    return exchange.ask(checking, {
      method: 'POST',
      path: '/graph/v1/resolve',
      body: JSON.stringify(question),
      parse: (value) => parseAnswer(value, { valueIndexes: places, values, now: Date.now() }),
      hops,
      // Servers in a circle that were left alone would each see the other's refusal for ever, and never the circle.
      ignoreBreaker: hops > 0 && isEmptyQuery(query),
    });
  };
  const recovery = recovering(
    () => ask(EMPTY_QUERY),
    () => checking.isHealthy,
  );
  const resolve = (query: GraphQuery) => recovery.watch(ask(query));
  const stats = (hops?: number) =>
    exchange.ask(counting, { method: 'GET', path: '/graph/v1/stats', parse: readStats, hops });
  const ofItself = async (hops?: number): Promise<string[]> => {
    if (isTestKey(exchange.key())) return [TEST];
    try {
      return (await stats(hops)).warnings;
    } catch (uncounted) {
      const away = await resolve({ ...EMPTY_QUERY, hops }).then(() => null, told);
      return [away ?? `Checks can be asked, but not what the graph holds: ${told(uncounted)}`];
    }
  };
  return {
    engine: 'upstream',
    resolve,
    stats: async (hops): Promise<GraphStats> => (await stats(hops)).stats,
    warnings: async (hops) => [...urlWarnings(exchange.url), ...(await ofItself(hops))],
    ping: checking.requireHealthy,
    close() {
      recovery.end();
      exchange.close();
    },
  };
}

/** A first look through a graph may have to begin with a thread. */
const COUNTING_MS = 5000;

const TEST =
  'The key for the upstream graph is a test key: checks are answered from a sample of invented people there.';

/** Checks do without it, and a graph of another make need not tell. */
function told(error: unknown): string {
  if (!(error instanceof BonafideError)) throw error;
  return error.message;
}

// What another server tells of its graph in counts.
const COUNT = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const MOST_WARNINGS = 20;
const MOST_TEXT = 500;

const STATS = v.object({
  records: COUNT,
  identities: COUNT,
  merged: COUNT,
  postings: COUNT,
  unlinked: COUNT,
  linked_at: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
  settled: v.boolean(),
  warnings: v.pipe(v.array(v.pipe(v.string(), v.maxLength(MOST_TEXT))), v.maxLength(MOST_WARNINGS)),
});

/** Errors: graph_bad_response. */
function readStats(sent: unknown): { stats: GraphStats; warnings: string[] } {
  const read = v.safeParse(STATS, sent);
  if (!read.success)
    throw new BonafideError('graph_bad_response', 'The upstream graph’s counts have not the form of such.');
  const { linked_at: linkedAt, warnings, ...stats } = read.output;
  return { stats: { ...stats, linkedAt }, warnings };
}
