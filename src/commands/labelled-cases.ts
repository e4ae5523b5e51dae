// Labelled cases for `evaluate` and `calibrate`: from a file, or from calls whose outcome was reported.
import type { EarlierCall } from '../accounts/model.ts';
import { getMonthOfTime, parseMonth } from '../accounts/time.ts';
import { type LabelledCase, readCaseFile } from '../evaluate/cases.ts';
import type { CaseOutcome } from '../evaluate/outcome.ts';
import { getAccount } from '../store/accounts.ts';
import { listCallsWithReportedOutcome } from '../store/call-log.ts';
import type { CommonArgs } from './helpers/command.ts';
import { formatRecognisedColumns, openInputFile } from './helpers/files.ts';
import { withStore } from './helpers/open.ts';
import { createProgressBar } from './helpers/terminal.ts';

/**
 * Reads all labelled cases of a file. For a table, also returns a line about the recognised columns. Errors: file_not_found, those of
 * `readCaseFile`.
 */
export async function readLabelledCasesAndColumns(
  file: string,
  map?: string,
): Promise<{ cases: LabelledCase[]; columns: string | null }> {
  const { name, stream } = openInputFile(file);
  const { cases, columns } = await readCaseFile({ name, stream, map });
  return { cases, columns: columns && formatRecognisedColumns({ input: name, columns }) };
}

/** Shows a progress bar while `check` runs. `check` must call its argument with the number of checked cases. */
export async function runCaseCheckWithProgressBar<T>(
  cases: LabelledCase[],
  quiet: boolean,
  check: (onDone: (count: number) => void) => Promise<T>,
): Promise<T> {
  const bar = createProgressBar({ quiet, title: 'checking', unit: 'cases' });
  const result = await check((count) => bar.show({ phase: 'checking', done: count / cases.length, count }));
  bar.stop();
  return result;
}

export interface ReportedOutcomeOptions extends CommonArgs {
  month?: string | undefined;
  account?: string | undefined;
}

interface ReportedOutcomes {
  outcomes: CaseOutcome[];
  model: number;
}

/**
 * Reads the logged calls with a reported outcome, optionally of one month or account. Errors: invalid_arguments (the month), not_found (the
 * account), those of the store.
 */
export async function readReportedOutcomes(args: ReportedOutcomeOptions): Promise<ReportedOutcomes> {
  const month = args.month === undefined ? {} : { month: parseMonth(args.month) };
  const { account } = args;
  const calls = await withStore(args, 'empty', (store) => {
    if (account !== undefined) getAccount(store, account);
    return listCallsWithReportedOutcome(store, { ...month, ...(account !== undefined && { account }) });
  });
  const model = calls.reduce((newest, call) => Math.max(newest, call.scoringModel ?? 0), 0);
  return { outcomes: calls.map(toOutcome), model };
}

/** Converts a logged call to a case outcome. The log has no names and no country, only the number of contacts of each kind. */
function toOutcome(call: EarlierCall, index: number): CaseOutcome {
  const role = call.outcome === true ? 'genuine' : 'not_genuine';
  const unknown = { subkind: null, origin: null, country: null, request: {} };
  return {
    case: { id: call.requestId, line: index + 1, role, kind: role, ...unknown },
    score: call.score,
    unbounded: call.score,
    flagged: call.catfish,
    sent: { email: call.emails, phone: call.phones, address: call.addresses },
    country: null,
    call: { month: getMonthOfTime(call.time), account: call.account ?? 'no account' },
  };
}
