import { join } from 'node:path';
import { type Config, DEFAULT_GRAPH_SETTINGS, parseRecordEncryptionAndRetention } from '../../config.ts';
import { formatCount } from '../../evaluate/report/words.ts';
import type { RecordStoringGraph } from '../../graph/graph.ts';
import type { SourceRecordId } from '../../graph/records.ts';
import { requireNotOwnDataFile } from '../../maintenance/data-files.ts';
import {
  groupRecordsByIdentity,
  listSelectedRecords,
  selectRecords,
  selectRecordsToForget,
  type SelectedPerson,
} from '../../people/select-records.ts';
import { completePendingLinking } from '../../people/linking.ts';
import {
  parseRecordAgeToMs,
  requirePlausibleClock,
  createErasureAuditAction,
  completeInterruptedErasureAndReceipt,
  finishReceiptsOfInterruptedErasures,
  eraseRecordsAndWriteReceipt,
  type RecordToErase,
  findReimportedRecords,
  findExpiredRecords,
  type WatchEraser,
} from '../../people/erase/forget.ts';
import {
  readSuppressionMarks,
  type ErasureReceipt,
  listReceiptFilePaths,
  formatReceiptJson,
} from '../../people/erase/receipts.ts';
import {
  defineFlag,
  defineOption,
  parseIdentityNumber,
  REGION_OPTION,
  createUsageError,
  YES_OPTION,
} from '../helpers/arguments.ts';
import { defineCommand, printResult, printNote, type OptionValuesGetter } from '../helpers/command.ts';
import { writeOutputFile } from '../helpers/files.ts';
import { recordCommandInAuditLog, withGraph } from '../helpers/open.ts';
import { requireConfirmation } from '../helpers/terminal.ts';
import { createWatchAndJobEraser } from '../../watches/forget.ts';

export const graphForgetCommand = defineCommand(
  'Remove people or records from all files of the data folder, for good',
  {
    args: {
      identity: defineOption('Identity number. This option and the next three may be repeated'),
      record: defineOption('A record, SOURCE:ID'),
      email: defineOption('The e-mail address of one identity'),
      phone: defineOption('The phone number of one identity'),
      'older-than': defineOption(
        'In place of these: all records last seen longer ago than this, such as 5y',
        'time',
      ),
      due: defineFlag('In place of these: all records older than the setting graph.keep allows'),
      'clock-is-right': defineFlag(
        'With --older-than or --due: also remove most of the graph if no record was seen for a year',
      ),
      repeat: defineFlag(
        'In place of these: people who were forgotten earlier and are on record again, for example after a restore',
      ),
      'dry-run': defineFlag('Show what would be removed, and change nothing'),
      ...YES_OPTION,
      'allow-reimport': defineFlag('Let a later import add the records again'),
      rewrite: defineFlag('Rewrite the files even if they contain no trace of the removed data'),
      receipt: defineOption('Also write the receipt to this file', 'file'),
      ...REGION_OPTION,
    },
    examples: [
      'graph forget --identity 12',
      'graph forget --email jane@example.com --dry-run',
      'graph forget --record shop:1017 --yes --receipt receipt.json',
      'graph forget --older-than 5y --yes',
      'graph forget --due --yes',
    ],
    run: (args, valuesOf) => {
      const isDryRun = args['dry-run'] === true;
      return withGraph(args, isDryRun ? 'read' : 'write', async (graph, config) => {
        const { dataDir, region, graph: graphSetting, backup } = config;
        if (args.receipt) requireNotOwnDataFile(dataDir, args.receipt);
        const watchEraser = createWatchAndJobEraser(config);
        if (!isDryRun) await completeInterruptedErasure(graph, config, watchEraser);
        // Records that are stored but not linked yet belong to no identity, so the selection would miss them.
        await completePendingLinking(graph);
        const receipts = args.repeat === true ? listReceiptFilePaths(dataDir) : null;
        const hasNoReceipts = receipts?.length === 0;
        const plan = await planForgetting(graph, {
          valuesOf,
          age: args['older-than'] ?? (args.due ? readMaxAge(graphSetting) : undefined),
          receipts,
          region,
          isClockRight: args['clock-is-right'] === true || isDryRun,
          isConfirmed: args.yes === true && !isDryRun,
        });
        const text = formatPlan(plan);
        if (args.repeat && !isDryRun && plan.names.length === 0)
          await finishReceiptsOfInterruptedErasures(graph, dataDir, args['allow-reimport']);
        if (hasNoReceipts)
          printNote(
            `There are no receipts in ${join(dataDir, 'receipts')}, so nobody was searched for. If people were forgotten, copy that folder back and repeat the command.`,
          );
        if (isDryRun || plan.names.length === 0) {
          const data = { records: plan.names.length, people: plan.people.map(toJson), more: plan.more };
          const end =
            args.repeat && !hasNoReceipts && !isDryRun && !args['allow-reimport']
              ? 'Later imports leave out everybody whom a receipt names.'
              : 'Nothing was changed.';
          return printResult(args, { ...data, dry_run: isDryRun }, `${text}\n${end}`);
        }
        if (args.json !== true) printNote(text);
        await requireConfirmation(
          'Remove these records for good? No command can restore them.',
          args.yes === true,
        );
        const { receipt, file } = await eraseRecordsAndWriteReceipt(graph, plan.names, {
          dataDir,
          now: Date.now(),
          // A record removed because of its age may be imported again if the person was seen since.
          allowReturn: args['allow-reimport'] ?? args.due,
          rewrite: args.rewrite,
          select: plan.select,
          backupsTo: backup?.to,
          watchEraser,
        });
        if (args.repeat) await finishReceiptsOfInterruptedErasures(graph, dataDir, args['allow-reimport']);
        recordCommandInAuditLog(config, createErasureAuditAction(receipt));
        if (args.receipt) writeOutputFile(args.receipt, formatReceiptJson(receipt), '--receipt');
        printResult(args, { ...receipt, receipt: file }, formatReceipt(receipt, file));
      });
    },
  },
);

/**
 * Completes an erasure that was interrupted, and adds it to the audit log. Returns false if bytes of deleted rows may remain in the store. See
 * `completeInterruptedErasureAndReceipt`.
 */
export async function completeInterruptedErasure(
  graph: RecordStoringGraph,
  config: Config,
  watchEraser: WatchEraser,
  force = false,
): Promise<boolean> {
  const { receipt, isStoreErased } = await completeInterruptedErasureAndReceipt(
    graph,
    config.dataDir,
    watchEraser,
    force,
  );
  if (receipt === null) return isStoreErased;
  recordCommandInAuditLog(config, createErasureAuditAction(receipt));
  printNote(
    `Completed an interrupted erasure of ${receipt.time}: ${formatCount(receipt.records, 'record')}.`,
  );
  return isStoreErased;
}

/** Returns the maximum age of records from the setting graph.keep. Errors: invalid_arguments if it has no age. */
function readMaxAge(setting: Config['graph']): string {
  const { age } = parseRecordEncryptionAndRetention(setting ?? DEFAULT_GRAPH_SETTINGS);
  if (age !== null) return age;
  throw createUsageError(
    'The setting graph.keep has no maximum age, such as 5y. Set it (see: bonafide docs settings), or use --older-than.',
  );
}

/** Records that `graph forget` will remove, grouped by identity, and how they were selected. */
interface ForgetPlan {
  names: SourceRecordId[];
  people: SelectedPerson[];
  more: number;
  /** Repeats the selection of the records; undefined if they are selected by age or by receipts. */
  select?: () => Promise<SourceRecordId[]>;
  /** Number of records without a date; undefined unless records are selected by age. */
  undated?: number;
}

interface ForgetRequest {
  valuesOf: OptionValuesGetter;
  /** Maximum age of records, such as `5y`; undefined if records are not selected by age. */
  age: string | undefined;
  /** Receipts of earlier erasures to repeat; null if no erasure is repeated. */
  receipts: string[] | null;
  region: string;
  isClockRight: boolean;
  /** True if the operator has confirmed the removal. */
  isConfirmed: boolean;
}

async function planForgetting(
  graph: RecordStoringGraph,
  { valuesOf, age, receipts, region, isClockRight, isConfirmed }: ForgetRequest,
): Promise<ForgetPlan> {
  const selector = ['identity', 'record', 'email', 'phone'].find((name) => valuesOf(name).length > 0);
  if (selector !== undefined && (age !== undefined || receipts !== null))
    throw createUsageError(
      `--${selector} cannot be used with --older-than, --due or --repeat. Leave one of them out.`,
    );
  if (receipts)
    return listPeople(graph, await findReimportedRecords(graph, receipts.flatMap(readSuppressionMarks)));
  if (age !== undefined) {
    const now = Date.now();
    const old = await findExpiredRecords(graph, parseRecordAgeToMs(age), now);
    if (!isClockRight) requirePlausibleClock(old, now);
    return { ...(await listPeople(graph, old.names)), undated: old.undated };
  }
  const selection = {
    identities: valuesOf('identity').map(parseIdentityNumber),
    records: valuesOf('record'),
    emails: valuesOf('email'),
    phones: valuesOf('phone'),
    region,
  };
  const people = await selectRecordsToForget(graph, selection, isConfirmed);
  const select = async () => listSelectedRecords(await selectRecords(graph, selection));
  return { names: listSelectedRecords(people), people, more: 0, select };
}

/**
 * Maximum number of identities that the command lists if the records to remove are selected by age (--older-than, --due) or by the receipts of
 * earlier erasures (--repeat).
 */
const MAX_LISTED = 100;

const listPeople = async (graph: RecordStoringGraph, names: RecordToErase[]): Promise<ForgetPlan> => ({
  names,
  ...(await groupRecordsByIdentity(graph, names, MAX_LISTED)),
});

const toJson = ({ identity, names, chosen, others }: SelectedPerson) => ({
  identity,
  names,
  records: chosen.map(({ source, recordId }) => ({ source, record_id: recordId })),
  others,
});

function formatPlan({ names, people, more, undated = 0 }: ForgetPlan): string {
  const lines = people.flatMap(({ identity, names: personNames, chosen, others }) => {
    const rest = others > 0 ? `  (keeps ${formatCount(others, 'other record')})` : '';
    return [
      `identity ${identity ?? 'not linked yet'}  ${personNames.join(', ') || 'without a name'}${rest}`,
      ...chosen.map(({ source, recordId }) => `  record ${source}:${recordId}`),
    ];
  });
  if (more > 0) lines.push(`… and ${formatCount(more, 'more identity', 'more identities')}`);
  lines.push(`${formatCount(names.length, 'record')} to remove`);
  if (undated > 0) lines.push(`${formatCount(undated, 'record')} without a date: not removed`);
  return lines.join('\n');
}

const NOT_SEARCHED =
  'These files cannot be searched: each is a backup, encrypted, under another secret, an uploaded import, unreadable, or in use. Delete each file when you do not need it any more.';

function formatReceipt(receipt: ErasureReceipt, file: string): string {
  const {
    records,
    identities,
    watches = 0,
    job_lines: jobLines = 0,
    traces,
    unsearched = [],
    beyond,
    logs_empty,
    marks,
  } = receipt;
  const removed = `Removed ${formatCount(records, 'record')} and ${formatCount(identities.length, 'identity', 'identities')}.`;
  const lines = [
    removed,
    traces.length === 0
      ? `Every ${unsearched.length > 0 ? 'searchable ' : ''}file of the data folder was searched: none contains the removed data.`
      : `The removed data is still in these files: ${traces.join(', ')}. Delete them when you do not need them any more.`,
  ];
  if (watches > 0) lines.push(`Deleted ${formatCount(watches, 'watch', 'watches')} with values of them.`);
  if (jobLines > 0) lines.push(`Deleted ${formatCount(jobLines, 'line')} of jobs with values of them.`);
  if (unsearched.length > 0)
    lines.push(`The removed data may still be in these files: ${unsearched.join(', ')}. ${NOT_SEARCHED}`);
  if (beyond !== undefined) lines.push(`The database has no row with the removed data; ${beyond}`);
  if (!logs_empty)
    lines.push(
      `${describeRemainingDeletedData(beyond)}. Run graph compact when calls may wait and the other process has ended.`,
    );
  lines.push(
    marks.length > 0
      ? 'A later import of the same source adds neither these records, nor records with one of their names and one of their e-mails, phones or addresses. Other records of the same people can be imported: under another name, with other contacts, or from another source.'
      : 'A later import may add the records again.',
    'Earlier backups still contain the data. See the page People on record: bonafide docs people',
    `receipt: ${file}`,
  );
  return lines.join('\n');
}

/**
 * Returns a clause about deleted data that PostgreSQL keeps while another connection still reads it. `unreachableCopies` is undefined for a
 * graph outside PostgreSQL.
 */
export const describeRemainingDeletedData = (unreachableCopies: string | undefined): string =>
  unreachableCopies === undefined
    ? 'A log or the store still contains deleted data: another process uses it, such as a backup, or the disk is full, or the store is so large that calls would wait for its rewriting'
    : 'Deleted rows are still in the tables: another process reads them, such as a backup, or the role may not run VACUUM';
