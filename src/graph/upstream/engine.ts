// The engine `upstream`: queries the graph of another server over HTTP.
import * as v from 'valibot';
import { BonafideError } from '../../errors.ts';
import { createGraphRecoveryWatcher } from '../../platform/resilience/recovery.ts';
import {
  type GraphAnswer,
  type GraphQuery,
  type GraphStats,
  type IdentityGraph,
  isEmptyGraphQuery,
  EMPTY_GRAPH_QUERY,
} from '../graph.ts';
import { parseGraphAnswer } from '../wire/answer.ts';
import { toGraphQuestionWithIndexes } from '../wire/question.ts';
import { type EnvironmentVariables, isTestKeyHeader, listUpstreamUrlWarnings } from './credentials.ts';
import { createUpstreamClient, type UpstreamSettings } from './exchange.ts';
import { createResilientCaller } from './resilient-calls.ts';

/** Minimum deadline (ms) of a request for the graph's statistics. The upstream server may have to start a thread for the answer. */
const STATS_DEADLINE_MS = 5000;

/**
 * Opens a graph that sends queries to the server at `url`. Errors: invalid_config; those of `resolve`: graph_bad_response, graph_unavailable,
 * graph_timeout, overloaded.
 */
export function openUpstreamGraph(settings: UpstreamSettings, env: EnvironmentVariables): IdentityGraph {
  const exchange = createUpstreamClient(settings, env);
  const options = { ...settings, target: `the upstream graph at ${exchange.host}` };
  const queryCaller = createResilientCaller(options);
  // Statistics have their own circuit breaker, because slow statistics do not mean that queries fail.
  const deadlineMs = Math.max(settings.deadlineMs, STATS_DEADLINE_MS);
  const statsCaller = createResilientCaller({ ...options, deadlineMs });
  const query = (graphQuery: GraphQuery): Promise<GraphAnswer> => {
    const { question, valueIndexes } = toGraphQuestionWithIndexes(graphQuery);
    const { hops = 0, values } = graphQuery;
    return exchange.ask(queryCaller, {
      method: 'POST',
      path: '/graph/v1/resolve',
      body: JSON.stringify(question),
      parse: (value) => parseGraphAnswer(value, { valueIndexes, values, now: Date.now() }),
      hops,
      // An open circuit breaker would hide that servers query each other in a circle.
      ignoreBreaker: hops > 0 && isEmptyGraphQuery(graphQuery),
    });
  };
  const recovery = createGraphRecoveryWatcher(
    () => query(EMPTY_GRAPH_QUERY),
    () => queryCaller.isHealthy,
  );
  const resolve = (asked: GraphQuery) => recovery.watch(query(asked));
  const stats = (hops?: number) =>
    exchange.ask(statsCaller, { method: 'GET', path: '/graph/v1/stats', parse: parseStats, hops });
  const remoteWarnings = async (hops?: number): Promise<string[]> => {
    if (isTestKeyHeader(exchange.key())) return [TEST_KEY_WARNING];
    try {
      return (await stats(hops)).warnings;
    } catch (error) {
      const failure = await resolve({ ...EMPTY_GRAPH_QUERY, hops }).then(() => null, messageOf);
      return [failure ?? `Queries are answered, but the counts of the graph are not: ${messageOf(error)}`];
    }
  };
  return {
    engine: 'upstream',
    resolve,
    stats: async (hops): Promise<GraphStats> => (await stats(hops)).stats,
    warnings: async (hops) => [...listUpstreamUrlWarnings(exchange.url), ...(await remoteWarnings(hops))],
    ping: queryCaller.requireHealthy,
    close() {
      recovery.end();
      exchange.close();
    },
  };
}

const TEST_KEY_WARNING =
  'The API key for the upstream graph is a test key: the upstream server answers from sample data with invented people.';

function messageOf(error: unknown): string {
  if (!(error instanceof BonafideError)) throw error;
  return error.message;
}

const COUNT = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const MAX_WARNINGS = 20;
const MAX_WARNING_LENGTH = 500;

const STATS_SCHEMA = v.object({
  records: COUNT,
  identities: COUNT,
  merged: COUNT,
  postings: COUNT,
  unlinked: COUNT,
  linked_at: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
  settled: v.boolean(),
  warnings: v.pipe(v.array(v.pipe(v.string(), v.maxLength(MAX_WARNING_LENGTH))), v.maxLength(MAX_WARNINGS)),
});

/** Parses the statistics and warnings that another server sent. Errors: graph_bad_response. */
function parseStats(sent: unknown): { stats: GraphStats; warnings: string[] } {
  const parsed = v.safeParse(STATS_SCHEMA, sent);
  if (!parsed.success)
    throw new BonafideError(
      'graph_bad_response',
      'The upstream server sent invalid counts of its graph. Check that graph.url is the address of a Bonafide server or of a compatible graph.',
    );
  const { linked_at: linkedAt, warnings, ...stats } = parsed.output;
  return { stats: { ...stats, linkedAt }, warnings };
}
