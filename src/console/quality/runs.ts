// Evaluations of labelled cases, which the server runs as the command `evaluate` does.
import {
  getJson,
  getBlob,
  postJson,
  postFileWithSizeLimit,
  ApiProblem,
  appendQueryParameters,
} from '../app/api.ts';
import type { Evaluation, EvaluationRun } from '../app/types.ts';

export type MetricName = keyof Evaluation['figures'];
export type MetricValueWithInterval = Evaluation['figures'][MetricName];

/** Display format of a metric. */
export interface MetricFormatFlags {
  isLowBetter?: boolean;
  /** True if the value is a plain number rather than a share of cases. */
  isPlain?: boolean;
}

export const EVALUATION_METRICS = [
  ['auc', 'AUC: a genuine case scores above another', { isPlain: true }],
  ['genuine_from_65', 'Genuine with 65 or more', {}],
  ['genuine_from_85', 'Genuine with 85 or more', {}],
  ['genuine_below_40', 'Genuine below 40', { isLowBetter: true }],
  ['genuine_at_threshold', 'Genuine accepted if 1 % of the others are', {}],
  ['not_genuine_from_65', 'Not genuine with 65 or more', { isLowBetter: true }],
  ['not_genuine_from_85', 'Not genuine with 85 or more', { isLowBetter: true }],
  ['calibration_error', 'Calibration error (ECE)', { isLowBetter: true, isPlain: true }],
  ['brier', 'Brier score', { isLowBetter: true, isPlain: true }],
  ['flagged_not_genuine', 'Not genuine with catfish flag', {}],
  ['flagged_genuine', 'Genuine with catfish flag', { isLowBetter: true }],
] as const satisfies [MetricName, string, MetricFormatFlags][];

export type EvaluationRunWithResult = EvaluationRun & { evaluation: Evaluation };
export const hasEvaluationResult = (run: EvaluationRun): run is EvaluationRunWithResult =>
  run.evaluation !== null;

const PATH = '/admin/v1/evaluations';
const MAX_BYTES = 16 * 1024 * 1024;
const POLL_MS = 400;
/** Number of consecutive failed polls after which the page stops polling: one minute (150 × 400 ms). */
const MAX_FAILED_POLLS = 150;

/** Uploads a file of cases and starts its evaluation. `before` is the id of an earlier run to compare with, or null. */
export async function startEvaluation(file: File, before: string | null): Promise<EvaluationRun> {
  try {
    const path = appendQueryParameters(PATH, { name: file.name.slice(-200), before });
    return await postFileWithSizeLimit(path, file, {
      maxBytes: MAX_BYTES,
      command: 'bonafide evaluate FILE',
    });
  } catch (error) {
    // The server keeps a run for an hour. Without the earlier run there is no comparison.
    const isGone =
      error instanceof ApiProblem && error.errors.some(({ code }) => code === 'unknown_evaluation');
    if (before !== null && isGone) return startEvaluation(file, null);
    throw error;
  }
}

/** Returns the path of a run. The id comes from the address bar, so it may have any characters. */
const toPath = (id: string) => `${PATH}/${encodeURIComponent(id)}`;

export const discardEvaluation = (id: string) => postJson<EvaluationRun>(`${toPath(id)}/drop`);
export const getEvaluationReport = (id: string): Promise<Blob> => getBlob(`${toPath(id)}?format=html`);

const loadEvaluation = (id: string) => getJson<EvaluationRun>(toPath(id));

/** Loads evaluation runs. Runs that the server no longer has are left out. */
export async function loadEvaluations(ids: string[], load = loadEvaluation): Promise<EvaluationRun[]> {
  const runs = ids.map((id) =>
    load(id).catch((error: unknown) => {
      if (error instanceof ApiProblem && error.status === 404) return null;
      throw error;
    }),
  );
  return (await Promise.all(runs)).filter((run) => run !== null);
}

interface WaitOptions {
  onProgress(run: EvaluationRun): void;
  /** Stops the polling, which then throws. The run continues on the server. */
  signal: AbortSignal;
  load?: (id: string) => Promise<EvaluationRun>;
  pollMs?: number;
}

/** Polls an evaluation run until it has ended, and returns it. A poll with a temporary error is repeated for up to a minute. */
export async function waitForEvaluation(
  started: EvaluationRun,
  { onProgress, signal, load = loadEvaluation, pollMs = POLL_MS }: WaitOptions,
): Promise<EvaluationRun> {
  let run = started;
  let failures = 0;
  onProgress(run);
  while (run.state === 'checking') {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    signal.throwIfAborted();
    try {
      run = await load(run.id);
      failures = 0;
    } catch (error) {
      if (!isTemporary(error) || ++failures > MAX_FAILED_POLLS) throw error;
    }
    signal.throwIfAborted();
    onProgress(run);
  }
  return run;
}

/** True if a later poll may succeed: the server did not answer, refused too many requests, or failed. */
const isTemporary = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.status === 0 || error.status === 429 || error.status >= 500);

type Scores = Evaluation['scores'];

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);

/** Counts the cases that a threshold accepts (score at or above it) and rejects. */
export function countAcceptedAndRejectedCases({ genuine, not_genuine: others }: Scores, threshold: number) {
  return {
    genuineAccepted: sum(genuine.slice(threshold)),
    genuineRejected: sum(genuine.slice(0, threshold)),
    othersRejected: sum(others.slice(0, threshold)),
    othersAccepted: sum(others.slice(threshold)),
  };
}

/** Groups the shares of genuine and other cases in steps of five points. The last step includes 100. */
export function listCaseSharesPerFivePoints({ genuine, not_genuine: others }: Scores) {
  return Array.from({ length: 20 }, (_, i) => {
    const share = (counts: number[]) =>
      sum(counts.slice(i * 5, i === 19 ? 101 : i * 5 + 5)) / (sum(counts) || 1);
    return { from: i * 5, genuine: share(genuine), others: share(others) };
  });
}

/** Returns the share (0 to 1) of cases at or above a threshold. `counts` has the number of cases for each score from 0 to 100. */
export const getCaseShareReachingThreshold = (counts: number[], threshold: number): number =>
  sum(counts.slice(threshold)) / (sum(counts) || 1);
