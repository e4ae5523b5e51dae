// Questions of an import: are the columns recognised correctly, and may many records be unusable?
import { formatCount } from '../../../evaluate/report/words.ts';
import { maskIfContactLike } from '../../../import/columns/cells.ts';
import type { ColumnMappingReport } from '../../../import/input/plan.ts';
import { getSourceFromFileName } from '../../../import/read.ts';
import { describeRemoval, needsRemovalConfirmation } from '../../../import/sources.ts';
import {
  describeMissingNames,
  hasNameColumn,
  doesImportLackNames,
  type ImportReadSummary,
  type RemovalOfRecords,
} from '../../../import/summary.ts';
import { BonafideError } from '../../../errors.ts';
import { createUsageError } from '../../helpers/arguments.ts';
import { formatTable, printNote } from '../../helpers/command.ts';
import { MISSING_HEADER_LABEL, writeOutputFile } from '../../helpers/files.ts';
import { askYesNo } from '../../helpers/terminal.ts';

export interface ColumnConfirmationOptions {
  /** True to ask the operator in the terminal if the columns are right. */
  ask: boolean;
  quiet: boolean;
  source?: string | undefined;
  saveMap?: ((plan: ColumnMappingReport) => void) | undefined;
}

/**
 * Shows how the columns of a table were recognised, saves the column map, and asks the operator to confirm. Errors: invalid_arguments if the
 * answer is no; errors of `saveMap`.
 */
export async function requireColumnConfirmation(
  plan: ColumnMappingReport,
  { ask, quiet, saveMap, source }: ColumnConfirmationOptions,
): Promise<void> {
  saveMap?.(plan);
  if (!quiet || ask) printNote(formatColumnPlan(plan, source));
  const hasNames = hasNameColumn(plan.columns);
  const question = `${hasNames ? '' : 'No column holds names. '}Import with these columns?`;
  // Without a recognised column of names, such a column was probably overlooked: then Enter means no.
  if (ask && !(await askYesNo(question, { initialValue: hasNames })))
    throw createUsageError(
      `Nothing was imported from ${plan.input}. Name its columns with --map, or save this map with --save-map FILE, edit the file, and use it with --map FILE.`,
    );
}

/**
 * Returns a function that saves the column map of a table in a file, which holds one map. Errors: read_only; invalid_arguments for a second
 * table with other columns.
 */
export function createColumnMapSaver(file: string): (plan: ColumnMappingReport) => void {
  let saved: ColumnMappingReport | null = null;
  return (plan) => {
    if (saved !== null && saved.map !== plan.map)
      throw createUsageError(
        `--save-map saves the columns of one table, but the columns of ${plan.input} and ${saved.input} differ. Nothing was imported. Import each file with a command of its own.`,
      );
    saved = plan;
    writeOutputFile(file, plan.map, '--save-map');
  };
}

/** Formats one line for each column (header, field, masked examples), and one about the source. `givenSource` is the value of --source. */
function formatColumnPlan(plan: ColumnMappingReport, givenSource?: string): string {
  const { input, columns, more, note } = plan;
  const id = columns.findIndex(({ field }) => field === 'record_id');
  const rows = columns.map((column, i) => {
    const isSecondId = column.field === 'record_id' && i !== id;
    const remark = isSecondId ? `only in rows without ${toShownHeader(columns[id])}` : getRemark(column);
    const field = remark === '' ? column.field : `${column.field} (${remark})`;
    return [`  ${toShownHeader(column)}`, field ?? '-', column.examples.join('  ')];
  });
  const unused = columns.filter(({ field }) => field === null).length + more;
  const title = `${input}: field of each column, with masked examples (x is a letter, 9 is a digit)`;
  return [
    ...(hasNameColumn(columns) ? describeMissingNames(plan) : [`${input}: no column holds names`]),
    unused > 0 ? `${title}; ${formatCount(unused, 'column is', 'columns are')} not used (-)` : title,
    ...(note === '' ? [] : [`  ${note}`]),
    formatTable(rows),
    ...(more > 0 ? [`  … and ${formatCount(more, 'more unused field')}`] : []),
    `  ${describeSource(plan, givenSource)}`,
  ].join('\n');
}

type PlannedColumn = ColumnMappingReport['columns'][number];

const toShownHeader = (column?: PlannedColumn): string => column?.header || MISSING_HEADER_LABEL;
const getRemark = ({ group, guessed }: PlannedColumn): string => (guessed ? 'guess by its values' : group);

/** Maximum number of sources that are listed. */
const MAX_SOURCES = 10;

function describeSource({ input, sources }: ColumnMappingReport, givenSource?: string): string {
  if (givenSource !== undefined) return `source: ${maskIfContactLike(givenSource)} (from --source)`;
  if (sources === null)
    return `source: ${maskIfContactLike(getSourceFromFileName(input))} (from the name of the input; --source NAME sets another name)`;
  const shown = sources
    .slice(0, MAX_SOURCES)
    .map(({ source, rows }) => `${maskIfContactLike(source)} ${rows}`)
    .join(', ');
  const more = sources.length > MAX_SOURCES ? ' …' : '';
  return `sources: from a column (records in the first rows: ${shown}${more}); --source NAME sets one name for all records`;
}

/**
 * Asks for confirmation to import records without names. Errors: invalid_arguments if the answer is no, or without a terminal. @param ask true
 * if the operator can be asked in the terminal
 */
export async function confirmImportWithoutNames(read: ImportReadSummary, ask: boolean): Promise<void> {
  if (!doesImportLackNames(read)) return;
  const count = `${read.learnt.nameless} of ${read.read} records have no name`;
  const question = `${count}. A check by name will not find these people. Import them?`;
  if (ask && (await askYesNo(question, { initialValue: false }))) return;
  throw createUsageError(
    `Nothing was imported: ${count}. Map the column with the names, --map "name=HEADER" (--dry-run shows the columns), or add --yes to import the records without names.`,
  );
}

/**
 * Asks for confirmation to remove more than half of the records of a source. Errors: invalid_arguments if the answer is no, or without a terminal.
 *
 * @param ask true if the operator can be asked in the terminal
 */
export async function confirmRemoval(removal: RemovalOfRecords, ask: boolean): Promise<void> {
  if (!needsRemovalConfirmation(removal)) return;
  const removed = describeRemoval(removal);
  if (ask && (await askYesNo(`The files lack ${removed}. Remove these records?`, { initialValue: false })))
    return;
  throw createUsageError(
    `Nothing was imported: --replace would remove ${removed}. If the files have all records of the source, add --yes. Otherwise leave out --replace.`,
  );
}

/** Minimum share (0 to 1) of unusable records for which the operator must confirm the import. */
const ASK_FROM_SHARE = 0.1;

export interface UnusableRecordsOptions {
  /** Value of --max-rejects: as given, and as a share from 0 to 1. Null without this option. */
  limit: { text: string; share: number } | null;
  /** True to ask the operator in the terminal if the usable records should be imported. */
  ask: boolean;
  /** Path of the file that lists each unusable record and the reason; null without such a file. */
  file: string | null;
}

/**
 * Asks the operator to confirm an import with unusable records if needed. Errors: unreadable_file if --max-rejects is exceeded,
 * invalid_arguments if the answer is no.
 */
export async function confirmUnusableRecords(
  { read, rejected }: ImportReadSummary,
  { limit, ask, file }: UnusableRecordsOptions,
): Promise<void> {
  const total = read + rejected;
  const share = rejected / Math.max(total, 1);
  const count = `${rejected} of ${total} records`;
  const advice = `${file === null ? '' : `${file} lists each record with the reason. `}--dry-run counts the reasons.`;
  if (limit !== null) {
    if (share <= limit.share) return;
    throw new BonafideError(
      'unreadable_file',
      `${count} cannot be used, and the limit is ${limit.text}. Nothing was imported. ${advice}`,
    );
  }
  if (share <= ASK_FROM_SHARE || read === 0 || !ask) return;
  if (!(await askYesNo(`${count} cannot be used. Import the other records?`)))
    throw createUsageError(`Nothing was imported. ${advice}`);
}

/** Parses a percentage such as `5%` or `5` into a share (0.05). Errors: invalid_arguments. */
export function parseMaxUnusableShareWithText(text: string): { text: string; share: number } {
  const percent = Number(/^(\d{1,3}(?:\.\d+)?) ?%?$/.exec(text)?.[1]);
  if (percent <= 100) return { text, share: percent / 100 };
  throw createUsageError('--max-rejects must be a percentage such as 5%.');
}
