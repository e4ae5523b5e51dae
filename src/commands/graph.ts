import { holdingText } from '../evaluate/report/words.ts';
import { noteAct } from './audit/note.ts';
import { linkRecords } from '../people/linking/linking.ts';
import { COMMON, defineCommand, print } from './command.ts';
import { exportOne, find } from './graph/people/find.ts';
import { forget } from './graph/people/forget.ts';
import { importCommand } from './graph/import/import.ts';
import { sources } from './graph/import/sources.ts';
import { join, judgements, split } from './graph/people/judge.ts';
import { keepHeapLean } from './graph/lean-heap.ts';
import { exportIds, show, stats, why } from './graph/look.ts';
import { recordsBar } from './graph/progress-bar.ts';
import { rekeyCommand } from './graph/rekey.ts';
import { compactCommand, verify } from './graph/verify.ts';
import { watchCommand } from './graph/watch.ts';
import { withGraph } from './graph/with-graph.ts';

const link = defineCommand({
  meta: { name: 'link', description: 'Link all records anew, without importing any' },
  args: COMMON,
  examples: ['graph link'],
  run: ({ args }) =>
    withGraph(
      args,
      async (graph, config) => {
        keepHeapLean();
        const bar = recordsBar(args.json === true, 'linking');
        const { records, identities } = await linkRecords(graph, { onProgress: bar.show }).finally(bar.stop);
        noteAct(config, { act: 'graph.link', target: '', detail: { records, identities } });
        print(args, { records, identities }, `the graph holds ${holdingText({ records, identities })}`);
      },
      { makes: true, writes: true },
    ),
});

export default defineCommand({
  meta: { name: 'graph', description: 'Import records and look into the identity graph' },
  subCommands: {
    import: importCommand,
    watch: watchCommand,
    link,
    verify,
    stats,
    sources,
    'export-ids': exportIds,
    find,
    why,
    show,
    export: exportOne,
    split,
    join,
    judgements,
    forget,
    compact: compactCommand,
    rekey: rekeyCommand,
    // Loaded when it is asked for: an import needs none of its tables.
    generate: () => import('./graph/generate.ts').then((module) => module.default),
  },
  examples: ['graph import people.jsonl', 'graph stats', 'graph why crm-1 shop-17'],
});
