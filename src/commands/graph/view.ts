import { basename } from 'node:path';
import type { PeopleOperationResult } from '../../admin/graph/people-operations.ts';
import { GRAPH_REPORTS } from '../../admin/graph/reports.ts';
import { toGraphSurveyHtml } from '../../admin/overview/page.ts';
import type { Config } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { formatRecordAndIdentityCounts, formatCount } from '../../evaluate/report/words.ts';
import { listRecordIdentities } from '../../graph/inspect.ts';
import { maskIfContactLike } from '../../import/columns/cells.ts';
import { requireNotOwnDataFile } from '../../maintenance/data-files.ts';
import { checkPendingErasure, createErasureCheckResults } from '../../maintenance/doctor/databases.ts';
import { getStoreLocation, readPendingErasureInPostgres } from '../../store/open.ts';
import {
  defineArgument,
  defineOption,
  defineOptionalArgument,
  parseIdentityNumber,
  createUsageError,
  YES_OPTION,
} from '../helpers/arguments.ts';
import {
  type CommonArgs,
  defineCommand,
  formatDay,
  formatTable,
  formatTime,
  printResult,
} from '../helpers/command.ts';
import { writeOutputFile } from '../helpers/files.ts';
import { withGraph } from '../helpers/open.ts';
import { runAndPrintGraphOperation } from '../helpers/operations.ts';
import { requireConfirmation } from '../helpers/terminal.ts';

export const graphStatsCommand = defineCommand('Show counts of the graph, and warnings', {
  args: { html: defineOption('Also write an HTML report with charts; it needs no network', 'file') },
  examples: ['graph stats', 'graph stats --html graph.html'],
  run: (args) =>
    withGraph(args, 'read', async (graph, config) => {
      const { dataDir } = config;
      const { warnings: graphWarnings, ...counts } = await GRAPH_REPORTS.stats(graph, dataDir);
      const warnings = [...graphWarnings, ...(await listErasureWarnings(config))];
      if (args.html !== undefined) {
        requireNotOwnDataFile(dataDir, args.html);
        const options = { title: basename(dataDir), made: new Date().toISOString(), warnings };
        writeOutputFile(args.html, toGraphSurveyHtml(await GRAPH_REPORTS.survey(graph), options), '--html');
      }
      const rows = Object.entries(counts).map(([name, value]) => [name, String(value ?? 'never')]);
      printResult(args, { ...counts, warnings }, [formatTable(rows), ...warnings].join('\n'));
    }),
});

/**
 * Returns the warning about a pending erasure of the store; none if nothing is pending, or the store cannot be read. Only reads: it neither creates
 * nor migrates a store.
 */
async function listErasureWarnings(config: Config): Promise<string[]> {
  try {
    const place = getStoreLocation(config);
    const results =
      'url' in place
        ? createErasureCheckResults(readPendingErasureInPostgres(place.url) !== null)
        : await checkPendingErasure(config.dataDir);
    return results.map(({ says, todo }) => `${says} ${todo}`);
  } catch (error) {
    if (error instanceof BonafideError) return [];
    throw error;
  }
}

export const graphExportIdsCommand = defineCommand('Print id, source and identity of each record as JSON', {
  examples: ['graph export-ids > ids.jsonl'],
  run: (args) =>
    withGraph(args, 'read', async (graph) => {
      for await (const { record_id, source, identity } of listRecordIdentities(graph))
        process.stdout.write(`${JSON.stringify({ record_id, source, identity })}\n`);
    }),
});

export const graphWhyCommand = defineCommand('Show the evidence that two records are one person, or two', {
  args: {
    a: defineArgument('A record: ID, or SOURCE:ID'),
    b: defineArgument('Another record: ID, or SOURCE:ID'),
  },
  examples: ['graph why crm-1 shop-17', 'graph why crm:1 shop:1'],
  run: (args) => runAndPrintGraphOperation(args, 'why', { a: args.a, b: args.b }, formatEvidence),
});

function formatEvidence({
  evidence,
  bits,
  needed,
  conflict,
  together,
}: PeopleOperationResult<'why'>): string {
  const formatBits = (weight: number) => `${weight < 0 ? '' : '+'}${weight.toFixed(1)}`.padStart(7);
  const isEnough = bits >= needed;
  const verdict = isEnough ? 'enough to link them' : 'not enough to link them';
  return [
    formatTable(evidence.map(({ bits: weight, what }) => [formatBits(weight), what])),
    `${bits.toFixed(1)} bits in total, ${needed} needed: ${conflict ? 'they cannot be one person' : verdict}`,
    together ? 'Both records are in one identity.' : 'The records are in different identities.',
    ...(together && !isEnough ? ['They are linked through other records of the identity.'] : []),
  ].join('\n');
}

export const graphShowCommand = defineCommand('Show an identity with its names and records', {
  args: { identity: defineArgument('Identity number') },
  examples: ['graph show 12'],
  run: (args) => runAndPrintGraphOperation(args, 'show', parseIdentityNumber(args.identity), formatIdentity),
});

function formatIdentity(card: PeopleOperationResult<'show'>): string {
  const { identity, mergedFrom, names, firstSeen, lastSeen, records } = card;
  const formatSeen = (time: number | null) => (time === null ? 'unknown' : formatDay(time));
  return [
    `identity ${identity}${mergedFrom === null ? '' : ` (identity ${mergedFrom} was merged into it)`}`,
    `names: ${names.join(' / ') || 'none'}`,
    `seen: ${formatSeen(firstSeen)} to ${formatSeen(lastSeen)}`,
    ...records.map(({ recordId, source }) => `record ${source}:${recordId}`),
  ].join('\n');
}

export const graphSourcesCommand = defineCommand(
  'List the sources of records; `remove NAME` removes a source',
  {
    args: {
      act: defineOptionalArgument('`remove`, or nothing'),
      name: defineOptionalArgument('Name of the source to remove'),
      ...YES_OPTION,
    },
    examples: ['graph sources', 'graph sources remove shop'],
    run: async (args) => {
      if (args.act === undefined) return listSources(args);
      if (args.act !== 'remove' || !args.name)
        throw createUsageError('Run either `graph sources`, or `graph sources remove NAME`.');
      const name = maskIfContactLike(args.name);
      const question = `Remove all records of the source ${name}? This cannot be undone.`;
      await requireConfirmation(question, args.yes === true);
      await runAndPrintGraphOperation(args, 'removeSource', { source: args.name }, (result) =>
        [
          `Removed ${formatCount(result.removed, 'record')} of the source ${name}.`,
          `The graph now has ${formatRecordAndIdentityCounts(result)}.`,
        ].join('\n'),
      );
    },
  },
);

const listSources = (args: CommonArgs) =>
  withGraph(args, 'read', async (graph) => {
    const all = await GRAPH_REPORTS.sources(graph);
    const rows = all.map(({ source, records, firstSeen, lastSeen, imported }) => [
      source,
      formatCount(records, 'record'),
      formatPeriod(firstSeen, lastSeen),
      imported === null ? '' : `imported ${formatTime(imported).slice(0, 16).replace('T', ' ')}`,
    ]);
    printResult(args, all, all.length === 0 ? 'The graph has no records.' : formatTable(rows));
  });

function formatPeriod(first: number | null, last: number | null): string {
  if (first !== null && last !== null) return `${formatDay(first)} to ${formatDay(last)}`;
  if (first !== null) return `first seen ${formatDay(first)}`;
  return last === null ? 'no dates' : `last seen ${formatDay(last)}`;
}
