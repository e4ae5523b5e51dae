// What the columns of a table will be taken for: shown before the import, asked about in a terminal.
import { writeFileSync } from 'node:fs';
import { confirm, isCancel } from '@clack/prompts';
import { BonafideError } from '../../../errors.ts';
import { plural } from '../../../evaluate/report/words.ts';
import { sourceFromFileName } from '../../../import/read.ts';
import { toDisplayName } from '../../../import/columns/cells.ts';
import type { ColumnPlan } from '../../../import/input/plan.ts';
import { formatTable } from '../../shared/command.ts';
import type { ReadSummary } from '../../../import/summary.ts';

export interface Planning {
  /** Whether somebody can be asked, and is to be. */
  ask: boolean;
  /** Whether nothing but JSON is wanted. */
  quiet: boolean;
  /** Where all records come from, if it is said. */
  source?: string | undefined;
  /** Keeps the map; see `mapSaver`. */
  saveMap?: ((plan: ColumnPlan) => void) | undefined;
}

/**
 * Shows a plan on standard error, keeps its map and asks.
 *
 * Errors: `invalid_arguments` where the answer is no; those of `mapSaver`.
 */
export async function showPlan(plan: ColumnPlan, { ask, quiet, saveMap, source }: Planning): Promise<void> {
  saveMap?.(plan);
  if (!quiet || ask) process.stderr.write(`${planText(plan, source)}\n`);
  if (!ask) return;
  const answer = await confirm({ message: 'Import it like this?', output: process.stderr });
  if (isCancel(answer) || !answer)
    throw new BonafideError(
      'invalid_arguments',
      `Nothing of ${plan.input} was imported. Say what its columns are with --map, or keep this plan with --save-map FILE, edit it and give it to --map.`,
    );
}

/**
 * Keeps the map of a table in a file. Errors: `read_only` where it cannot be written; `invalid_arguments` where a second table has other columns,
 * for one map would be lost.
 */
export function mapSaver(file: string): (plan: ColumnPlan) => void {
  let saved: ColumnPlan | null = null;
  return (plan) => {
    if (saved !== null && saved.map !== plan.map)
      throw new BonafideError(
        'invalid_arguments',
        `--save-map keeps the columns of one table, and ${plan.input} has others than ${saved.input}: import each by itself. Nothing was imported.`,
      );
    saved = plan;
    saveTo(file, plan.map);
  };
}

function saveTo(file: string, map: string): void {
  try {
    writeFileSync(file, map, { mode: 0o600 });
  } catch {
    throw new BonafideError('read_only', `Cannot write the map to ${file}: choose another with --save-map.`);
  }
}

/** A line a column: header, field, masked examples; then whose the records are. @param said the source, if it is said */
export function planText(plan: ColumnPlan, said?: string): string {
  const { input, columns, more } = plan;
  const rows = columns.map(({ header, field, group, examples }) => [
    `  ${header || '(no header)'}`,
    field === null ? '-' : group === '' ? field : `${field} (${group})`,
    examples.join('  '),
  ]);
  const used = columns.filter(({ field }) => field !== null).length;
  const left = columns.length - used + more;
  const title = `${input}: what each column is taken for, with examples (x a letter, 9 a digit)`;
  const unused = left > 0 ? `; ${left === 1 ? 'one is' : `${left} are`} not used (-)` : '';
  const further = more > 0 ? [`  … and ${plural(more, 'field')} that few records have`] : [];
  return [`${title}${unused}`, formatTable(rows), ...further, `  ${sourceText(plan, said)}`].join('\n');
}

function sourceText({ input, sources }: ColumnPlan, said?: string): string {
  if (said !== undefined) return `source: ${toDisplayName(said)}, as --source says`;
  if (sources === null)
    return `source: ${toDisplayName(sourceFromFileName(input))}, after the name of the input; --source NAME gives another`;
  const each = sources.map(({ source, rows }) => `${toDisplayName(source)} ${rows}`);
  return `sources: as a column names them (in the first rows ${each.slice(0, MOST_SOURCES).join(', ')}${each.length > MOST_SOURCES ? ' …' : ''}); --source NAME makes it one`;
}
const MOST_SOURCES = 10;

// Whether an import goes on of which much cannot be used: asked when all is read and nothing of it is in the graph.
/** Beyond this share something is wrong with the file, or with how it is read. */
const ASKED_FROM = 0.1;

interface Asking {
  /** The share of records that may be unusable, 0-1, and how it was said; null where nothing was said. */
  most: number | null;
  said: string;
  /** Whether somebody can be asked. */
  ask: boolean;
  /** Where each is told and why. */
  file: string | null;
}

/** Errors: `unreadable_file` where more cannot be used than may be, `invalid_arguments` where the answer is no. */
export async function askAboutRejects(
  { read, rejected }: ReadSummary,
  { most, said, ask, file }: Asking,
): Promise<void> {
  const all = read + rejected;
  const share = rejected / Math.max(all, 1);
  const told = `${rejected} of ${all} records cannot be used`;
  const where = `${file === null ? '' : `${file} tells each and why; `}--dry-run tells how many of each kind.`;
  if (most !== null && share > most)
    throw new BonafideError('unreadable_file', `${told}, more than ${said}: nothing was imported. ${where}`);
  if (most !== null || share <= ASKED_FROM || read === 0 || !ask) return;
  const answer = await confirm({ message: `${told}. Import the others?`, output: process.stderr });
  if (isCancel(answer) || !answer)
    throw new BonafideError('invalid_arguments', `Nothing was imported. ${where}`);
}

/** `5%` or `5` as a share of 1. Errors: `invalid_arguments`. */
export function shareOf(said: string): number {
  const percent = /^(\d{1,3}(?:\.\d+)?) ?%?$/.exec(said)?.[1];
  if (percent !== undefined && Number(percent) <= 100) return Number(percent) / 100;
  throw new BonafideError('invalid_arguments', '--max-rejects must be a percentage such as 5%.');
}
