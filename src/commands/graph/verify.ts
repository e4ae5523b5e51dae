// Is the graph as it should be, and do its files hold nothing else?
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { compact } from '../../erase/erase.ts';
import { completed } from './people/forget.ts';
import { invariantsOf } from '../../graph/invariants.ts';
import { verifyLinks } from '../../import.ts';
import { noteAct } from '../audit/note.ts';
import { COMMON, defineCommand, print } from '../command.ts';
import { recordsBar } from './progress-bar.ts';
import { withGraph } from './with-graph.ts';

export const verify = defineCommand({
  meta: {
    name: 'verify',
    description: 'Check what must hold of the graph: link all records anew, publish nothing, and compare',
  },
  args: COMMON,
  examples: ['graph verify'],
  run: ({ args }) =>
    withGraph(args, async (graph) => {
      const bar = recordsBar(args.json === true, 'linking');
      const it = await verifyLinks(graph, { onProgress: bar.show }).finally(bar.stop);
      const invariants = await invariantsOf(graph);
      const { settled } = await graph.stats();
      const says =
        it.wrong === 0
          ? `all ${it.records} records are where linking all of them anew puts them`
          : `${it.wrong} of ${it.records} records are not where linking all of them anew puts them. Run: bonafide graph link`;
      const lines = invariants.map(({ says: what, of, broken }) =>
        broken === 0 ? `${what}: all ${of}` : `${what}: not ${broken} of ${of}. Run: bonafide graph link`,
      );
      print(args, { ...it, settled, invariants }, [says, ...lines].join('\n'));
      return it.wrong > 0 || invariants.some(({ broken }) => broken > 0) ? 1 : 0;
    }),
});

const FILES = ['graph.db', 'records.db', 'link.db'].flatMap((name) => [name, `${name}-wal`]);

export const compactCommand = defineCommand({
  meta: {
    name: 'compact',
    description: 'Write the files of the graph anew, so that they hold what is there and nothing older',
  },
  args: COMMON,
  examples: ['graph compact'],
  run: ({ args }) =>
    withGraph(args, async (graph, { dataDir }) => {
      const size = () =>
        FILES.reduce(
          (sum, name) => sum + (statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0),
          0,
        );
      const before = size();
      await completed(graph, dataDir);
      const { logsEmpty } = await compact(graph);
      const after = size();
      noteAct(dataDir, { act: 'graph.compact', target: '', detail: { before, after } });
      const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
      const says = `the files of the graph took ${megabytes(before)} and take ${megabytes(after)}`;
      const busy =
        'A log could not be emptied, since somebody reads in it (a backup?): run this again when that has ended.';
      print(args, { before, after, logs_empty: logsEmpty }, logsEmpty ? says : `${says}\n${busy}`);
      return logsEmpty ? 0 : 1;
    }),
});
