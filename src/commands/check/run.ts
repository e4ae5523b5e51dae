// Run of `check --file`: reads rows, checks several rows at once, and writes the results in the order of the input.
import { setImmediate } from 'node:timers/promises';
import { EMPTY_ROW_CHECK_RESULT, type RowCheckResult, toRowCheckError } from '../../admin/wire.ts';
import type { OutputFile } from './output.ts';
import { type PeopleInput, type PersonRow, isAnsweredLine } from './rows.ts';
import type { CheckablePersonRow, CheckTarget } from './targets.ts';

export interface PeopleFileRun {
  input: PeopleInput;
  target: CheckTarget;
  output: OutputFile;
  /** Called for each person whose result line was written to the output. */
  onLine(tally: CheckedRowCounts): void;
}

export interface CheckedRowCounts {
  /** Number of people whose result line is in the output. */
  rows: number;
  answered: number;
  /** Number of people whose result line an earlier run wrote. */
  before: number;
}

interface PendingRow {
  row: PersonRow;
  result: Promise<RowCheckResult>;
}

/** Number of rows between two pauses in which signals and the progress bar are handled. */
const ROWS_PER_TURN = 50;

/**
 * Writes a line for each row. Lines of an earlier run are skipped. The tally is correct at any time, also after an error. Errors: those of
 * reading, checking and writing; earlier results are written.
 */
export async function checkPeople(
  { input, target, output, onLine }: PeopleFileRun,
  tally: CheckedRowCounts,
): Promise<void> {
  const abort = new AbortController();
  const pending: PendingRow[] = [];
  const countLine = (row: PersonRow, line: string) => {
    if (isEmptyRow(row)) return;
    tally.rows++;
    if (isAnsweredLine(line)) tally.answered++;
    onLine(tally);
  };
  const writeFirst = async () => {
    const [first] = pending;
    if (!first) return;
    const { row, result } = first;
    const line = row.prefix + row.formatResult(await result);
    output.append(line);
    pending.shift();
    countLine(row, line);
  };
  try {
    for await (const row of input.rows) {
      if (typeof row === 'string') {
        if ((await output.readLine(row)) === null) output.append(row);
        continue;
      }
      const earlierLine = await output.readLine(row.prefix);
      if (earlierLine !== null) {
        if (!isEmptyRow(row)) tally.before++;
        countLine(row, earlierLine);
        continue;
      }
      pending.push({ row, result: startCheck(row, target, abort.signal) });
      if (pending.length >= target.concurrency) await writeFirst();
      // Without this pause, signals and the progress bar would not be handled before the end of the run, because checks of the local graph
      // never wait.
      if (tally.rows % ROWS_PER_TURN === 0) await setImmediate();
    }
    while (pending.length > 0) await writeFirst();
    await output.finish();
  } finally {
    abort.abort();
  }
}

/** True for an empty row. The output has a line for it, so that both files have the same line numbers. */
const isEmptyRow = ({ request, problem }: PersonRow) => !request && problem === undefined;

/** Starts the check of a row. A rejection is handled when the line is written. */
function startCheck(row: PersonRow, target: CheckTarget, signal: AbortSignal): Promise<RowCheckResult> {
  const { request, problem, line } = row;
  if (isEmptyRow(row)) return Promise.resolve(EMPTY_ROW_CHECK_RESULT);
  if (!request) return Promise.resolve(toRowCheckError(`unreadable_row: line ${line}: ${problem}.`));
  const result = target.check(row as CheckablePersonRow, signal);
  result.catch(() => undefined);
  return result;
}
