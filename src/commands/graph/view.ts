// Commands that inspect the graph: stats, export-ids, why, show.
import { basename } from 'node:path';
import { GRAPH_REPORTS } from '../../admin/graph/reports.ts';
import { toOverviewHtml } from '../../admin/overview/page.ts';
import type { RecordGraph } from '../../graph/graph.ts';
import { explainPair, getIdentityCard, listRecordIdentities } from '../../graph/inspect.ts';
import { refuseOwnFile } from '../../maintenance/kept-files.ts';
import { argument, option, parseIdentity } from '../shared/arguments.ts';
import { defineCommand, formatDay, formatTable, print } from '../shared/command.ts';
import { writeOutputFile } from '../shared/files.ts';
import { withGraph } from '../shared/open.ts';

export const stats = defineCommand('stats', 'Show counts of the graph, and warnings', {
  args: { html: option('Also write an HTML report with charts; it needs no network', 'file') },
  examples: ['graph stats', 'graph stats --html graph.html'],
  run: (args) =>
    withGraph(args, async (graph, { dataDir }) => {
      const result = await GRAPH_REPORTS.stats(graph, dataDir);
      const { warnings, ...counts } = result;
      if (args.html !== undefined) await writeOverview(graph, { file: args.html, dataDir, warnings });
      const rows = Object.entries(counts).map(([name, value]) => [name, String(value ?? 'never')]);
      print(args, result, [formatTable(rows), ...warnings].join('\n'));
    }),
});

async function writeOverview(
  graph: RecordGraph,
  { file, dataDir, warnings }: { file: string; dataDir: string; warnings: string[] },
): Promise<void> {
  refuseOwnFile(dataDir, file);
  const made = new Date().toISOString();
  const html = toOverviewHtml(await GRAPH_REPORTS.survey(graph), {
    title: basename(dataDir),
    made,
    warnings,
  });
  writeOutputFile(file, html, '--html');
}

export const exportIds = defineCommand(
  'export-ids',
  'Print a JSON line for each record: its id, its source and its identity',
  {
    examples: ['graph export-ids > ids.jsonl'],
    run: (args) =>
      withGraph(args, async (graph) => {
        for await (const { record_id, source, identity } of listRecordIdentities(graph))
          process.stdout.write(`${JSON.stringify({ record_id, source, identity })}\n`);
      }),
  },
);

export const why = defineCommand('why', 'Show the evidence that two records are one person, or two', {
  args: { a: argument('A record: ID, or SOURCE:ID'), b: argument('Another record: ID, or SOURCE:ID') },
  examples: ['graph why crm-1 shop-17', 'graph why crm:1 shop:1'],
  run: (args) =>
    withGraph(args, async (graph) => {
      const pair = await explainPair(graph, args.a, args.b);
      print(args, pair, formatPair(pair));
    }),
});

function formatPair({
  evidence,
  bits,
  needed,
  conflict,
  together,
}: Awaited<ReturnType<typeof explainPair>>): string {
  const rows = evidence.map(({ bits: weight, what }) => [
    `${weight < 0 ? '' : '+'}${weight.toFixed(1)}`.padStart(7),
    what,
  ]);
  const verdict = conflict
    ? 'they cannot be one person'
    : bits >= needed
      ? 'enough to link them'
      : 'not enough to link them';
  return [
    formatTable(rows),
    `${bits.toFixed(1)} bits in total, ${needed} needed: ${verdict}`,
    together ? 'Both records are in one identity.' : 'The records are in different identities.',
    ...(together && bits < needed ? ['They are linked through other records of the identity.'] : []),
  ].join('\n');
}

export const show = defineCommand('show', 'Show an identity with its names and records', {
  args: { identity: argument('Number of an identity') },
  examples: ['graph show 12'],
  run: (args) =>
    withGraph(args, async (graph) => {
      const card = await getIdentityCard(graph, parseIdentity(args.identity));
      const { identity, mergedFrom, names, firstSeen, lastSeen, records } = card;
      const lines = [
        `identity ${identity}${mergedFrom === null ? '' : ` (identity ${mergedFrom} was merged into it)`}`,
        `names: ${names.join(', ') || 'none'}`,
        `seen: ${formatDayOrUnknown(firstSeen)} to ${formatDayOrUnknown(lastSeen)}`,
        ...records.map(({ recordId, source }) => `record ${recordId} (${source})`),
      ];
      print(args, card, lines.join('\n'));
    }),
});

const formatDayOrUnknown = (time: number | null) => (time === null ? 'unknown' : formatDay(time));
