// Is the graph as it should be, and do its files hold nothing else?
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { compact } from '../../erase/erase.ts';
import { verifyGraph } from '../../import.ts';
import { completed } from './people/forget.ts';
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
      const it = await verifyGraph(graph, { onProgress: bar.show }).finally(bar.stop);
      const says =
        it.wrong === 0
          ? `all ${it.records} records are where linking all of them anew puts them`
          : `${it.wrong} of ${it.records} records are not where linking all of them anew puts them. ${LINK}`;
      const lines = it.invariants.map(({ says: what, of, broken, mend = LINK }) =>
        broken === 0 ? `${what}: all ${of}` : `${what}: not ${broken} of ${of}. ${mend}`,
      );
      if (!it.remembered) lines.push(NOTHING_REMEMBERED);
      print(args, it, [says, ...lines].join('\n'));
      return it.wrong > 0 || it.invariants.some(({ broken }) => broken > 0) ? 1 : 0;
    }),
});

const LINK = 'Run: bonafide graph link';
const NOTHING_REMEMBERED =
  'What linking remembers (link.db) is not of this graph as it is, or not there: the next import brings it there, or links all records anew and remembers them.';

const FILES = ['graph.db', 'records.db', 'link.db'].flatMap((name) => [name, `${name}-wal`]);

export const compactCommand = defineCommand({
  meta: {
    name: 'compact',
    description: 'Write the files of the graph anew, so that they hold what is there and nothing older',
  },
  args: COMMON,
  examples: ['graph compact'],
  run: ({ args }) =>
    withGraph(args, async (graph, config) => {
      const { dataDir } = config;
      const { bytes, beyond } = graph.erasing ?? {};
      const size = async () =>
        (await bytes?.()) ??
        FILES.reduce(
          (sum, name) => sum + (statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0),
          0,
        );
      const before = await size();
      await completed(graph, config);
      const { logsEmpty } = await compact(graph);
      const after = await size();
      noteAct(config, { act: 'graph.compact', target: '', detail: { before, after } });
      const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
      const what = bytes ? 'tables' : 'files';
      const says = `the ${what} of the graph took ${megabytes(before)} and take ${megabytes(after)}`;
      const busy =
        beyond === undefined
          ? 'A log could not be emptied, since somebody reads in it (a backup?): run this again when that has ended.'
          : 'Deleted rows are still in the tables, since somebody reads them (a backup?) or the role may not vacuum them: run this again when that has ended.';
      print(args, { before, after, logs_empty: logsEmpty }, logsEmpty ? says : `${says}\n${busy}`);
      return logsEmpty ? 0 : 1;
    }),
});
