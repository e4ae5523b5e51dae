import { existsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { elsewhere, keeperOf, openKeeping } from '../../graph/engines.ts';
import { graphFile } from '../../graph/sqlite/open.ts';
import { moveGraph } from '../../graph/move.ts';
import { noteAct } from '../audit/note.ts';
import { progressBar } from '../graph/progress-bar.ts';

export interface MovedGraph {
  engine: string;
  records: number;
  identities: number;
  /** Answers of both that were compared. */
  compared: number;
}

const engineOf = (target: string) => (target === 'sqlite' ? 'sqlite' : 'postgres');

/** Why the graph that the settings name does not go there; null where it can. */
export function whyNot({ graph, dataDir }: Config, target: string): string | null {
  const keeper = keeperOf(graph);
  if (keeper === null) return 'The graph that the settings name keeps no records here: it stays where it is.';
  if (keeper === engineOf(target)) return 'The settings have the graph there already.';
  if (keeper === 'sqlite' && !existsSync(graphFile(dataDir))) return 'There is no graph in the data folder.';
  return null;
}

/**
 * Copies the graph that the settings name.
 *
 * @param target postgres://… or `sqlite`
 * Errors: `invalid_arguments` where it is there already; those of `moveGraph`.
 */
export async function migrateGraph(config: Config, target: string, quiet: boolean): Promise<MovedGraph> {
  const engine = engineOf(target);
  const place = engine === 'sqlite' ? { engine } : { engine, database: target };
  const from = openKeeping({ ...config, create: false });
  const bar = progressBar({ quiet, title: 'Moving the graph', unit: 'records' });
  try {
    if (from.engine === place.engine)
      throw new BonafideError('invalid_arguments', 'The settings have the graph there already.');
    const to = openKeeping({ ...config, graph: elsewhere(config.graph, place), unfinished: true });
    try {
      const { records: all } = await from.stats();
      const show = (count: number) => bar.show({ phase: 'moving', done: count / Math.max(1, all), count });
      const { stats, compared } = await moveGraph({ from, to, onProgress: show });
      const { records, identities } = stats;
      noteAct(config, { act: 'graph.move', target: to.engine, detail: { records, identities } });
      return { engine: to.engine, records, identities, compared };
    } finally {
      await to.close();
    }
  } finally {
    bar.stop();
    await from.close();
  }
}

/** Two lines for the terminal. */
export function movedGraphText({ engine, records, identities, compared }: MovedGraph): string {
  const todo =
    engine === 'sqlite'
      ? 'Take `engine` and `database` out of the setting `graph`; checks then go by the data folder.'
      : 'Set `graph.engine` to postgres and `graph.database` to this address for every server and command.';
  return `${records} records of ${identities} people, and ${compared} answers were compared.\n${todo}`;
}
