// bonafide graph: records and identities of the graph.
import { holdingText } from '../../evaluate/report/words.ts';
import { linkRecords } from '../../people/linking/linking.ts';
import { defineCommand, defineGroup, print } from '../shared/command.ts';
import { limitHeapGrowth } from '../shared/heap.ts';
import { recordAction, withGraph } from '../shared/open.ts';
import { recordsProgressBar } from '../shared/terminal.ts';
import { exportPerson, find } from './find.ts';
import { forget } from './forget.ts';
import { importCommand } from './import/import.ts';
import { join, manualLinks, split } from './manual-links.ts';
import { rekeyCommand } from './rekey.ts';
import { sources } from './sources.ts';
import { compactCommand, verify } from './verify.ts';
import { exportIds, show, stats, why } from './view.ts';
import { watchCommand } from './watch.ts';

const link = defineCommand('Link all records again, without an import', {
  examples: ['graph link'],
  run: (args) =>
    withGraph(args, 'rebuild', async (graph, config) => {
      limitHeapGrowth();
      const bar = recordsProgressBar(args.json === true, 'linking');
      const { records, identities } = await linkRecords(graph, { onProgress: bar.show }).finally(bar.stop);
      recordAction(config, { act: 'graph.link', target: '', detail: { records, identities } });
      print(args, { records, identities }, `The graph has ${holdingText({ records, identities })}.`);
    }),
});

export const graphCommands = defineGroup('Import records, and inspect the identity graph', {
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
    export: exportPerson,
    split,
    join,
    'manual-links': manualLinks,
    forget,
    compact: compactCommand,
    rekey: rekeyCommand,
    // Only this command needs the modules that invent people.
    generate: () => import('./generate.ts').then(({ generateCommand }) => generateCommand),
  },
  examples: ['graph import people.jsonl', 'graph stats', 'graph why crm-1 shop-17'],
});
