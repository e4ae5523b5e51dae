// Worker thread that evaluates one file of labelled cases. It opens the graph itself, and writes nothing.
import { workerData } from 'node:worker_threads';
import type { Config } from '../../config.ts';
import { BonafideError } from '../../errors.ts';
import { compareEvaluations, type EvaluationComparison } from '../../evaluate/compare.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { type CaseFileColumn, readCaseFile } from '../../evaluate/cases.ts';
import { evaluateCases } from '../../evaluate/check-cases.ts';
import { loadOperatorNameTable } from '../../names/index.ts';
import { sendEventToParentThread, serveThreadCalls } from '../../platform/threads/calls.ts';
import { lowerThreadPriority } from '../../platform/threads/priority.ts';
import { createCheckerWithoutServer } from '../local-checks.ts';

export interface EvaluationThreadData {
  config: Config;
  bytes: Uint8Array;
  name: string;
  map: string | undefined;
  before: Evaluation | null;
}

export interface FinishedEvaluation {
  evaluation: Evaluation;
  columns: CaseFileColumn[];
  comparison: EvaluationComparison | null;
}

/** Operations of the evaluation thread. It sends its progress as events. */
export type EvaluationThreadOperations = { evaluate: (input: null) => FinishedEvaluation };

/** Maximum number of cases in an uploaded file. Larger files can be evaluated on the command line. */
const MAX_CASES = 50_000;

const data: EvaluationThreadData = workerData;

async function run({ config, bytes, name, map, before }: EvaluationThreadData): Promise<FinishedEvaluation> {
  const { cases, columns } = await readCaseFile({ name, stream: inParts(bytes), map, most: MAX_CASES });
  if (cases.length === 0)
    throw new BonafideError(
      'invalid_arguments',
      'The file has no labelled cases. Send a file with one person per line and the expected result.',
    );
  const onDone = (done: number) => sendEventToParentThread({ done, cases: cases.length });
  onDone(0);
  const checks = createCheckerWithoutServer(config);
  const evaluation = await evaluateCases(cases, checks, onDone).finally(checks.close);
  return { evaluation, columns: columns ?? [], comparison: before && compareEvaluations(before, evaluation) };
}

async function* inParts(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

for (const file of data.config.nameTables) loadOperatorNameTable(file);
lowerThreadPriority();
serveThreadCalls(() => run(data));
