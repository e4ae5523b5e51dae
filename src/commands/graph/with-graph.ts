import type { KeepingGraph } from '../../graph/graph.ts';
import { openGraph } from '../../graph/sqlite/open.ts';
import { configOf } from '../command.ts';

/** Runs `work` on the graph that a command line means, which must be there. Errors: those of `configOf` and `openGraph`. */
export async function withGraph<T>(
  args: Parameters<typeof configOf>[0],
  work: (graph: KeepingGraph, dataDir: string) => Promise<T>,
): Promise<T> {
  const config = await configOf(args);
  const graph = openGraph({ ...config, create: false });
  try {
    return await work(graph, config.dataDir);
  } finally {
    await graph.close();
  }
}
