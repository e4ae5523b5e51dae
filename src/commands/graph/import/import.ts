import { noteAct } from '../../audit/note.ts';
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError } from '../../../errors.ts';
import type { KeepingGraph } from '../../../graph/graph.ts';
import { openKeeping } from '../../../graph/engines.ts';
import { importRecords } from '../../../import.ts';
import { DATE_ORDERS } from '../../../import/source/cells/dates.ts';
import type { ImportSummary } from '../../../import/progress.ts';
import { refuseLost, remember } from '../../../platform/held.ts';
import { giveWay } from '../../../platform/threads/priority.ts';
import { COMMON, configOf, defineCommand, MAP, noteNew, print, REGION } from '../../command.ts';
import { stoppable } from '../../interrupted.ts';
import { refuseDemoFolder } from '../../serve/demo.ts';
import { inputOf, mapOf, refuseOutput } from './inputs.ts';
import { askAboutRejects, shareOf } from './max-rejects.ts';
import { showPlan } from './plan.ts';
import { recordsBar } from '../progress-bar.ts';
import { jsonOf, textOf } from './summary.ts';
import { takeBackLast } from './undo.ts';

export const importCommand = defineCommand({
  meta: {
    name: 'import',
    description: 'Import records from CSV or JSON files (gzip and zstd too), or - for standard input',
  },
  args: {
    ...COMMON,
    files: { type: 'positional', description: 'Files, or -', required: false, valueHint: 'FILE…' },
    source: {
      type: 'string',
      description: 'Where all records come from; by default what they name, or the name of the file',
      valueHint: 'name',
    },
    replace: { type: 'boolean', description: 'These are all records of their source: the others of it go' },
    undo: { type: 'boolean', description: 'Take back the last import, in place of importing files' },
    'allow-return': { type: 'boolean', description: 'Let in again who was forgotten' },
    ...MAP,
    ...REGION,
    yes: { type: 'boolean', alias: 'y', description: 'Ask nothing' },
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
    'graph import customers-2026-11.csv --source shop --replace',
    'graph import --undo',
    'graph import - < people.jsonl',
  ],
  async run({ args }) {
    giveWay();
    if (args.undo === true) return takeBackLast(args);
    if (args._.length === 0)
      throw new BonafideError('invalid_arguments', 'Name the files to import, or - for standard input.');
    const config = await configOf(args, { region: args.region });
    if (!args['dry-run']) {
      refuseLost(config.dataDir, 'records');
      await refuseDemoFolder(config);
    }
    for (const option of ['rejects', 'save-map'] as const)
      refuseOutput(option, args[option], { dataDir: config.dataDir, inputs: args._ });
    const inputs = args._.map(inputOf);
    const [sayMade, isNew] = [noteNew(config.dataDir), !existsSync(config.dataDir)];
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
      source: args.source,
      replace: args.replace,
      allowReturn: args['allow-return'],
    };
    const most = args['max-rejects'] === undefined ? null : shareOf(args['max-rejects']);
    const importing = () => {
      graph = args['dry-run'] ? null : openKeeping(config);
      return importRecords({
        ...reading,
        graph,
        inputs,
        onPlan: (plan) => showPlan(plan, planning),
        onRead: async (kept) => {
          bar.stop();
          await askAboutRejects(kept, { most, said: args['max-rejects'] ?? '', ask: planning.ask });
        },
        journal: { files: args._.length },
        rejects: args.rejects ?? (args['dry-run'] ? undefined : join(config.dataDir, 'rejects.jsonl')),
        onProgress: bar.show,
      });
    };
    const summary = await stoppable(importing, {
      close: () => void graph?.close(),
      says: 'The import was stopped: the graph is as it was before it. Run it again.',
    })
      .finally(async () => {
        bar.stop();
        await graph?.close();
      })
      .catch((error: unknown) => {
        if (isNew) leaveNothing(config.dataDir);
        throw error;
      });
    if (!args['dry-run']) sayMade();
    if (!args['dry-run']) noteImport(config.dataDir, summary);
    print(args, jsonOf(summary), textOf(summary, args['dry-run'] === true));
    if (summary.read === 0) throw nothingUsable(summary);
  },
});

/** Of a folder that was made for an import that failed. What somebody else put there stays. */
function leaveNothing(dataDir: string): void {
  for (const file of ['graph.db', 'records.db', 'link.db', 'rejects.jsonl', 'secret'])
    rmSync(join(dataDir, file), { force: true });
  if (existsSync(dataDir) && readdirSync(dataDir).length === 0) rmdirSync(dataDir);
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
