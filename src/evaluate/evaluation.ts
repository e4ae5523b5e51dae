// Complete evaluation of the score on labelled cases, as printed by `--json` and drawn by the report.
import { type EvaluationCurves, computeCurves } from './curves.ts';
import {
  ALLOWED_FALSE_POSITIVE_SHARE,
  type MetricName,
  METRIC_NAMES,
  METRIC_DEFINITIONS,
  computePrecision,
  computeShareReachingScore,
  findThresholdForPassingShare,
} from './figures.ts';
import {
  packOutcomeScoresByClass,
  type CaseResultsByAttribute,
  summariseCasesByAttribute,
  type CaseTypeResults,
  summariseCaseTypes,
} from './groups.ts';
import {
  type ConfidenceInterval,
  computeConfidenceIntervals,
  MAX_SCORE,
  RESAMPLE_COUNT,
  type PackedScoresByClass,
  RESAMPLE_SEED,
  countScores,
} from './sample.ts';
import type { WronglyScoredCase, CaseOutcome } from './outcome.ts';
import { type ReliabilityAnalysis, analyzeReliability } from './reliability.ts';
import type { CaseClass } from './cases.ts';

export interface Evaluation {
  format: typeof EVALUATION_FORMAT;
  scoring_model: number;
  seed: number;
  resamples: number;
  cases: { genuine: number; not_genuine: number; apart: number; refused: number };
  figures: Record<MetricName, ConfidenceInterval>;
  /** Lowest score that at most 1 % of the non-genuine cases reach. 100 if more reach even this score. */
  threshold: number;
  thresholds: ThresholdResult[];
  scores: { genuine: number[]; not_genuine: number[] };
  reliability: ReliabilityAnalysis;
  curves: EvaluationCurves;
  sorts: CaseTypeResults[];
  slices: CaseResultsByAttribute[];
  misses: WronglyScoredCase[];
  /** Cases that the API refuses, grouped by the rule that they break. */
  refused: { rule: string; lines: number[] }[];
  /** Id, class, score and flag of each case, for comparisons with other evaluations. */
  answers: { id: string; role: CaseClass; score: number; flagged: boolean }[];
}

/** Results if all cases with at least a certain score are accepted. */
interface ThresholdResult {
  score: number;
  genuine: ConfidenceInterval;
  not_genuine: ConfidenceInterval;
  precision: ConfidenceInterval;
  /** Number of genuine cases below the score. `passed` is the number of non-genuine cases that reach it. */
  lost: number;
  passed: number;
}

export const EVALUATION_FORMAT = 'bonafide-evaluation-1';
const THRESHOLDS = [95, 90, 85, 80, 75, 70, 65, 60, 50, 40, 25];

/** Evaluates the outcomes of checked cases. There must be genuine and non-genuine cases; see `describeMissingCaseClass`. */
export function createEvaluation(
  outcomes: CaseOutcome[],
  { misses, refused, model }: { misses: WronglyScoredCase[]; refused: Evaluation['refused']; model: number },
): Evaluation {
  const sample = packOutcomeScoresByClass(outcomes);
  const tally = countScores(sample);
  const threshold = Math.min(
    MAX_SCORE,
    findThresholdForPassingShare(tally.notGenuine, ALLOWED_FALSE_POSITIVE_SHARE),
  );
  return {
    format: EVALUATION_FORMAT,
    scoring_model: model,
    seed: RESAMPLE_SEED,
    resamples: RESAMPLE_COUNT,
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
    reliability: analyzeReliability(sample),
    curves: computeCurves(sample),
    sorts: summariseCaseTypes(outcomes),
    slices: summariseCasesByAttribute(outcomes, threshold),
    misses,
    refused,
    answers: outcomes.map(({ case: { id, role }, score, flagged }) => ({ id, role, score, flagged })),
  };
}

/** Returns a sentence that says why the outcomes cannot be evaluated; null if they can. */
export function describeMissingCaseClass(outcomes: CaseOutcome[]): string | null {
  const { genuine, notGenuine } = packOutcomeScoresByClass(outcomes);
  if (genuine.length > 0 && notGenuine.length > 0) return null;
  const missing = genuine.length === 0 ? 'genuine' : 'non-genuine';
  return `There are no ${missing} cases. Add some: an evaluation needs genuine cases, which should pass, and cases that are not genuine.`;
}

function figuresOf(sample: PackedScoresByClass): Record<MetricName, ConfidenceInterval> {
  const intervals = computeConfidenceIntervals(sample, (tally) =>
    METRIC_NAMES.map((name) => METRIC_DEFINITIONS[name].of(tally)),
  );
  return Object.fromEntries(METRIC_NAMES.map((name, i) => [name, intervals[i]])) as Record<
    MetricName,
    ConfidenceInterval
  >;
}

function thresholdsOf(sample: PackedScoresByClass, threshold: number): ThresholdResult[] {
  const { genuine, notGenuine } = countScores(sample);
  const scores = [...new Set([...THRESHOLDS, threshold])].sort((a, b) => b - a);
  const intervals = computeConfidenceIntervals(sample, (tally) =>
    scores.flatMap((score) => [
      computeShareReachingScore(tally.genuine, score),
      computeShareReachingScore(tally.notGenuine, score),
      computePrecision(tally, score),
    ]),
  );
  const nothing: ConfidenceInterval = { value: null, low: null, high: null };
  return scores.map((score, i) => {
    const [passing = nothing, others = nothing, precision = nothing] = intervals.slice(i * 3, i * 3 + 3);
    return {
      score,
      genuine: passing,
      not_genuine: others,
      precision,
      lost: Math.round((1 - computeShareReachingScore(genuine, score)) * genuine.total),
      passed: Math.round(computeShareReachingScore(notGenuine, score) * notGenuine.total),
    };
  });
}
