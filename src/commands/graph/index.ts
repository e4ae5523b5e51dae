import { holdingText } from '../../evaluate/report/words.ts';
import { recordAction, withGraph } from '../shared/open.ts';
import { linkRecords } from '../../people/linking/linking.ts';
import { COMMON_OPTIONS, defineCommand, print } from '../shared/command.ts';
import { exportOne, find } from './find.ts';
import { forget } from './forget.ts';
import { importCommand } from './import/import.ts';
import { sources } from './sources.ts';
import { join, judgements, split } from './manual-links.ts';
import { limitHeapGrowth } from '../shared/heap.ts';
import { exportIds, show, stats, why } from './view.ts';
import { recordsProgressBar } from '../shared/terminal.ts';
import { rekeyCommand } from './rekey.ts';
import { compactCommand, verify } from './verify.ts';
import { watchCommand } from './watch.ts';

const link = defineCommand({
  meta: { name: 'link', description: 'Link all records anew, without importing any' },
  args: COMMON_OPTIONS,
  examples: ['graph link'],
  run: ({ args }) =>
    withGraph(
      args,
      async (graph, config) => {
        limitHeapGrowth();
        const bar = recordsProgressBar(args.json === true, 'linking');
        const { records, identities } = await linkRecords(graph, { onProgress: bar.show }).finally(bar.stop);
        recordAction(config, { act: 'graph.link', target: '', detail: { records, identities } });
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
    generate: () => import('./generate.ts').then((module) => module.default),
  },
  examples: ['graph import people.jsonl', 'graph stats', 'graph why crm-1 shop-17'],
});
