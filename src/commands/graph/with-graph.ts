import type { KeepingGraph } from '../../graph/graph.ts';
import type { Config } from '../../config.ts';
import { openKeeping } from '../../graph/engines.ts';
import { canMakeGraph } from '../../platform/held.ts';
import { configOf } from '../command.ts';

/** Runs `work` on the graph that a command line means, which must be there, or with `makes` the records that it is made from. Errors: those of `configOf` and `openKeeping`. */
export async function withGraph<T>(
  args: Parameters<typeof configOf>[0] & { region?: string | undefined },
  work: (graph: KeepingGraph, config: Config) => Promise<T>,
  options: { makes?: boolean } = {},
): Promise<T> {
  const config = await configOf(args, { region: args.region });
  const graph = openKeeping({ ...config, create: options.makes === true && canMakeGraph(config.dataDir) });
  try {
    return await work(graph, config);
  } finally {
    await graph.close();
  }
}
