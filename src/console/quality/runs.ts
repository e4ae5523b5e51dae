// A run of labelled cases: sent to the server, which checks and evaluates them as the command `evaluate` does.
import { ask, get, MARK, Problem, reach, withQuery } from '../api/ask.ts';

export interface Interval {
  value: number | null;
  low: number | null;
  high: number | null;
}

/** The figures that are shown, with their words; `low` where less is better, `plain` where it is no share of cases. */
export const FIGURES = [
  ['auc', 'A genuine one scores above another (AUC)', { plain: true }],
  ['genuine_from_65', 'Genuine at 65 and above', {}],
  ['genuine_from_85', 'Genuine at 85 and above', {}],
  ['genuine_below_40', 'Genuine below 40', { low: true }],
  ['genuine_at_threshold', 'Genuine who pass where 1 % of the others do', {}],
  ['not_genuine_from_65', 'Others at 65 and above', { low: true }],
  ['not_genuine_from_85', 'Others at 85 and above', { low: true }],
  ['calibration_error', 'Calibration error (ECE)', { low: true, plain: true }],
  ['brier', 'Brier score', { low: true, plain: true }],
  ['flagged_not_genuine', 'Others who are flagged', {}],
  ['flagged_genuine', 'Genuine who are flagged', { low: true }],
] as const satisfies [string, string, Kind][];
export type Figure = (typeof FIGURES)[number][0];

export interface Kind {
  low?: boolean;
  plain?: boolean;
}

export interface Point {
  x: number;
  y: number;
  low: number;
  high: number;
}

export interface Miss {
  id: string;
  role: 'genuine' | 'not_genuine';
  kind: string;
  subkind: string | null;
  score: number;
  steps: { bits: number; text: string }[];
  bounds: string;
}

/** Cases of each class by score, 0 to 100. */
export interface Scores {
  genuine: number[];
  not_genuine: number[];
}

export interface Evaluation {
  cases: { genuine: number; not_genuine: number; apart: number; refused: number };
  figures: Record<Figure, Interval>;
  scores: Scores;
  reliability: { curve: (Interval & { score: number })[] };
  curves: { roc: Point[]; marks: { score: number; genuine: number; not_genuine: number }[] };
  misses: Miss[];
  refused: { rule: string; lines: number[] }[];
}

export interface Comparison {
  shared: number;
  unshared: number;
  moved: number;
  figures: Record<Figure, { difference: Interval }>;
}

export interface Run {
  id: string;
  name: string;
  state: 'checking' | 'done' | 'failed' | 'dropped';
  progress: { done: number; cases: number } | null;
  columns: { header: string; field: string | null }[];
  evaluation: Evaluation | null;
  comparison: Comparison | null;
  failed: { code: string; detail: string } | null;
}

/** A run that came to an end. */
export type Done = Run & { evaluation: Evaluation };
export const isDone = (run: Run): run is Done => run.evaluation !== null;

/** The most that the server takes. */
const MOST_BYTES = 16 * 1024 * 1024;
const LOOK_EVERY_MS = 400;

const path = (id: string, act = '') => `/admin/v1/evaluations/${id}${act && `/${act}`}`;

/** Sends a file, to be compared with an earlier run where one is named. Throws a Problem. */
export async function sendCases(file: File, before: string | null): Promise<Run> {
  if (file.size > MOST_BYTES)
    throw new Problem({
      status: 0,
      code: 'body_too_large',
      detail: 'The file is larger than 16 MB. Evaluate it on the machine: bonafide evaluate FILE',
    });
  const to = withQuery('/admin/v1/evaluations', { name: file.name.slice(-200), before });
  const headers = { ...MARK, 'Content-Type': 'application/octet-stream' };
  try {
    return (await (await reach(to, { method: 'POST', headers, body: file })).json()) as Run;
  } catch (error) {
    // The server keeps a run for an hour: then the next one stands alone.
    const isGone = error instanceof Problem && error.errors.some(({ code }) => code === 'unknown_evaluation');
    if (before !== null && isGone) return sendCases(file, null);
    throw error;
  }
}

export const dropRun = (id: string) => ask<Run>('POST', path(id, 'drop'));
export const reportOf = async (id: string): Promise<Blob> =>
  (await reach(`${path(id)}?format=html`, { headers: MARK })).blob();

/** Looks how it stands until it has come to something. */
export async function follow(begun: Run, onStep: (at: Run) => void): Promise<Run> {
  let at = begun;
  onStep(at);
  while (at.state === 'checking') {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    at = await get<Run>(path(at.id));
    onStep(at);
  }
  return at;
}

export interface AtThreshold {
  /** Genuine people who pass, and who are lost. */
  passed: number;
  lost: number;
  /** Others who are stopped, and who pass. */
  stopped: number;
  missed: number;
}

const sum = (counts: number[]) => counts.reduce((total, one) => total + one, 0);

/** Who passes where everybody from a score up does. */
export function atThreshold({ genuine, not_genuine: others }: Scores, threshold: number): AtThreshold {
  return {
    passed: sum(genuine.slice(threshold)),
    lost: sum(genuine.slice(0, threshold)),
    stopped: sum(others.slice(0, threshold)),
    missed: sum(others.slice(threshold)),
  };
}

/** Shares of the scores in each five points, for the genuine and for others; 100 is in the last. */
export function sharesOf({ genuine, not_genuine: others }: Scores) {
  return Array.from({ length: 20 }, (_, i) => {
    const share = (counts: number[]) =>
      sum(counts.slice(i * 5, i === 19 ? 101 : i * 5 + 5)) / (sum(counts) || 1);
    return { from: i * 5, genuine: share(genuine), other: share(others) };
  });
}
