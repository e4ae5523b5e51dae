import type { KeepingGraph } from '../../graph/graph.ts';
import type { Config } from '../../config.ts';
import { openKeeping } from '../../graph/engines.ts';
import { canMakeGraph } from '../../platform/held.ts';
import { removeLeft } from '../../platform/left/left.ts';
import { configOf } from '../command.ts';

/**
 * Runs `work` on the graph that a command line means, which must be there, or with `makes` the records that it is made from; one that
 * `writes` removes what killed processes left. Errors: those of `configOf` and `openKeeping`.
 */
export async function withGraph<T>(
  args: Parameters<typeof configOf>[0] & { region?: string | undefined },
  work: (graph: KeepingGraph, config: Config) => Promise<T>,
  options: { makes?: boolean; writes?: boolean } = {},
): Promise<T> {
  const config = await configOf(args, { region: args.region });
  const graph = openKeeping({ ...config, create: options.makes === true && canMakeGraph(config.dataDir) });
  try {
    if (options.writes) clearLeft(config.dataDir);
    return await work(graph, config);
  } finally {
    await graph.close();
  }
}

/** Removes what killed processes left in a folder whose databases are open, and says so on standard error. */
export function clearLeft(dataDir: string): void {
  const left = removeLeft(dataDir);
  if (left.length > 0) process.stderr.write(`Removed what a killed process left: ${left.join(', ')}\n`);
}
