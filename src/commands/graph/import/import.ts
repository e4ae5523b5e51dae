// Command `bonafide graph import`: imports records from files, or undoes the last import.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../config.ts';
import { BonafideError } from '../../../errors.ts';
import { formatRecordAndIdentityCounts, formatCount } from '../../../evaluate/report/words.ts';
import { isGraphInDataFolder } from '../../../graph/engines.ts';
import type { RecordStoringGraph } from '../../../graph/graph.ts';
import { DATE_ORDERS } from '../../../import/columns/dates.ts';
import { getSourceFromFileName } from '../../../import/read.ts';
import { refuseUndoAfterKilledImport, undoImport } from '../../../import/sources.ts';
import type { ImportSummary } from '../../../import/summary.ts';
import { importRecords } from '../../../import.ts';
import { toAuditedSources } from '../../../people/erase/receipts.ts';
import { linkChangedRecords } from '../../../people/linking.ts';
import {
  canRebuildGraph,
  requireDataFilesNotMissing,
  registerDataFolderDatabase,
} from '../../../platform/data-folder.ts';
import { lowerThreadPriority } from '../../../platform/threads/priority.ts';
import { refuseFolderWithDemoRecords } from '../../serve/demo.ts';
import {
  defineChoiceOption,
  defineFlag,
  INPUT_FORMAT_OPTIONS,
  COLUMN_MAP_OPTION,
  defineOption,
  defineOptionalArgument,
  REGION_OPTION,
  createUsageError,
  YES_OPTION,
} from '../../helpers/arguments.ts';
import {
  type CommonArgs,
  defineCommand,
  loadSettings,
  printResult,
  createNewDataFolderNotifier,
} from '../../helpers/command.ts';
import {
  openInputFile,
  readColumnMapOptionText,
  refuseOutputOverInputOrDatabase,
} from '../../helpers/files.ts';
import { limitHeapGrowth } from '../../helpers/heap.ts';
import { recordCommandInAuditLog, withGraph } from '../../helpers/open.ts';
import {
  canAskOperator,
  createRecordsProgressBar,
  requireConfirmation,
  runWithCleanupOnInterrupt,
} from '../../helpers/terminal.ts';
import {
  requireColumnConfirmation,
  confirmImportWithoutNames,
  confirmUnusableRecords,
  createColumnMapSaver,
  parseMaxUnusableShareWithText,
  confirmRemoval,
} from './confirm.ts';
import { computeGraphIdentityCounts } from './identity-counts.ts';
import {
  formatImportResult,
  type ImportResult,
  toImportResultJson,
  listNothingReplacedWarnings,
} from './summary.ts';
import { registerRejectsFile } from '../../../people/erase/rejects.ts';
import { createDryRunImportTarget, createGraphImportTarget, type ImportTarget } from './target.ts';

export const graphImportCommand = defineCommand(
  'Import records from CSV or JSON files (also gzip and zstd)',
  {
    args: {
      files: defineOptionalArgument('Files, or - for standard input', 'FILE…'),
      source: defineOption(
        'Source of all records (default: the source in each record, else the name of the file)',
        'name',
      ),
      replace: defineFlag('The files have all records of their source: remove its other records'),
      undo: defineFlag('Undo the last import, in place of importing files'),
      'allow-reimport': defineFlag('Also import records of people who were forgotten'),
      ...COLUMN_MAP_OPTION,
      ...REGION_OPTION,
      ...YES_OPTION,
      'save-map': defineOption('Save the recognised columns to a file, for --map', 'file'),
      ...INPUT_FORMAT_OPTIONS,
      dates: defineChoiceOption([...DATE_ORDERS], 'Order of day, month and year in dates of digits'),
      'keep-companies': defineFlag('Keep rows of companies, couples, families, guests and tests'),
      'max-rejects': defineOption(
        'Maximum share of unusable records, such as 5%; with more, nothing is imported',
        'percent',
      ),
      'dry-run': defineFlag('Read, check and link the records, and write nothing'),
      rejects: defineOption(
        'File for rows left out, unusable records and values (default rejects.jsonl in the data folder; none in a dry run)',
        'file',
      ),
    },
    examples: [
      'graph import people.jsonl',
      'graph import customers.csv.gz --map "name=Full Name,email=Mail" --dry-run',
      'graph import customers-2026-11.csv --source shop --replace',
      'graph import --undo',
      'graph import - < people.jsonl',
    ],
    run: async (args) => {
      lowerThreadPriority();
      limitHeapGrowth();
      const files = args._;
      if (args.undo === true && files.length > 0)
        throw createUsageError(
          '--undo undoes the last import and takes no files. Leave out --undo or the files.',
        );
      if (args.undo === true) return undoLastImport(args);
      if (files.length === 0) throw createUsageError('Name the files to import, or - for standard input.');
      const config = await loadSettings(args, { region: args.region });
      const { dataDir } = config;
      const isDryRun = args['dry-run'] === true;
      if (!isDryRun) {
        if (isGraphInDataFolder(config) && !canRebuildGraph(dataDir))
          requireDataFilesNotMissing(dataDir, 'records');
        await refuseFolderWithDemoRecords(config);
      }
      for (const name of ['rejects', 'save-map'] as const)
        refuseOutputOverInputOrDatabase(name, args[name], { dataDir, inputs: files });
      const inputs = files.map(openInputFile);
      const reportNewFolder = createNewDataFolderNotifier(dataDir);
      const quiet = args.json === true;
      const ask = canAskOperator() && !args.yes && !isDryRun && !quiet;
      const saveMap = args['save-map'] === undefined ? undefined : createColumnMapSaver(args['save-map']);
      const limit =
        args['max-rejects'] === undefined ? null : parseMaxUnusableShareWithText(args['max-rejects']);
      // A new data folder without imported records is removed again, with its rejects file.
      const keepsRejects = args.rejects !== undefined || existsSync(dataDir);
      if (isDryRun && args.rejects !== undefined && existsSync(dataDir))
        registerRejectsFile(dataDir, args.rejects);
      const target = isDryRun
        ? createDryRunImportTarget(config, args.replace === true)
        : createGraphImportTarget(config, args.rejects);
      const result = await runImport(target, {
        region: config.region,
        map: args.map && readColumnMapOptionText(args.map),
        encoding: args.encoding,
        sheet: args.sheet,
        dates: args.dates,
        now: Date.now(),
        keepCompanies: args['keep-companies'],
        source: args.source,
        replace: args.replace,
        allowReturn: args['allow-reimport'],
        inputs,
        bar: createRecordsProgressBar(quiet, isDryRun ? 'reading' : 'importing'),
        onPlan: (plan) => requireColumnConfirmation(plan, { ask, quiet, saveMap, source: args.source }),
        onRead: async (read, file) => {
          if (!isDryRun && !args.yes) await confirmImportWithoutNames(read, ask);
          await confirmUnusableRecords(read, { limit, ask, file: keepsRejects ? file : null });
        },
        onReplace: async (removal) => {
          if (!isDryRun && !args.yes) await confirmRemoval(removal, ask);
        },
        journal: { files: files.length },
        rejects: args.rejects ?? (isDryRun ? undefined : join(dataDir, 'rejects.jsonl')),
      });
      if (!isDryRun) {
        reportNewFolder();
        recordImport(
          config,
          result.summary,
          args.source === undefined ? files.map(getSourceFromFileName) : [],
        );
      }
      const warnings = args.replace && !isDryRun ? listNothingReplacedWarnings(result.summary) : [];
      printResult(
        args,
        toImportResultJson(result),
        [formatImportResult(result, isDryRun), ...warnings].join('\n'),
      );
      if (result.summary.read === 0) throw nothingUsable(result.summary);
    },
  },
);

type ImportOptions = Omit<Parameters<typeof importRecords>[0], 'graph' | 'onProgress'> & {
  bar: ReturnType<typeof createRecordsProgressBar>;
};

/** Imports into a target, and then counts the identities of its graph. */
async function runImport(
  target: ImportTarget,
  { bar, onPlan, onRead, onReplace, ...options }: ImportOptions,
): Promise<ImportResult> {
  let graph: RecordStoringGraph | null = null;
  let ending: 'done' | 'failed' = 'failed';
  const importInto = () =>
    importRecords({
      ...options,
      graph: (graph = target.open()),
      existing: target.existing?.records,
      // These functions may ask a question, which a progress bar would overwrite.
      onPlan: async (plan) => {
        bar.stop();
        await onPlan?.(plan);
      },
      onRead: async (read, file) => {
        bar.stop();
        await onRead?.(read, file);
      },
      onReplace: async (removal) => {
        bar.stop();
        await onReplace?.(removal);
      },
      onProgress: bar.show,
    });
  const close = () => {
    void graph?.close();
    target.cleanUp('stopped');
  };
  try {
    const summary = await runWithCleanupOnInterrupt(importInto, {
      close,
      message: 'The import was interrupted. The graph is unchanged. Run the command again.',
    });
    ending = 'done';
    const people = await runWithCleanupOnInterrupt(async () => graph && computeGraphIdentityCounts(graph), {
      close,
      message: 'Interrupted. The import is complete; only its summary is missing.',
    });
    const suppressed = graph && !options.allowReturn ? await target.countSuppressed?.(graph) : undefined;
    const region = options.region ?? 'US';
    if (!suppressed) return { summary, people, unknown: null, region };
    const { barred, alike, unknown } = suppressed;
    return { summary: { ...summary, barred, alike }, people, unknown, region };
  } finally {
    bar.stop();
    await (graph as RecordStoringGraph | null)?.close();
    target.cleanUp(ending);
  }
}

function nothingUsable({ rejected, aside }: ImportSummary): BonafideError {
  const advice =
    rejected > 0
      ? 'The lines above list the reasons. --dry-run shows the recognised columns, and --map sets them.'
      : Object.values(aside).some(({ count }) => count > 0)
        ? 'Every row was read as a company, a couple, a family, a guest or a test. If another column has the names of people, choose it: --map "name=COLUMN". --keep-companies keeps such rows.'
        : 'The input has no records.';
  return new BonafideError('unreadable_file', `Nothing was imported. ${advice}`);
}

/** Adds an import to the audit log. `fileSources` are the sources named after a file. */
function recordImport(config: Config, summary: ImportSummary, fileSources: readonly string[]): void {
  const { added, replaced, removed, records, identities } = summary;
  if (identities > 0) registerDataFolderDatabase(config.dataDir, 'records');
  const { target, detail } = toAuditedSources(summary.sources.keys(), fileSources);
  recordCommandInAuditLog(config, {
    act: 'graph.import',
    target,
    detail: { added, replaced, removed, records, identities, ...detail },
  });
}

/** Undoes the last import. Errors: not_found if no import can be undone, invalid_arguments if it is not confirmed, and errors of the graph. */
const undoLastImport = (args: CommonArgs & { yes?: boolean | undefined }): Promise<void> =>
  withGraph(args, 'write', async (graph, config) => {
    const last = await graph.records.lastAppliedImport();
    if (!last) throw new BonafideError('not_found', 'There is no import to undo.');
    refuseUndoAfterKilledImport(config.dataDir, last);
    const time = new Date(last.at).toLocaleString();
    await requireConfirmation(`Undo the import of ${time}?`, args.yes === true);
    const result = await undoImport(graph, () => linkChangedRecords(graph));
    recordCommandInAuditLog(config, { act: 'graph.undo', target: '', detail: { ...result } });
    const { removed, restored, left } = result;
    const unchanged = left > 0 ? `, ${left} kept because they changed since` : '';
    const counts = `${formatCount(removed, 'record')} removed, ${restored} restored${unchanged}`;
    printResult(
      args,
      result,
      `The last import is undone: ${counts}.\nThe graph now has ${formatRecordAndIdentityCounts(result)}.`,
    );
  });
