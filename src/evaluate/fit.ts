// A map of one's own from scores to chances: fitted to cases, tried on cases that it was not fitted to.
import { interpolate } from '../score/curves.ts';
import { fitIsotonic } from './reliability.ts';
import type { CaseOutcome } from './outcome.ts';

/** A case as the fit sees it. */
export interface FitPoint {
  /** The score before the bounds, 0-100. */
  score: number;
  genuine: boolean;
}

/** More than rounding moves a score. */
const MOVED = 0.511;

/** The outcomes that a map is fitted to: genuine or not, and no bound applied. */
export function toFitPoints(outcomes: readonly CaseOutcome[]): FitPoint[] {
  return outcomes
    .filter(
      ({ case: { role }, score, unbounded }) => role !== 'apart' && Math.abs(score - unbounded) <= MOVED,
    )
    .map(({ case: { role }, unbounded }) => ({ score: unbounded, genuine: role === 'genuine' }));
}

export interface CalibrationFit {
  /** Corners of the map, rising: points before, points after. */
  knots: [from: number, to: number][];
  /** How many cases of each class it was fitted to. */
  genuine: number;
  notGenuine: number;
  /** Brier score on cases left out of the fit, as scored and as mapped. */
  before: number;
  after: number;
}

/** Fewer cases of a class than this say too little. */
export const MIN_FIT_CASES = 200;
/** Cases that share a corner, at least: fewer would make it steep by chance. */
const TOGETHER = 25;
const FOLDS = 5;

/**
 * Fits the map, or says why not, as a sentence. Both classes weigh the same, however many cases each has, as everywhere in a report.
 * The curve is the isotonic regression of the cases; the corners are the centres of its blocks (Oron and Flournoy 2017), so that it has no steps.
 */
export function fitScoreMap(points: readonly FitPoint[]): CalibrationFit | string {
  const genuine = points.filter((one) => one.genuine).length;
  const notGenuine = points.length - genuine;
  const lacking = tooFew(genuine, notGenuine);
  if (lacking !== null) return lacking;
  const knots = knotsOf(points);
  const { before, after } = crossValidated(points);
  if (after >= before)
    return `On cases that it was not fitted to, the map is no better than the score as it is (Brier score ${after.toFixed(4)}, and ${before.toFixed(4)} without it).`;
  return { knots, genuine, notGenuine, before, after };
}

function tooFew(genuine: number, notGenuine: number): string | null {
  if (genuine >= MIN_FIT_CASES && notGenuine >= MIN_FIT_CASES) return null;
  return `It takes ${MIN_FIT_CASES} genuine cases and ${MIN_FIT_CASES} that are not, to whose scores no bound applied; here are ${genuine} and ${notGenuine}.`;
}

/** Sorted cases in groups of at least `TOGETHER`, equal scores together. */
function groupsOf(points: readonly FitPoint[]): FitPoint[][] {
  const groups: FitPoint[][] = [];
  for (const point of points.toSorted((a, b) => a.score - b.score)) {
    const last = groups.at(-1);
    if (!last || (last.length >= TOGETHER && last.at(-1)?.score !== point.score)) groups.push([point]);
    else last.push(point);
  }
  const [rest = []] = groups.length > 1 && (groups.at(-1)?.length ?? 0) < TOGETHER ? groups.splice(-1) : [];
  groups.at(-1)?.push(...rest);
  return groups;
}

function knotsOf(points: readonly FitPoint[]): CalibrationFit['knots'] {
  const groups = groupsOf(points);
  const weight = weightsOf(points);
  const half = { genuine: weight(true) / 2, other: weight(false) / 2 };
  const sums = groups.map((group) => {
    const yes = group.filter((one) => one.genuine).length * weight(true);
    const all = group.reduce((sum, one) => sum + weight(one.genuine), 0);
    const at = group.reduce((sum, one) => sum + one.score * weight(one.genuine), 0) / all;
    // Half a case of each class more: no block is certain.
    return { at, all: all + half.genuine + half.other, yes: yes + half.genuine };
  });
  const shares = fitIsotonic(
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

function weightsOf(points: readonly FitPoint[]): (genuine: boolean) => number {
  const genuine = points.filter((one) => one.genuine).length;
  const other = points.length - genuine;
  return (is) => (is ? 1 / genuine : 1 / other);
}

/** Brier score of cases by maps that were fitted without them, and of the scores as they are. */
function crossValidated(points: readonly FitPoint[]): { before: number; after: number } {
  const weight = weightsOf(points);
  const sorted = points.toSorted((a, b) => a.score - b.score || Number(a.genuine) - Number(b.genuine));
  let [before, after] = [0, 0];
  for (let fold = 0; fold < FOLDS; fold++) {
    const knots = knotsOf(sorted.filter((_, i) => i % FOLDS !== fold));
    for (const [i, { score, genuine }] of sorted.entries()) {
      if (i % FOLDS !== fold) continue;
      const off = (at: number) => (weight(genuine) / 2) * (Number(genuine) - at / 100) ** 2;
      before += off(score);
      after += off(interpolate(knots, score));
    }
  }
  return { before, after };
}
