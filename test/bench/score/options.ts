// Options of both benches of the score: new worlds, or existing graphs with their generated checks, several separated by commas.
import { parseArgs } from 'node:util';
import { type Graph, type LabelledCheck, openAt, readChecks, withWorlds } from './world.ts';

/** Calls `add` for each world of the command line. With `--help`, prints `help` and ends the process. */
export async function eachWorld(
  { help, people, cases, seeds }: { help: string; people: string; cases: string; seeds: string },
  add: (graph: Graph, checks: readonly LabelledCheck[]) => Promise<void>,
): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      people: { type: 'string', default: people },
      cases: { type: 'string', default: cases },
      seeds: { type: 'string', default: seeds },
      'data-dir': { type: 'string' },
      checks: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (options.help) {
    process.stdout.write(help);
    process.exit(0);
  }
  if (options['data-dir'] !== undefined && options.checks !== undefined) {
    const files = options.checks.split(',');
    for (const [i, folder] of options['data-dir'].split(',').entries()) {
      const graph = openAt(folder);
      await add(graph, readChecks(files[i] ?? ''));
      await graph.close();
    }
    return;
  }
  const wanted = options.seeds.split(',').map(Number);
  await withWorlds({ people: Number(options.people), cases: Number(options.cases), seeds: wanted }, add);
}
