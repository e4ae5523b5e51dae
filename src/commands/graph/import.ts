import { noteAct } from '../audit/note.ts';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError } from '../../errors.ts';
import type { KeepingGraph } from '../../graph/graph.ts';
import { openGraph } from '../../graph/sqlite/open.ts';
import { importRecords } from '../../import.ts';
import { DATE_ORDERS } from '../../import/source/cells/dates.ts';
import type { ImportInput } from '../../import/keep.ts';
import type { ImportSummary } from '../../import/progress.ts';
import { refuseLost, remember } from '../../platform/held.ts';
import { giveWay } from '../../platform/threads/priority.ts';
import { refuseOwnFile } from '../../keep/kept-files.ts';
import { COMMON, configOf, defineCommand, MAP, noteNew, print, REGION } from '../command.ts';
import { stoppable } from '../interrupted.ts';
import { refuseDemoFolder } from '../serve/demo.ts';
import { requireFew } from './max-rejects.ts';
import { showPlan } from './plan.ts';
import { recordsBar } from './progress-bar.ts';

export const importCommand = defineCommand({
  meta: {
    name: 'import',
    description: 'Import records from CSV or JSON files (gzip and zstd too), or - for standard input',
  },
  args: {
    ...COMMON,
    files: { type: 'positional', description: 'Files, or -', required: true, valueHint: 'FILE…' },
    ...MAP,
    ...REGION,
    yes: { type: 'boolean', alias: 'y', description: 'Do not ask whether the columns are understood' },
    'save-map': {
      type: 'string',
      description: 'Keep what the columns are taken for, for --map',
      valueHint: 'file',
    },
    dates: {
      type: 'enum',
      options: [...DATE_ORDERS],
      description: 'Order of day, month and year in numbers',
    },
    'keep-companies': { type: 'boolean', description: 'Keep rows of companies, guests and tests' },
    'max-rejects': {
      type: 'string',
      description: 'Share of records that may be unusable, such as 5%; beyond, nothing is imported',
      valueHint: 'percent',
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
    giveWay();
    const config = await configOf(args, { region: args.region });
    if (!args['dry-run']) {
      refuseLost(config.dataDir, 'records');
      await refuseDemoFolder(config);
    }
    for (const option of ['rejects', 'save-map'] as const)
      refuseOutput(option, args[option], { dataDir: config.dataDir, inputs: args._ });
    const inputs = args._.map(inputOf);
    const sayMade = noteNew(config.dataDir);
    const bar = recordsBar(args.json === true, 'importing');
    const terminal = process.stdin.isTTY && process.stderr.isTTY;
    const planning = {
      ask: terminal && !args.yes && !args['dry-run'] && args.json !== true,
      quiet: args.json === true,
      saveMap: args['save-map'],
    };
    let graph: KeepingGraph | null = null;
    const reading = {
      region: config.region,
      map: args.map && mapOf(args.map),
      dates: args.dates,
      keepCompanies: args['keep-companies'],
    };
    if (args['max-rejects'] !== undefined)
      await requireFew(() => args._.map(inputOf), reading, args['max-rejects']);
    const importing = () => {
      graph = args['dry-run'] ? null : openGraph(config);
      return importRecords({
        ...reading,
        graph,
        inputs,
        onPlan: (plan) => showPlan(plan, planning),
        rejects: args.rejects ?? (args['dry-run'] ? undefined : join(config.dataDir, 'rejects.jsonl')),
        onProgress: bar.show,
      });
    };
    const summary = await stoppable(importing, {
      close: () => void graph?.close(),
      says: 'The import was stopped: the graph is as it was before it. Run it again.',
    }).finally(async () => {
      bar.stop();
      await graph?.close();
    });
    if (!args['dry-run']) sayMade();
    if (!args['dry-run']) noteImport(config.dataDir, summary);
    print(args, jsonOf(summary), textOf(summary, args['dry-run'] === true));
    if (summary.read === 0) throw nothingUsable(summary);
  },
});

/** An output is written over a file that is there: never over what is read, nor over the graph. */
function refuseOutput(
  option: string,
  file: string | undefined,
  { dataDir, inputs }: { dataDir: string; inputs: string[] },
): void {
  if (!file) return;
  refuseOwnFile(dataDir, file);
  const [there, ...read] = [file, ...inputs].map((name) => statSync(name, { throwIfNoEntry: false }));
  if (there?.isFile() && read.some((input) => input?.ino === there.ino && input.dev === there.dev))
    throw new BonafideError(
      'invalid_arguments',
      `--${option} names a file that is imported: choose another.`,
    );
}

function nothingUsable({ rejected, aside }: ImportSummary): BonafideError {
  const advice =
    rejected > 0
      ? 'the reasons are above; --dry-run shows what each column is taken for, and --map says it otherwise'
      : aside.company + aside.placeholder > 0
        ? 'every row is a company, a guest or a test; --keep-companies keeps them'
        : 'there are no records in it';
  return new BonafideError('unreadable_file', `Nothing could be used: ${advice}.`);
}

function noteImport(dataDir: string, summary: ImportSummary): void {
  const { added, replaced, removed, records, identities } = summary;
  if (identities > 0) remember(dataDir, 'records');
  noteAct(dataDir, {
    act: 'graph.import',
    target: '',
    detail: { added, replaced, removed, records, identities },
  });
}

export function inputOf(name: string): ImportInput {
  if (name === '-') return { name, stream: process.stdin, bytes: null };
  if (!existsSync(name)) throw new BonafideError('file_not_found', `There is no file ${name}.`);
  if (statSync(name).isDirectory())
    throw new BonafideError('unreadable_file', `${name} is a folder: name the files in it.`);
  return { name, stream: createReadStream(name), bytes: statSync(name).size };
}

/** A map as it is said, or in a file. */
function mapOf(said: string): string {
  return said.includes('=') || !existsSync(said) ? said : readFileSync(said, 'utf8');
}

function jsonOf({ rejectsFile, firstRejects, sources, ...summary }: ImportSummary): object {
  return { ...summary, sources: [...sources], rejects_file: rejectsFile, first_rejects: firstRejects };
}

function textOf(it: ImportSummary, dryRun: boolean): string {
  const lines = [...it.forms.flatMap(formText), ...it.columns.map(columnsText)];
  lines.push(
    `${it.read + it.rejected} records read, ${it.rejected} rejected, ${it.dropped} single values dropped`,
  );
  for (const { input, line, whole, reason } of it.firstRejects)
    lines.push(`  ${input}, line ${line}: ${reason}${whole ? '' : ' (left out)'}`);
  const { company, placeholder } = it.aside;
  if (company + placeholder > 0)
    lines.push(
      `left out as no people: companies ${company}, guests and tests ${placeholder} (--keep-companies keeps them)`,
    );
  if (it.rejectsFile) lines.push(`all that could not be used: ${it.rejectsFile}`);
  if (dryRun) return [...lines, 'dry run: nothing was written'].join('\n');
  const removed = it.removed > 0 ? `, ${it.removed} taken out` : '';
  lines.push(`${it.added} added, ${it.replaced} replaced${removed}`);
  lines.push(`the graph now holds ${it.records} records on ${it.identities} identities`);
  lines.push(`reading ${it.seconds.reading.toFixed(1)} s, linking ${it.seconds.linking.toFixed(1)} s`);
  return lines.join('\n');
}

/** What is worth telling of an input: nothing of plain UTF-8. */
function formText({ input, form }: ImportSummary['forms'][number]): string[] {
  const told = [form.packing, form.encoding === 'UTF-8' ? null : form.encoding].filter(
    (word) => word !== null,
  );
  return told.length > 0 ? [`${input}: ${told.join(', ')}`] : [];
}

/** What the columns of a table were taken for, on one line. */
export function columnsText(of: {
  input: string;
  columns: { header: string; field: string | null }[];
}): string {
  const { input, columns } = of;
  const used = columns.flatMap(({ header, field }) => (field === null ? [] : [`${field}=${header}`]));
  const unused = columns.flatMap(({ header, field }) => (field === null ? [header] : []));
  return `${input}: ${used.join(', ')}${unused.length > 0 ? `; not used: ${unused.join(', ')}` : ''}`;
}
