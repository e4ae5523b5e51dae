// All that is said of a score on labelled cases, as `--json` prints it and the report draws it.
import { type Curves, curvesOf } from './curves.ts';
import {
  ALLOWED,
  type Figure,
  FIGURE_NAMES,
  FIGURES,
  precisionFrom,
  shareFrom,
  thresholdAt,
} from './figures.ts';
import { classesOf, type Slice, slicesOf, type SortRow, sortsOf } from './groups.ts';
import { type Interval, intervalsOf, MOST, RESAMPLES, type Sample, SEED, tallyOf } from './sample.ts';
import type { Miss, Outcome } from './outcome.ts';
import { type Reliability, reliabilityOf } from './reliability.ts';
import type { Role } from './cases.ts';

export interface Evaluation {
  format: typeof FORMAT;
  scoring_model: number;
  seed: number;
  resamples: number;
  cases: { genuine: number; not_genuine: number; apart: number; refused: number };
  figures: Record<Figure, Interval>;
  /** The least score that at most one of a hundred of those that are not genuine reach; 100 where more reach even that. */
  threshold: number;
  thresholds: Threshold[];
  /** How many cases reached each score, 0 to 100. */
  scores: { genuine: number[]; not_genuine: number[] };
  reliability: Reliability;
  curves: Curves;
  sorts: SortRow[];
  slices: Slice[];
  misses: Miss[];
  /** Cases that the service does not take, by the rule that they break. */
  refused: { rule: string; lines: number[] }[];
  /** Every answer, for comparing. */
  answers: { id: string; role: Role; score: number; flagged: boolean }[];
}

/** A score from which somebody may pass, and what that means. */
export interface Threshold {
  score: number;
  genuine: Interval;
  not_genuine: Interval;
  precision: Interval;
  /** Genuine cases below it, and others at it and above. */
  lost: number;
  passed: number;
}

export const FORMAT = 'bonafide-evaluation-1';
const THRESHOLDS = [95, 90, 85, 80, 75, 70, 65, 60, 50, 40, 25];

/** Evaluates outcomes. Both classes must be there; see `tooFew`. */
export function evaluate(
  outcomes: Outcome[],
  { misses, refused, model }: { misses: Miss[]; refused: Evaluation['refused']; model: number },
): Evaluation {
  const sample = classesOf(outcomes);
  const tally = tallyOf(sample);
  const threshold = Math.min(MOST, thresholdAt(tally.notGenuine, ALLOWED));
  return {
    format: FORMAT,
    scoring_model: model,
    seed: SEED,
    resamples: RESAMPLES,
    cases: {
      genuine: tally.genuine.total,
      not_genuine: tally.notGenuine.total,
      apart: outcomes.length - tally.genuine.total - tally.notGenuine.total,
      refused: refused.reduce((sum, { lines }) => sum + lines.length, 0),
    },
    figures: figuresOf(sample),
    threshold,
    thresholds: thresholdsOf(sample, threshold),
    scores: { genuine: [...tally.genuine.scores], not_genuine: [...tally.notGenuine.scores] },
    reliability: reliabilityOf(sample),
    curves: curvesOf(sample),
    sorts: sortsOf(outcomes),
    slices: slicesOf(outcomes, threshold),
    misses,
    refused,
    answers: outcomes.map(({ case: { id, role }, score, flagged }) => ({ id, role, score, flagged })),
  };
}

/** Why there is nothing to evaluate, as a sentence; null where there is. */
export function tooFew(outcomes: Outcome[]): string | null {
  const { genuine, notGenuine } = classesOf(outcomes);
  if (genuine.length > 0 && notGenuine.length > 0) return null;
  const missing = genuine.length === 0 ? 'genuine' : 'not genuine';
  return `No case is ${missing}: an evaluation needs both, those that should pass and those that should not.`;
}

function figuresOf(sample: Sample): Record<Figure, Interval> {
  const intervals = intervalsOf(sample, (tally) => FIGURE_NAMES.map((name) => FIGURES[name].of(tally)));
  return Object.fromEntries(FIGURE_NAMES.map((name, i) => [name, intervals[i]])) as Record<Figure, Interval>;
}

function thresholdsOf(sample: Sample, found: number): Threshold[] {
  const { genuine, notGenuine } = tallyOf(sample);
  const scores = [...new Set([...THRESHOLDS, found])].sort((a, b) => b - a);
  const intervals = intervalsOf(sample, (tally) =>
    scores.flatMap((score) => [
      shareFrom(tally.genuine, score),
      shareFrom(tally.notGenuine, score),
      precisionFrom(tally, score),
    ]),
  );
  const nothing: Interval = { value: null, low: null, high: null };
  return scores.map((score, i) => {
    const [passing = nothing, others = nothing, precision = nothing] = intervals.slice(i * 3, i * 3 + 3);
    return {
      score,
      genuine: passing,
      not_genuine: others,
      precision,
      lost: Math.round((1 - shareFrom(genuine, score)) * genuine.total),
      passed: Math.round(shareFrom(notGenuine, score) * notGenuine.total),
    };
  });
}
