import { createReadStream, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { progress } from '@clack/prompts';
import { BonafideError } from '../errors.ts';
import { recordIdentities, show as showIdentity, why as explainPair } from '../graph/explain.ts';
import type { KeepingGraph } from '../graph/graph.ts';
import { openGraph } from '../graph/sqlite/open.ts';
import { importRecords, linkRecords } from '../import.ts';
import type { ImportInput } from '../import/keep.ts';
import type { ImportProgress, ImportSummary, ReadColumns } from '../import/progress.ts';
import { refuseDemoFolder } from './demo.ts';
import generate from './generate.ts';
import { COMMON, configOf, defineCommand, print, table } from './command.ts';

const importCommand = defineCommand({
  meta: {
    name: 'import',
    description: 'Import records from JSON Lines or CSV files (gzip too), or - for standard input',
  },
  args: {
    ...COMMON,
    files: { type: 'positional', description: 'Files, or -', required: true, valueHint: 'FILE…' },
    map: {
      type: 'string',
      description: 'CSV columns, such as name=Full Name,email=Mail',
      valueHint: 'field=column,…',
    },
    region: {
      type: 'string',
      description: 'Country of numbers without a country code (BONAFIDE_REGION; default US)',
    },
    'dry-run': { type: 'boolean', description: 'Read and check everything, write nothing' },
    rejects: {
      type: 'string',
      description: 'Where to write what cannot be used (default rejects.jsonl in the data folder)',
      valueHint: 'file',
    },
  },
  examples: [
    'graph import people.jsonl',
    'graph import customers.csv.gz --map "name=Full Name,email=Mail" --dry-run',
    'graph import - < people.jsonl',
  ],
  async run({ args }) {
    const config = await configOf(args, { region: args.region });
    if (!args['dry-run']) await refuseDemoFolder(config);
    const inputs = args._.map(inputOf);
    const bar = progressBar(args.json === true);
    const graph = args['dry-run'] ? null : openGraph(config);
    const summary = await importRecords({
      graph,
      inputs,
      region: config.region,
      map: args.map,
      rejects: args.rejects ?? (args['dry-run'] ? undefined : join(config.dataDir, 'rejects.jsonl')),
      onProgress: bar.show,
    }).finally(async () => {
      bar.stop();
      await graph?.close();
    });
    print(args, jsonOf(summary), textOf(summary, args['dry-run'] === true));
  },
});

const link = defineCommand({
  meta: { name: 'link', description: 'Link all records anew, without importing any' },
  args: COMMON,
  examples: ['graph link'],
  run: ({ args }) =>
    withGraph(args, async (graph) => {
      const bar = progressBar(args.json === true);
      const { records, identities } = await linkRecords(graph, { onProgress: bar.show }).finally(bar.stop);
      print(args, { records, identities }, `the graph holds ${records} records on ${identities} identities`);
    }),
});

function inputOf(name: string): ImportInput {
  if (name === '-') return { name, stream: process.stdin, bytes: null };
  if (!existsSync(name)) throw new BonafideError('file_not_found', `There is no file ${name}.`);
  if (statSync(name).isDirectory())
    throw new BonafideError('unreadable_file', `${name} is a folder: name the files in it.`);
  return { name, stream: createReadStream(name), bytes: statSync(name).size };
}

/** A bar on standard error, in a terminal only: share done, records, rate, time left. */
function progressBar(quiet: boolean): { show(progress: ImportProgress): void; stop(): void } {
  if (quiet || !process.stderr.isTTY) return { show: () => undefined, stop: () => undefined };
  const bar = progress({ max: 1000, output: process.stderr });
  let [phase, started, at] = ['', 0, 0];
  return {
    show(now) {
      if (phase === '') bar.start('importing');
      if (now.phase !== phase) [phase, started, at] = [now.phase, performance.now(), 0];
      const seconds = (performance.now() - started) / 1000;
      const to = Math.round((now.done ?? 0) * 1000);
      const left = now.done ? `, ${Math.ceil((seconds * (1 - now.done)) / now.done)} s left` : '';
      const rate = now.phase === 'reading' ? `, ${Math.round(now.records / Math.max(seconds, 0.001))}/s` : '';
      bar.advance(Math.max(0, to - at), `${now.phase}: ${now.records} records${rate}${left}`);
      at = Math.max(at, to);
    },
    stop: () => void (phase !== '' && bar.stop('')),
  };
}

function jsonOf({ rejectsFile, firstRejects, ...summary }: ImportSummary): object {
  return { ...summary, rejects_file: rejectsFile, first_rejects: firstRejects };
}

function textOf(it: ImportSummary, dryRun: boolean): string {
  const lines = it.columns.map(columnsText);
  lines.push(
    `${it.read + it.rejected} records read, ${it.rejected} rejected, ${it.dropped} single values dropped`,
  );
  for (const { input, line, whole, reason } of it.firstRejects)
    lines.push(`  ${input}, line ${line}: ${reason}${whole ? '' : ' (left out)'}`);
  if (it.rejectsFile) lines.push(`all that could not be used: ${it.rejectsFile}`);
  if (dryRun) return [...lines, 'dry run: nothing was written'].join('\n');
  lines.push(`${it.added} added, ${it.replaced} replaced`);
  lines.push(`the graph now holds ${it.records} records on ${it.identities} identities`);
  lines.push(`reading ${it.seconds.reading.toFixed(1)} s, linking ${it.seconds.linking.toFixed(1)} s`);
  return lines.join('\n');
}

function columnsText({ input, columns }: ReadColumns): string {
  const used = columns.flatMap(({ header, field }) => (field === null ? [] : [`${field}=${header}`]));
  const unused = columns.flatMap(({ header, field }) => (field === null ? [header] : []));
  return `${input}: ${used.join(', ')}${unused.length > 0 ? `; not used: ${unused.join(', ')}` : ''}`;
}

async function withGraph<T>(
  args: Parameters<typeof configOf>[0],
  work: (graph: KeepingGraph) => Promise<T>,
): Promise<T> {
  const graph = openGraph({ ...(await configOf(args)), create: false });
  try {
    return await work(graph);
  } finally {
    await graph.close();
  }
}

const stats = defineCommand({
  meta: { name: 'stats', description: 'What the graph holds' },
  args: COMMON,
  examples: ['graph stats'],
  run: ({ args }) =>
    withGraph(args, async (graph) => {
      const it = await graph.stats();
      const rows = Object.entries(it).map(([name, value]) => [name, String(value ?? 'never')]);
      const warnings = await graph.warnings();
      print(args, { ...it, warnings }, [table(rows), ...warnings].join('\n'));
    }),
});

const exportIds = defineCommand({
  meta: { name: 'export-ids', description: 'One line a record: its id and its identity' },
  args: COMMON,
  examples: ['graph export-ids > ids.jsonl'],
  run: ({ args }) =>
    withGraph(args, async (graph) => {
      for await (const { record_id, identity } of recordIdentities(graph))
        process.stdout.write(`${JSON.stringify({ record_id, identity })}\n`);
    }),
});

const why = defineCommand({
  meta: { name: 'why', description: 'The evidence that two records are one person, or not' },
  args: {
    a: { type: 'positional', description: 'A record id, or SOURCE:ID', required: true },
    b: { type: 'positional', description: 'Another one', required: true },
    ...COMMON,
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
        table(rows),
        `${it.bits.toFixed(1)} bits in all, ${it.needed} needed: ${verdict}`,
        it.together ? 'They are in one identity.' : 'They are in different identities.',
      ];
      if (it.together && it.bits < it.needed) lines.push('Other records of the identity join them.');
      print(args, it, lines.join('\n'));
    }),
});

const show = defineCommand({
  meta: { name: 'show', description: 'One identity: its names and records' },
  args: { identity: { type: 'positional', description: 'An identity number', required: true }, ...COMMON },
  examples: ['graph show 12'],
  run: ({ args }) =>
    withGraph(args, async (graph) => {
      if (!/^\d{1,15}$/.test(args.identity))
        throw new BonafideError('invalid_arguments', 'An identity is a positive whole number.');
      const it = await showIdentity(graph, Number(args.identity));
      const day = (time: number | null) =>
        time === null ? 'unknown' : new Date(time).toISOString().slice(0, 10);
      const lines = [
        `identity ${it.identity}${it.mergedFrom === null ? '' : ` (${it.mergedFrom} was merged into it)`}`,
        `names: ${it.names.join(', ') || 'none'}`,
        `seen: ${day(it.firstSeen)} to ${day(it.lastSeen)}`,
        ...it.records.map(({ recordId, source }) => `record ${recordId} (${source})`),
      ];
      print(args, it, lines.join('\n'));
    }),
});

export default defineCommand({
  meta: { name: 'graph', description: 'Import records and look into the identity graph' },
  subCommands: { import: importCommand, link, stats, 'export-ids': exportIds, why, show, generate },
  examples: ['graph import people.jsonl', 'graph stats', 'graph why crm-1 shop-17'],
});
