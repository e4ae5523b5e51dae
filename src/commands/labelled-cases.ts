// The file of labelled cases that a command line names, and how far its checks are.
import type { Case } from '../evaluate/case.ts';
import { readCases } from '../evaluate/run/cases.ts';
import { formatColumns, openInputFile } from './shared/files.ts';
import { progressBar } from './shared/terminal.ts';
import { monthOf, parseMonth } from '../accounts/time.ts';
import type { Outcome } from '../evaluate/outcome.ts';
import type { EarlierCall } from '../accounts/model.ts';
import { openAccounts } from '../store/accounts.ts';
import { listCallsWithOutcome } from '../store/call-log.ts';
import { withStore } from './shared/open.ts';

/**
 * All cases of a file, and of a table what its columns were taken for.
 *
 * Errors: file_not_found, those of `readCases`.
 */
export async function readLabelledCases(
  file: string,
  map?: string,
): Promise<{ cases: Case[]; columns: string | null }> {
  const { name, stream } = openInputFile(file);
  const { cases, columns } = await readCases({ name, stream, map });
  return { cases, columns: columns && formatColumns({ input: name, columns }) };
}

/** Shows how far the checks of so many cases are while `work` goes on. */
export async function withProgress<T>(
  cases: Case[],
  quiet: boolean,
  work: (onDone: (done: number) => void) => Promise<T>,
): Promise<T> {
  const bar = progressBar({ quiet, title: 'checking', unit: 'cases' });
  const result = await work((count) => bar.show({ phase: 'checking', done: count / cases.length, count }));
  bar.stop();
  return result;
}

// Cases out of the call log: the scores that were answered, and what callers told of them since.
type Asked = Parameters<typeof withStore>[0] & { month?: string | undefined; account?: string | undefined };

/**
 * What became of the calls of one month or account, or of all, and the newest version of the scoring model among them.
 *
 * Errors: invalid_arguments (no month, no such account), those of the store.
 */
export async function readReportedOutcomes(asked: Asked): Promise<{ outcomes: Outcome[]; model: number }> {
  const month = asked.month === undefined ? {} : { month: parseMonth(asked.month) };
  const { account } = asked;
  const rows = await withStore(
    asked,
    (store) => {
      if (account !== undefined) openAccounts(store).get(account);
      return listCallsWithOutcome(store, { ...month, ...(account !== undefined && { account }) });
    },
    () => [],
  );
  const model = rows.reduce((newest, { scoringModel }) => Math.max(newest, scoringModel ?? 0), 0);
  return { outcomes: rows.map(outcomeOf), model };
}

/** The log keeps no bounds, no country and no name: only how much of what kind was sent. */
function outcomeOf(call: EarlierCall, at: number): Outcome {
  const role = call.outcome === true ? 'genuine' : 'not_genuine';
  const none = { subkind: null, origin: null, country: null, request: {} };
  return {
    case: { id: call.requestId, line: at + 1, role, kind: role, ...none },
    score: call.score,
    unbounded: call.score,
    flagged: call.catfish,
    sent: { email: call.emails, phone: call.phones, address: call.addresses },
    country: null,
    told: { month: monthOf(call.time), account: call.account ?? 'no account' },
  };
}
