// The file of labelled cases that a command line names, and how far its checks are.
import type { Case } from '../../evaluate/case.ts';
import { readCases } from '../../evaluate/run/cases.ts';
import { columnsText, inputOf } from '../graph/import/inputs.ts';
import { progressBar } from '../graph/progress-bar.ts';

/**
 * All cases of a file, and of a table what its columns were taken for.
 *
 * Errors: file_not_found, those of `readCases`.
 */
export async function casesIn(
  file: string,
  map?: string,
): Promise<{ cases: Case[]; columns: string | null }> {
  const { name, stream } = inputOf(file);
  const { cases, columns } = await readCases({ name, stream, map });
  return { cases, columns: columns && columnsText({ input: name, columns }) };
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
