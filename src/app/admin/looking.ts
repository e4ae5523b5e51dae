// Looks through a graph, where it lies.
import type { Found, GraphDesk } from '../../admin/graph/desk.ts';
import type { Look } from '../../admin/graph/looks.ts';
import type { Office } from '../../admin/machine.ts';
import type { Config } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { hasRecordEngine } from '../../graph/engines.ts';
import type { IdentityGraph } from '../../graph/graph.ts';

/** Of a graph that keeps no records here, only its own word on how many it holds is told. */
export function lookingInto(
  graph: IdentityGraph,
  { config, desk }: { config: Pick<Config, 'graph'>; desk: Pick<GraphDesk, 'look'> },
): Office['look'] {
  if (hasRecordEngine(config.graph)) return desk.look;
  return async <L extends Look>(look: L, hops?: number) => {
    if (look === 'applied') return { found: null, at: Date.now() } as Found<typeof look>;
    if (look !== 'stats') throw ELSEWHERE;
    const found = { ...(await graph.stats(hops)), warnings: await graph.warnings(hops) };
    return { found, at: Date.now() } as Found<typeof look>;
  };
}

export const ELSEWHERE = new BonafideError(
  'graph_unavailable',
  'The records of the graph are kept elsewhere.',
);
