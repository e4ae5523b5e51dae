import { formatRecordAndIdentityCounts } from '../../evaluate/report/words.ts';
import { linkAllRecords } from '../../people/linking.ts';
import { defineCommand, defineCommandGroup, printResult } from '../helpers/command.ts';
import { limitHeapGrowth } from '../helpers/heap.ts';
import { recordCommandInAuditLog, withGraph } from '../helpers/open.ts';
import { createRecordsProgressBar } from '../helpers/terminal.ts';
import { graphExportCommand, graphFindCommand } from './find.ts';
import { graphForgetCommand } from './forget.ts';
import { graphImportCommand } from './import/import.ts';
import { graphJoinCommand, graphManualLinksCommand, graphSplitCommand } from './manual-links.ts';
import { graphRekeyCommand } from './rekey.ts';
import { graphCompactCommand, graphVerifyCommand } from './verify.ts';
import {
  graphExportIdsCommand,
  graphShowCommand,
  graphSourcesCommand,
  graphStatsCommand,
  graphWhyCommand,
} from './view.ts';
import { graphWatchImportFilesCommand } from './watch.ts';

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
        `The graph has ${formatRecordAndIdentityCounts({ records, identities })}.`,
      );
    }),
});

export const graphCommands = defineCommandGroup('Import records, and inspect the identity graph', {
  subCommands: {
    import: graphImportCommand,
    watch: graphWatchImportFilesCommand,
    link,
    verify: graphVerifyCommand,
    stats: graphStatsCommand,
    sources: graphSourcesCommand,
    'export-ids': graphExportIdsCommand,
    find: graphFindCommand,
    why: graphWhyCommand,
    show: graphShowCommand,
    export: graphExportCommand,
    split: graphSplitCommand,
    join: graphJoinCommand,
    'manual-links': graphManualLinksCommand,
    forget: graphForgetCommand,
    compact: graphCompactCommand,
    rekey: graphRekeyCommand,
    // Loaded on demand, because only this command needs the modules that generate people.
    generate: () => import('./generate.ts').then(({ graphGenerateCommand }) => graphGenerateCommand),
  },
  examples: ['graph import people.jsonl', 'graph stats', 'graph why crm-1 shop-17'],
});
