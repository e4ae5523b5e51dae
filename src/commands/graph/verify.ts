// Is the graph as it should be, and do its files hold nothing else?
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { compact } from '../../people/erase/erase.ts';
import { verifyGraph } from '../../people/linking/verify.ts';
import type { Verified } from '../../people/linking/verified.ts';
import { completed } from './forget.ts';
import { recordAction, withGraph } from '../shared/open.ts';
import { COMMON_OPTIONS, defineCommand, print } from '../shared/command.ts';
import { recordsProgressBar } from '../shared/terminal.ts';

export const verify = defineCommand({
  meta: {
    name: 'verify',
    description: 'Check what must hold of the graph: link all records anew, publish nothing, and compare',
  },
  args: COMMON_OPTIONS,
  examples: ['graph verify'],
  run: ({ args }) =>
    withGraph(args, async (graph) => {
      const bar = recordsProgressBar(args.json === true, 'linking');
      const it = await verifyGraph(graph, { onProgress: bar.show }).finally(bar.stop);
      const lines = it.invariants.map(({ says: what, of, broken, mend = LINK }) =>
        broken === 0 ? `${what}: all ${of}` : `${what}: not ${broken} of ${of}. ${mend}`,
      );
      if (it.linked && !it.remembered) lines.push(NOTHING_REMEMBERED);
      print(args, it, [placesText(it), ...lines].join('\n'));
      return (it.settled && it.wrong > 0) || it.invariants.some(({ broken }) => broken > 0) ? 1 : 0;
    }),
});

function placesText({ records, wrong, linked, waiting, half, settled }: Verified): string {
  if (half) return HALF;
  if (!linked) return waiting > 0 ? `${waiting} records were put or taken out and ${WAIT}` : UNKNOWN;
  if (wrong === 0) return `all ${records} records are where linking all of them anew puts them`;
  const says = `${wrong} of ${records} records are not where linking all of them anew puts them`;
  return settled ? `${says}. ${LINK}` : `${says}, which is due: ${WHEN}`;
}

const WHEN =
  'a server does it soon after its start or when nothing has come for ten seconds; without one, run: bonafide graph link';
const WAIT = `are not linked yet: ${WHEN}. Until then the identities are those of before, and where linking puts records is not asked.`;
const UNKNOWN = `Records ${WAIT} So it is where a command was killed in its last step, which is half done then: linking completes it.`;
const HALF =
  'An import was killed in its last step, and is half done: the records have it, and what checks read is of before. The next command that changes the graph, or a server that starts, takes it back; without one, run: bonafide graph link. Then import again. Until then where linking puts records is not asked.';

const LINK = 'Run: bonafide graph link';
const NOTHING_REMEMBERED =
  'What linking remembers (link.db) is not of this graph as it is, or not there: the next import brings it there, or links all records anew and remembers them.';

const FILES = ['graph.db', 'records.db', 'link.db'].flatMap((name) => [name, `${name}-wal`]);

export const compactCommand = defineCommand({
  meta: {
    name: 'compact',
    description: 'Write the files of the graph anew, so that they hold what is there and nothing older',
  },
  args: COMMON_OPTIONS,
  examples: ['graph compact'],
  run: ({ args }) =>
    withGraph(
      args,
      async (graph, config) => {
        const { dataDir } = config;
        const { sizeInBytes: bytes, unreachableCopies: beyond } = graph.erasing ?? {};
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
        recordAction(config, { act: 'graph.compact', target: '', detail: { before, after } });
        const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
        const what = bytes ? 'tables' : 'files';
        const says = `the ${what} of the graph took ${megabytes(before)} and take ${megabytes(after)}`;
        const busy =
          beyond === undefined
            ? 'A log could not be emptied, since somebody reads in it (a backup?): run this again when that has ended.'
            : 'Deleted rows are still in the tables, since somebody reads them (a backup?) or the role may not vacuum them: run this again when that has ended.';
        print(args, { before, after, logs_empty: logsEmpty }, logsEmpty ? says : `${says}\n${busy}`);
        return logsEmpty ? 0 : 1;
      },
      { writes: true },
    ),
});
