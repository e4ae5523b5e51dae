// Serves the graph to servers that use this server as their upstream.
import type { OperatorService } from '../admin/operator-service.ts';
import type { Config } from '../config.ts';
import { BonafideError } from '../errors.ts';
import type { IdentityGraph } from '../graph/graph.ts';
import { toGraphAnswerJson } from '../graph/wire/answer.ts';
import { parseGraphQueryBody } from '../graph/wire/question.ts';
import type { GraphQueriesForOtherServers } from '../http/graph.ts';
import { requireDataFiles } from './data/folder-checks.ts';
import type { AppComponents } from './parts.ts';

interface ServedGraphDeps {
  config: Pick<Config, 'graph' | 'region'>;
  parts: Pick<AppComponents, 'graph' | 'watch'>;
  /** Graph for test keys, with invented people, and their region. */
  sample: Pick<IdentityGraph, 'resolve'>;
  sampleRegion: string;
  operatorService: Pick<OperatorService, 'makeReport'>;
}

/** Maximum number of servers that may forward one query, so that it cannot circulate forever. */
const MAX_HOPS = 3;

/** Creates the graph that other servers may query; null if the settings do not allow this. */
export function createGraphOperationsForOtherServers({
  config,
  parts,
  sample,
  sampleRegion,
  operatorService,
}: ServedGraphDeps): GraphQueriesForOtherServers | null {
  if (!config.graph?.serve) return null;
  return {
    async resolve({ test, region = null }, sent, hops) {
      requireFewHops(hops);
      requireDataFiles(parts.watch);
      const home = test ? sampleRegion : (region ?? config.region);
      const query = parseGraphQueryBody(sent, home);
      const answer = await withOwnCircleError(() =>
        (test ? sample : parts.graph).resolve({ ...query, hops }),
      );
      if (answer.missing) throw PARTIAL_GRAPH;
      return toGraphAnswerJson(answer);
    },
    async stats({ test }, hops) {
      requireFewHops(hops);
      if (test)
        throw new BonafideError(
          'forbidden',
          'A test key reads only the sample graph. Use a live key for this.',
        );
      return withOwnCircleError(() => operatorService.makeReport('stats', hops));
    },
  };
}

/** Error for a query that one of several graphs did not answer. Without it, a person of that graph would seem unknown. */
const PARTIAL_GRAPH = new BonafideError(
  'graph_unavailable',
  'One of the queried graphs did not answer, so a part of the data is missing. Try again later.',
);

function requireFewHops(hops: number): void {
  if (hops > MAX_HOPS)
    throw new BonafideError(
      'graph_circle',
      'More than three servers have forwarded this query, probably in a circle. Give one of these servers a graph of its own.',
    );
}

/** Runs `work`. Reports a circle of servers as graph_circle, so that every server in it stops retrying. */
async function withOwnCircleError<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BonafideError && error.details.circle)) throw error;
    throw new BonafideError('graph_circle', error.message);
  }
}
