import type { Config } from '../../../config.ts';
import { recordAction, withGraph } from '../../shared/open.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError } from '../../../errors.ts';
import { sourcesNoted } from '../../../people/erase/receipt.ts';
import { isGraphInDataFolder } from '../../../graph/engines.ts';
import type { RecordGraph } from '../../../graph/graph.ts';
import { importRecords } from '../../../import.ts';
import { sourceFromFileName } from '../../../import/read.ts';
import { DATE_ORDERS } from '../../../import/columns/dates.ts';
import type { ImportSummary } from '../../../import/summary.ts';
import { canMakeGraph, refuseLost, remember } from '../../../platform/held.ts';
import { giveWay } from '../../../platform/threads/priority.ts';
import {
  COMMON_OPTIONS,
  loadSettings,
  defineCommand,
  MAP_OPTION,
  announceNewFolder,
  print,
  REGION_OPTION,
} from '../../shared/command.ts';
import { runInterruptibly, recordsProgressBar, confirmOrThrow } from '../../shared/terminal.ts';
import { refuseDemoFolder } from '../../serve/demo.ts';
import { openInputFile, readColumnMap, refuseOutputFile } from '../../shared/files.ts';
import { askAboutRejects, shareOf, mapSaver, showPlan } from './confirm.ts';
import { type Done, peopleOf } from './identity-counts.ts';
import { graphPlace, type Place, type Returning, trialPlace } from './target.ts';
import { limitHeapGrowth } from '../../shared/heap.ts';
import { jsonOf, textOf, unreplacedText } from './summary.ts';
import { undoImport } from '../../../import/sources.ts';
import { linkChanged } from '../../../people/linking/linking.ts';
import { holdingText, plural } from '../../../evaluate/report/words.ts';

export const importCommand = defineCommand({
  meta: {
    name: 'import',
    description: 'Import records from CSV or JSON files (gzip and zstd too), or - for standard input',
  },
  args: {
    ...COMMON_OPTIONS,
    files: { type: 'positional', description: 'Files, or -', required: false, valueHint: 'FILE…' },
    source: {
      type: 'string',
      description: 'Where all records come from; by default what they name, or the name of the file',
      valueHint: 'name',
    },
    replace: { type: 'boolean', description: 'These are all records of their source: the others of it go' },
    undo: { type: 'boolean', description: 'Take back the last import, in place of importing files' },
    'allow-return': { type: 'boolean', description: 'Let in again who was forgotten' },
    ...MAP_OPTION,
    ...REGION_OPTION,
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
    'dry-run': { type: 'boolean', description: 'Read, check and link everything, and write nothing' },
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
    limitHeapGrowth();
    if (args.undo === true) return takeBackLast(args);
    if (args._.length === 0)
      throw new BonafideError('invalid_arguments', 'Name the files to import, or - for standard input.');
    const config = await loadSettings(args, { region: args.region });
    const isTrial = args['dry-run'] === true;
    if (isTrial && args.rejects !== undefined) throw nothingToWrite();
    if (!isTrial) {
      if (isGraphInDataFolder(config) && !canMakeGraph(config.dataDir)) refuseLost(config.dataDir, 'records');
      await refuseDemoFolder(config);
    }
    for (const option of ['rejects', 'save-map'] as const)
      refuseOutputFile(option, args[option], { dataDir: config.dataDir, inputs: args._ });
    const inputs = args._.map(openInputFile);
    const sayMade = announceNewFolder(config.dataDir);
    const terminal = process.stdin.isTTY && process.stderr.isTTY;
    const planning = {
      ask: terminal && !args.yes && !isTrial && args.json !== true,
      quiet: args.json === true,
      saveMap: args['save-map'] === undefined ? undefined : mapSaver(args['save-map']),
      source: args.source,
    };
    const most = args['max-rejects'] === undefined ? null : shareOf(args['max-rejects']);
    const staysWritten = args.rejects !== undefined || existsSync(config.dataDir);
    const asking = { most, said: args['max-rejects'] ?? '', ask: planning.ask };
    const done = await imported(isTrial ? trialPlace(config) : graphPlace(config, args.rejects), {
      region: config.region,
      map: args.map && readColumnMap(args.map),
      dates: args.dates,
      now: Date.now(),
      keepCompanies: args['keep-companies'],
      source: args.source,
      replace: args.replace,
      allowReturn: args['allow-return'],
      inputs,
      bar: recordsProgressBar(args.json === true, isTrial ? 'reading' : 'importing'),
      onPlan: (plan) => showPlan(plan, planning),
      onRead: (kept, file) => askAboutRejects(kept, { ...asking, file: staysWritten ? file : null }),
      journal: { files: args._.length },
      rejects: isTrial ? undefined : (args.rejects ?? join(config.dataDir, 'rejects.jsonl')),
    });
    if (!isTrial) sayMade();
    const files = args.source === undefined ? args._.map(sourceFromFileName) : [];
    if (!isTrial) noteImport(config, done.summary, files);
    const unreplaced = args.replace && !isTrial ? unreplacedText(done.summary) : [];
    print(args, jsonOf(done), [textOf(done, isTrial), ...unreplaced].join('\n'));
    if (done.summary.read === 0) throw nothingUsable(done.summary);
  },
});

const nothingToWrite = () =>
  new BonafideError(
    'invalid_arguments',
    '--dry-run writes nothing, so there is no place for --rejects: its summary tells what cannot be used, and where.',
  );

type Importing = Omit<Parameters<typeof importRecords>[0], 'graph' | 'onProgress'> & {
  bar: ReturnType<typeof recordsProgressBar>;
};

/** Imports into a place, and looks at what came of it. */
async function imported(place: Place, { bar, onPlan, onRead, ...options }: Importing): Promise<Done> {
  const at: { graph: RecordGraph | null; how: 'done' | 'failed' } = { graph: null, how: 'failed' };
  const close = () => void at.graph?.close();
  const importing = () =>
    importRecords({
      ...options,
      graph: (at.graph = place.open()),
      // Both may ask, and a bar would write over the question.
      onPlan: async (plan) => {
        bar.stop();
        await onPlan?.(plan);
      },
      onRead: async (kept, file) => {
        bar.stop();
        await onRead?.(kept, file);
      },
      onProgress: bar.show,
    });
  try {
    const summary = await runInterruptibly(importing, {
      close: () => (close(), place.leave('stopped')),
      says: 'The import was stopped: the graph is as it was before it. Run it again.',
    });
    at.how = 'done';
    const people = await runInterruptibly(async () => at.graph && peopleOf(at.graph), {
      close: () => (close(), place.leave('stopped')),
      says: 'The import has ended; only its summary is missing.',
    });
    const returning = at.graph && !options.allowReturn ? await place.returning?.(at.graph) : undefined;
    return { summary: { ...summary, ...counted(returning) }, people, unknown: returning?.unknown ?? null };
  } finally {
    bar.stop();
    await at.graph?.close();
    place.leave(at.how);
  }
}

const counted = (returning?: Returning) => returning && { barred: returning.barred, alike: returning.alike };

function nothingUsable({ rejected, aside }: ImportSummary): BonafideError {
  const advice =
    rejected > 0
      ? 'the reasons are above; --dry-run shows what each column is taken for, and --map says it otherwise'
      : aside.company + aside.placeholder + aside.total > 0
        ? 'every row is a company, a guest or a test; --keep-companies keeps them'
        : 'there are no records in it';
  return new BonafideError('unreadable_file', `Nothing could be used: ${advice}.`);
}

function noteImport(config: Config, summary: ImportSummary, files: readonly string[]): void {
  const { added, replaced, removed, records, identities } = summary;
  if (identities > 0) remember(config.dataDir, 'records');
  const { target, detail } = sourcesNoted(summary.sources.keys(), files);
  recordAction(config, {
    act: 'graph.import',
    target,
    detail: { added, replaced, removed, records, identities, ...detail },
  });
}

// bonafide graph import --undo: the graph without the last import.
type Args = Parameters<typeof withGraph>[0] & { yes?: boolean | undefined; json?: boolean | undefined };

/** Errors: `not_found` where there is none, `invalid_arguments` where the answer is no or nobody can be asked, those of the graph. */
function takeBackLast(args: Args): Promise<void> {
  return withGraph(
    args,
    async (graph, config) => {
      await agreed(graph, args);
      const done = await undoImport(graph, () => linkChanged(graph));
      recordAction(config, { act: 'graph.undo', target: '', detail: { ...done } });
      const left = done.left > 0 ? `; ${done.left} changed since and stay` : '';
      const text = `the last import is taken back: ${plural(done.removed, 'record')} gone, ${done.restored} as they were${left}`;
      print(args, done, `${text}\nthe graph now holds ${holdingText(done)}`);
    },
    { writes: true },
  );
}

async function agreed({ records }: RecordGraph, { yes = false }: Args): Promise<void> {
  const last = await records.lastAppliedImport();
  if (!last) throw new BonafideError('not_found', 'There is no import that could be taken back.');
  await confirmOrThrow(`Take back the import of ${new Date(last.at).toLocaleString()}?`, yes);
}
