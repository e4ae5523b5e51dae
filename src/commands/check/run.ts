// Run of `check --file`: reads rows, checks several rows at once, and writes the results in the order of the input.
import { setImmediate } from 'node:timers/promises';
import { RESULT_OF_EMPTY_ROW, type RowCheckResult, createRowCheckResultWithError } from '../../admin/wire.ts';
import type { OutputFile } from './output.ts';
import { type PeopleInput, type PersonRow, isAnsweredOutputLine } from './rows.ts';
import type { CheckablePersonRow, CheckBackend } from './targets.ts';

export interface CheckPeopleOptions {
  input: PeopleInput;
  target: CheckBackend;
  output: OutputFile;
  /** Called after each result line that is written to the output. */
  onLine(tally: CheckedRowCounts): void;
}

export interface CheckedRowCounts {
  /** Number of result lines in the output. */
  rows: number;
  answered: number;
  /** Number of result lines that an earlier run wrote. */
  before: number;
}

interface PendingRow {
  row: PersonRow;
  result: Promise<RowCheckResult>;
}

/** Number of rows after which the loop pauses, so that signals and the progress bar are handled. */
const ROWS_PER_TURN = 50;

/**
 * Checks each row and writes its result line. Rows that an earlier run answered are skipped. `tally` is correct at any time, also after an
 * error. Errors: those of reading, checking and writing.
 */
export async function checkPeople(
  { input, target, output, onLine }: CheckPeopleOptions,
  tally: CheckedRowCounts,
): Promise<void> {
  const abort = new AbortController();
  const pending: PendingRow[] = [];
  const countLine = (row: PersonRow, line: string) => {
    if (isEmptyRow(row)) return;
    tally.rows++;
    if (isAnsweredOutputLine(line)) tally.answered++;
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

/** True for a row without a person. It gets an output line too, so that line numbers agree. */
const isEmptyRow = ({ request, problem }: PersonRow) => !request && problem === undefined;

/** Starts the check of a row. An error of the check is thrown only when its line is written. */
function startCheck(row: PersonRow, target: CheckBackend, signal: AbortSignal): Promise<RowCheckResult> {
  const { request, problem, line } = row;
  if (isEmptyRow(row)) return Promise.resolve(RESULT_OF_EMPTY_ROW);
  if (!request)
    return Promise.resolve(createRowCheckResultWithError(`unreadable_row: line ${line}: ${problem}.`));
  const result = target.check(row as CheckablePersonRow, signal);
  result.catch(() => undefined);
  return result;
}
