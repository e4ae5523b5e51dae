// Command `bonafide graph watch`: imports lines as they are appended to files.
import { statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { BonafideError } from '../../errors.ts';
import { formatRecordAndIdentityCounts } from '../../evaluate/report/words.ts';
import { isGraphInDataFolder, openRecordStoringGraph } from '../../graph/engines.ts';
import type { RecordStoringGraph } from '../../graph/graph.ts';
import { type FileFollower, createFileFollower } from '../../import/input/follow.ts';
import type { ImportSummary } from '../../import/summary.ts';
import { importRecords } from '../../import.ts';
import { completePendingLinking } from '../../people/linking.ts';
import { requireDataFilesNotMissing, registerDataFolderDatabase } from '../../platform/data-folder.ts';
import { lowerThreadPriority } from '../../platform/threads/priority.ts';
import { refuseFolderWithDemoRecords } from '../serve/demo.ts';
import { defineArgument, defineFlag, REGION_OPTION } from '../helpers/arguments.ts';
import {
  defineCommand,
  loadSettings,
  printResult,
  printNote,
  createNewDataFolderNotifier,
} from '../helpers/command.ts';
import { recordCommandInAuditLog, removeLeftoverFiles } from '../helpers/open.ts';
import { runWithCleanupOnInterrupt } from '../helpers/terminal.ts';

const BATCH_LINES = 1000;
const POLL_INTERVAL_MS = 100;
/** Time (ms) without new lines after which the records whose linking was postponed are linked. */
const QUIET_MS = 10_000;

export const graphWatchImportFilesCommand = defineCommand(
  'Import records as they are written to a file or a folder',
  {
    args: {
      path: defineArgument('A JSON Lines file, or a folder with such files', 'PATH'),
      ...REGION_OPTION,
      new: defineFlag('Skip the lines that exist already'),
      once: defineFlag('Import the lines that exist, then end'),
    },
    examples: ['graph watch changes.jsonl', 'graph watch /var/spool/customers --new'],
    run: async (args) => {
      lowerThreadPriority();
      const config = await loadSettings(args, { region: args.region });
      if (isGraphInDataFolder(config)) requireDataFilesNotMissing(config.dataDir, 'records');
      await refuseFolderWithDemoRecords(config);
      requireFileOrFolder(args.path);
      const reportNewFolder = createNewDataFolderNotifier(config.dataDir);
      const graph = openRecordStoringGraph(config);
      removeLeftoverFiles(config.dataDir);
      reportNewFolder();
      const onImport = (summary: ImportSummary, linesBefore: number) => {
        if (summary.identities > 0) registerDataFolderDatabase(config.dataDir, 'records');
        const { added, replaced, removed, rejected, records, identities } = summary;
        const counts = { added, replaced, removed, rejected, records, identities };
        recordCommandInAuditLog(config, { act: 'graph.import', target: '', detail: counts });
        printResult(args, counts, formatImport(summary, linesBefore));
      };
      const next = createFileFollower(args.path, { past: args.new === true, tell: printNote });
      const run = { graph, region: config.region, next, once: args.once === true, onImport };
      await runWithCleanupOnInterrupt(() => importNewLines(run), {
        close: () => void graph.close(),
        message: 'Stopped. The reported lines are imported. Run the command again to continue.',
      }).finally(() => graph.close());
    },
  },
);

function requireFileOrFolder(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats)
    throw new BonafideError('file_not_found', `There is no file or folder ${path}. Check the path.`);
  if (!stats.isFile() && !stats.isDirectory())
    throw new BonafideError(
      'unreadable_file',
      `${path} is neither a file nor a folder. Choose another path.`,
    );
}

interface WatchRun {
  graph: RecordStoringGraph;
  region: string;
  next: FileFollower;
  once: boolean;
  /** Called after each import. `linesBefore` is the number of lines of the file before the imported ones. */
  onImport(summary: ImportSummary, linesBefore: number): void;
}

async function importNewLines({ graph, region, next, once, onImport }: WatchRun): Promise<void> {
  let lastImportAt = performance.now();
  for (;;) {
    // The last line of a file may have no line end if no process writes to the file.
    const batch = next(BATCH_LINES) ?? (once ? next(BATCH_LINES, { rest: true }) : null);
    if (batch) {
      const inputs = [{ name: batch.file, stream: Readable.from([batch.bytes]), bytes: null }];
      const options = { graph, inputs, region, now: Date.now(), settle: false, lastWins: true };
      try {
        onImport(await importRecords(options), batch.linesBefore);
      } catch (error) {
        if (!(error instanceof BonafideError) || error.code !== 'unreadable_file') throw error;
        printNote(error.message);
      }
      lastImportAt = performance.now();
    } else if (once || performance.now() - lastImportAt > QUIET_MS) {
      await completePendingLinking(graph);
      if (once) return;
      lastImportAt = performance.now();
    } else await sleep(POLL_INTERVAL_MS);
  }
}

function formatImport(summary: ImportSummary, linesBefore: number): string {
  const { added, replaced, removed, rejected, identities, records, firstRejects } = summary;
  const rejects = firstRejects.map(
    ({ input, line, whole, reason }) =>
      `  ${input}, line ${linesBefore + line}: ${reason}${whole ? '' : ' (this value was left out)'}`,
  );
  const counts = `${added} added, ${replaced} replaced, ${removed} removed, ${rejected} rejected`;
  return [
    ...rejects,
    `${counts}. The graph has ${formatRecordAndIdentityCounts({ records, identities })}.`,
  ].join('\n');
}
