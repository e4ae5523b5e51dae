// What an operator sees of a graph.
import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { BonafideError } from '../../errors.ts';
import type { RecordGraph } from '../../graph/graph.ts';
import { refuseOwnFile } from '../../maintenance/kept-files.ts';
import { toOverviewHtml } from '../../admin/overview/page.ts';
import { GRAPH_REPORTS } from '../../admin/graph/reports.ts';
import { listRecordIdentities, getIdentityCard as showIdentity, explainPair } from '../../graph/inspect.ts';
import { COMMON_OPTIONS, defineCommand, print, formatTable } from '../shared/command.ts';
import { parseIdentity } from '../shared/arguments.ts';
import { withGraph } from '../shared/open.ts';

export const stats = defineCommand({
  meta: { name: 'stats', description: 'What the graph holds' },
  args: {
    html: {
      type: 'string',
      description: 'Write a report with plots, which opens from disk',
      valueHint: 'file',
    },
    ...COMMON_OPTIONS,
  },
  examples: ['graph stats', 'graph stats --html graph.html'],
  run: ({ args }) =>
    withGraph(args, async (graph, { dataDir }) => {
      const it = await GRAPH_REPORTS.stats(graph, dataDir);
      if (args.html !== undefined)
        await writeOverview(graph, { file: args.html, dataDir, warnings: it.warnings });
      const { warnings, ...counts } = it;
      const rows = Object.entries(counts).map(([name, value]) => [name, String(value ?? 'never')]);
      print(args, it, [formatTable(rows), ...warnings].join('\n'));
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
  try {
    writeFileSync(file, html, { mode: 0o600 });
  } catch {
    throw new BonafideError('read_only', `Cannot write ${file}: choose another with --html.`);
  }
}

const day = (time: number | null) => (time === null ? 'unknown' : new Date(time).toISOString().slice(0, 10));

export const exportIds = defineCommand({
  meta: { name: 'export-ids', description: 'One line a record: its id, its source and its identity' },
  args: COMMON_OPTIONS,
  examples: ['graph export-ids > ids.jsonl'],
  run: ({ args }) =>
    withGraph(args, async (graph) => {
      for await (const { record_id, source, identity } of listRecordIdentities(graph))
        process.stdout.write(`${JSON.stringify({ record_id, source, identity })}\n`);
    }),
});

export const why = defineCommand({
  meta: { name: 'why', description: 'The evidence that two records are one person, or not' },
  args: {
    a: { type: 'positional', description: 'A record id, or SOURCE:ID', required: true },
    b: { type: 'positional', description: 'Another one', required: true },
    ...COMMON_OPTIONS,
  },
  examples: ['graph why crm-1 shop-17', 'graph why crm:1 shop:1'],
  run: ({ args }) =>
    withGraph(args, async (graph) => {
      const it = await explainPair(graph, args.a, args.b);
      const rows = it.evidence.map(({ bits, what }) => [
        `${bits < 0 ? '' : '+'}${bits.toFixed(1)}`.padStart(7),
        what,
      ]);
      const verdict = it.conflict
        ? 'they cannot be one person'
        : it.bits >= it.needed
          ? 'enough to join'
          : 'not enough to join';
      const lines = [
        formatTable(rows),
        `${it.bits.toFixed(1)} bits in all, ${it.needed} needed: ${verdict}`,
        it.together ? 'They are in one identity.' : 'They are in different identities.',
      ];
      if (it.together && it.bits < it.needed) lines.push('Other records of the identity join them.');
      print(args, it, lines.join('\n'));
    }),
});

export const show = defineCommand({
  meta: { name: 'show', description: 'One identity: its names and records' },
  args: {
    identity: { type: 'positional', description: 'An identity number', required: true },
    ...COMMON_OPTIONS,
  },
  examples: ['graph show 12'],
  run: ({ args }) =>
    withGraph(args, async (graph) => {
      const it = await showIdentity(graph, parseIdentity(args.identity));
      const lines = [
        `identity ${it.identity}${it.mergedFrom === null ? '' : ` (${it.mergedFrom} was merged into it)`}`,
        `names: ${it.names.join(', ') || 'none'}`,
        `seen: ${day(it.firstSeen)} to ${day(it.lastSeen)}`,
        ...it.records.map(({ recordId, source }) => `record ${recordId} (${source})`),
      ];
      print(args, it, lines.join('\n'));
    }),
});
