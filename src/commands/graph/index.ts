// Commands `bonafide graph`: records and identities of the graph.
import { formatGraphSize } from '../../evaluate/report/words.ts';
import { linkAllRecords } from '../../people/linking.ts';
import { defineCommand, defineGroup, printResult } from '../helpers/command.ts';
import { limitHeapGrowth } from '../helpers/heap.ts';
import { recordCommandInAuditLog, withGraph } from '../helpers/open.ts';
import { createRecordsProgressBar } from '../helpers/terminal.ts';
import { exportCommand, findCommand } from './find.ts';
import { forgetCommand } from './forget.ts';
import { importCommand } from './import/import.ts';
import { joinCommand, manualLinksCommand, splitCommand } from './manual-links.ts';
import { rekeyCommand } from './rekey.ts';
import { compactCommand, verifyCommand } from './verify.ts';
import { exportIdsCommand, showCommand, sourcesCommand, statsCommand, whyCommand } from './view.ts';
import { watchCommand } from './watch.ts';

const link = defineCommand('Link all records again, without an import', {
  examples: ['graph link'],
  run: (args) =>
    withGraph(args, 'rebuild', async (graph, config) => {
      limitHeapGrowth();
      const bar = createRecordsProgressBar(args.json === true, 'linking');
      const { records, identities } = await linkAllRecords(graph, { onProgress: bar.show }).finally(bar.stop);
      recordCommandInAuditLog(config, { act: 'graph.link', target: '', detail: { records, identities } });
      printResult(
        args,
        { records, identities },
        `The graph has ${formatGraphSize({ records, identities })}.`,
      );
    }),
});

export const graphCommands = defineGroup('Import records, and inspect the identity graph', {
  subCommands: {
    import: importCommand,
    watch: watchCommand,
    link,
    verify: verifyCommand,
    stats: statsCommand,
    sources: sourcesCommand,
    'export-ids': exportIdsCommand,
    find: findCommand,
    why: whyCommand,
    show: showCommand,
    export: exportCommand,
    split: splitCommand,
    join: joinCommand,
    'manual-links': manualLinksCommand,
    forget: forgetCommand,
    compact: compactCommand,
    rekey: rekeyCommand,
    // Loaded on demand, because only this command needs the modules that generate people.
    generate: () => import('./generate.ts').then(({ generateCommand }) => generateCommand),
  },
  examples: ['graph import people.jsonl', 'graph stats', 'graph why crm-1 shop-17'],
});
