import { noteAct } from './audit/note.ts';
import { linkRecords, verifyLinks } from '../import.ts';
import { COMMON, defineCommand, print } from './command.ts';
import { exportOne, find } from './graph/find.ts';
import { forget } from './graph/forget.ts';
import { importCommand } from './graph/import.ts';
import { exportIds, show, sources, stats, why } from './graph/look.ts';
import { recordsBar } from './graph/progress-bar.ts';
import { watchCommand } from './graph/watch.ts';
import { withGraph } from './graph/with-graph.ts';

const link = defineCommand({
  meta: { name: 'link', description: 'Link all records anew, without importing any' },
  args: COMMON,
  examples: ['graph link'],
  run: ({ args }) =>
    withGraph(args, async (graph, { dataDir }) => {
      const bar = recordsBar(args.json === true, 'linking');
      const { records, identities } = await linkRecords(graph, { onProgress: bar.show }).finally(bar.stop);
      noteAct(dataDir, { act: 'graph.link', target: '', detail: { records, identities } });
      print(args, { records, identities }, `the graph holds ${records} records on ${identities} identities`);
    }),
});

const verify = defineCommand({
  meta: { name: 'verify', description: 'Link all records anew, publish nothing, and compare' },
  args: COMMON,
  examples: ['graph verify'],
  run: ({ args }) =>
    withGraph(args, async (graph) => {
      const bar = recordsBar(args.json === true, 'linking');
      const it = await verifyLinks(graph, { onProgress: bar.show }).finally(bar.stop);
      const { settled } = await graph.stats();
      const says =
        it.wrong === 0
          ? `all ${it.records} records are where linking all of them anew puts them`
          : `${it.wrong} of ${it.records} records are not where linking all of them anew puts them. Run: bonafide graph link`;
      print(args, { ...it, settled }, says);
      return it.wrong > 0 ? 1 : 0;
    }),
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
    forget,
    // Loaded when it is asked for: an import needs none of its tables.
    generate: () => import('./graph/generate.ts').then((module) => module.default),
  },
  examples: ['graph import people.jsonl', 'graph stats', 'graph why crm-1 shop-17'],
});
