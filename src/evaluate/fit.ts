// Fit of a local score map (score to probability) to labelled cases, validated on cases left out of the fit.
import { interpolateLinearly } from '../score/curves.ts';
import { fitIsotonicRegression } from './reliability.ts';
import type { CaseOutcome } from './outcome.ts';

export interface CalibrationCase {
  score: number;
  genuine: boolean;
}

/** Maximum difference between two scores that rounding can cause. A larger one means that a score bound was applied. */
const MOVED = 0.511;

/** Returns the outcomes to which a score map can be fitted: genuine or non-genuine ones whose score no bound changed. */
export function toCalibrationCases(outcomes: readonly CaseOutcome[]): CalibrationCase[] {
  return outcomes
    .filter(
      ({ case: { role }, score, unbounded }) => role !== 'apart' && Math.abs(score - unbounded) <= MOVED,
    )
    .map(({ case: { role }, unbounded }) => ({ score: unbounded, genuine: role === 'genuine' }));
}

export interface CalibrationFit {
  knots: [from: number, to: number][];
  /** Number of genuine cases to which the map is fitted. `other` is the number of non-genuine cases. */
  genuine: number;
  notGenuine: number;
  /** Brier scores of cases that the fit did not use: with the original scores (`before`), and with mapped scores (`after`). */
  before: number;
  after: number;
}

/** Minimum number of cases of each class for a fit. */
const MIN_CALIBRATION_CASES = 200;
/** Minimum number of cases for each point of the map. With fewer, the map would be steep by chance. */
const TOGETHER = 25;
const FOLDS = 5;

/**
 * Fits a map from scores to calibrated scores, or returns a sentence that says why this is impossible. Both classes have equal weight, whatever
 * their size. The map is an isotonic regression without its steps: a straight line connects the centres of successive steps (Oron and Flournoy 2017).
 */
export function fitCalibrationMap(points: readonly CalibrationCase[]): CalibrationFit | string {
  const genuine = points.filter((one) => one.genuine).length;
  const notGenuine = points.length - genuine;
  const shortage = tooFew(genuine, notGenuine);
  if (shortage !== null) return shortage;
  const knots = knotsOf(points);
  const { before, after } = crossValidated(points);
  if (after >= before)
    return `On cases that it was not fitted to, the map is no better than the score as it is (Brier score ${after.toFixed(4)}, and ${before.toFixed(4)} without it).`;
  return { knots, genuine, notGenuine, before, after };
}

function tooFew(genuine: number, notGenuine: number): string | null {
  if (genuine >= MIN_CALIBRATION_CASES && notGenuine >= MIN_CALIBRATION_CASES) return null;
  return `A calibration needs ${MIN_CALIBRATION_CASES} genuine and ${MIN_CALIBRATION_CASES} non-genuine cases without a bound. The file has ${genuine} and ${notGenuine}.`;
}

/** Groups cases by ascending score. A group has at least `TOGETHER` cases, and equal scores are in one group. */
function groupsOf(points: readonly CalibrationCase[]): CalibrationCase[][] {
  const groups: CalibrationCase[][] = [];
  for (const point of points.toSorted((a, b) => a.score - b.score)) {
    const last = groups.at(-1);
    if (!last || (last.length >= TOGETHER && last.at(-1)?.score !== point.score)) groups.push([point]);
    else last.push(point);
  }
  const [rest = []] = groups.length > 1 && (groups.at(-1)?.length ?? 0) < TOGETHER ? groups.splice(-1) : [];
  groups.at(-1)?.push(...rest);
  return groups;
}

function knotsOf(points: readonly CalibrationCase[]): CalibrationFit['knots'] {
  const groups = groupsOf(points);
  const weight = weightsOf(points);
  const half = { genuine: weight(true) / 2, other: weight(false) / 2 };
  const sums = groups.map((group) => {
    const yes = group.filter((one) => one.genuine).length * weight(true);
    const all = group.reduce((sum, one) => sum + weight(one.genuine), 0);
    const at = group.reduce((sum, one) => sum + one.score * weight(one.genuine), 0) / all;
    // Half a case of each class is added, so that no block has a share of exactly 0 or 1.
    return { at, all: all + half.genuine + half.other, yes: yes + half.genuine };
  });
  const shares = fitIsotonicRegression(
    sums.map(({ all }) => all),
    sums.map(({ yes }) => yes),
  );
  const blocks = Map.groupBy(sums.entries(), ([i]) => shares[i] ?? 0);
  return Array.from(blocks, ([share, block]): [number, number] => {
    const all = block.reduce((sum, [, one]) => sum + one.all, 0);
    const centre = block.reduce((sum, [, one]) => sum + one.at * one.all, 0) / all;
    return [rounded(centre), rounded(share * 100)];
  });
}

const rounded = (value: number) => Math.round(value * 1000) / 1000;

function weightsOf(points: readonly CalibrationCase[]): (genuine: boolean) => number {
  const genuine = points.filter((one) => one.genuine).length;
  const other = points.length - genuine;
  return (is) => (is ? 1 / genuine : 1 / other);
}

/** Returns cross-validated Brier scores: of the original scores, and of maps that were fitted without the tested cases. */
function crossValidated(points: readonly CalibrationCase[]): { before: number; after: number } {
  const weight = weightsOf(points);
  const sorted = points.toSorted((a, b) => a.score - b.score || Number(a.genuine) - Number(b.genuine));
  let [before, after] = [0, 0];
  for (let fold = 0; fold < FOLDS; fold++) {
    const knots = knotsOf(sorted.filter((_, i) => i % FOLDS !== fold));
    for (const [i, { score, genuine }] of sorted.entries()) {
      if (i % FOLDS !== fold) continue;
      const off = (at: number) => (weight(genuine) / 2) * (Number(genuine) - at / 100) ** 2;
      before += off(score);
      after += off(interpolateLinearly(knots, score));
    }
  }
  return { before, after };
}
