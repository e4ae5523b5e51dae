// The graph of a server, for servers that have it as their upstream.
import type { OperatorService } from '../admin/operator-service.ts';
import type { Config } from '../config.ts';
import { BonafideError } from '../errors.ts';
import type { IdentityGraph } from '../graph/graph.ts';
import { toWireAnswer } from '../graph/wire/answer.ts';
import { parseGraphQuestion } from '../graph/wire/question.ts';
import type { ServedGraph } from '../http/graph.ts';
import { requireDataFiles } from './data/folder-checks.ts';
import type { AppParts } from './parts.ts';

interface ServedGraphDeps {
  config: Pick<Config, 'graph' | 'region'>;
  parts: Pick<AppParts, 'graph' | 'watch'>;
  /** What test keys are answered from, and the country of its people. */
  sample: Pick<IdentityGraph, 'resolve'>;
  sampleRegion: string;
  operatorService: Pick<OperatorService, 'makeReport'>;
}

/** So many servers pass a question on; servers that lead to each other in a circle would go on for ever. */
const MAX_HOPS = 3;

/** Null where the settings do not say that it is served. */
export function createServedGraph({
  config,
  parts,
  sample,
  sampleRegion,
  operatorService,
}: ServedGraphDeps): ServedGraph | null {
  if (!config.graph?.serve) return null;
  return {
    async resolve({ test, region = null }, sent, hops) {
      requireFewHops(hops);
      requireDataFiles(parts.watch);
      const home = test ? sampleRegion : (region ?? config.region);
      const query = parseGraphQuestion(sent, home);
      const answer = await withOwnCircleError(() =>
        (test ? sample : parts.graph).resolve({ ...query, hops }),
      );
      if (answer.missing) throw PARTIAL_GRAPH;
      return toWireAnswer(answer);
    },
    async stats({ test }, hops) {
      requireFewHops(hops);
      if (test)
        throw new BonafideError(
          'forbidden',
          'A test key is told of the sample alone: this needs a live one.',
        );
      return withOwnCircleError(() => operatorService.makeReport('stats', hops));
    },
  };
}

/** Who asks could not tell that somebody is not on record from somebody whom the graph that was left out knows. */
const PARTIAL_GRAPH = new BonafideError('graph_unavailable', 'One of several graphs was left out.');

function requireFewHops(hops: number): void {
  if (hops > MAX_HOPS)
    throw new BonafideError(
      'graph_circle',
      'The question came through more than three servers: their graphs may lead to each other in a circle.',
    );
}

/** The server that asked, and each before it, is told of a circle by its name: to all it is a failure that does not pass. */
async function withOwnCircleError<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BonafideError && error.details.circle)) throw error;
    throw new BonafideError('graph_circle', error.message);
  }
}
