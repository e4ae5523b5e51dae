// Judges sources of labelled pairs with thresholds and a calibration from the other sources, with bootstrap intervals.
import { randomNumbers } from '../people.ts';

/** A compared pair of names. */
export interface JudgedPair {
  source: string;
  /** True if both names belong to one person. */
  same: boolean;
  /** 0-100 with one decimal. */
  confidence: number;
}

/** Figures of one source, or of all sources, whose thresholds were fitted on other sources. Shares are 0-1. */
export interface Figures {
  auc: number;
  /** F1 and share of false positives at the threshold with the best F1 on the other sources, among those with at most 4 % false positives. */
  f1: number;
  falsePositives: number;
  /** The same at the fixed threshold of `same`. */
  f1OfSame: number;
  falsePositivesOfSame: number;
  /** Recall and precision at the lowest threshold with 99 % precision on the other sources. */
  recallAt99: number;
  precisionAt99: number;
  /** Expected calibration error of the confidence, after a calibration on the other sources. */
  calibrationError: number;
}

/** Figures of a set of sources. */
export interface SourcesResult {
  pooled: Figures;
  /** Means over the sources with at least 20 pairs of one person and 20 of two people. */
  macro: Figures;
  sources: Map<string, Figures & Counts>;
}

interface Counts {
  one: number;
  two: number;
}

/** Pairs of one source, counted by confidence in steps of a tenth. */
interface Histogram {
  same: Float64Array;
  other: Float64Array;
}

const BINS = 1001;
const SAME_BIN = 500;
const MAX_FALSE_POSITIVES = 0.04;
const MIN_PAIRS = 20;

const newHistogram = (): Histogram => ({ same: new Float64Array(BINS), other: new Float64Array(BINS) });

function countPair(histogram: Histogram, { same, confidence }: JudgedPair): void {
  const counts = same ? histogram.same : histogram.other;
  const bin = Math.round(10 * confidence);
  counts[bin] = (counts[bin] ?? 0) + 1;
}

function addTo(sum: Histogram, histogram: Histogram, times: number): void {
  for (const key of ['same', 'other'] as const)
    for (let i = 0; i < BINS; i++) sum[key][i] = (sum[key][i] ?? 0) + times * (histogram[key][i] ?? 0);
}

const total = (counts: Float64Array) => counts.reduce((sum, count) => sum + count, 0);

/** Values fitted to some of the sources: two thresholds (bins), and the share of pairs of one person at each confidence. */
interface Fitted {
  decide: number;
  sure: number;
  calibration: Float64Array;
}

function fit(histogram: Histogram): Fitted {
  const [one, two] = [total(histogram.same), total(histogram.other)];
  let [hits, wrong, best, decide, sure] = [0, 0, -1, SAME_BIN, BINS];
  for (let bin = BINS - 1; bin >= 0; bin--) {
    const [same, other] = [histogram.same[bin] ?? 0, histogram.other[bin] ?? 0];
    if (same + other === 0) continue;
    hits += same;
    wrong += other;
    const f1 = (2 * hits) / (hits + wrong + one);
    if (wrong <= MAX_FALSE_POSITIVES * two && f1 > best) [best, decide] = [f1, bin];
    if (hits > 0 && hits >= 0.99 * (hits + wrong)) sure = bin;
  }
  return { decide, sure, calibration: calibrate(histogram) };
}

/** Isotonic regression (pool adjacent violators) of the share of pairs of one person. */
function calibrate({ same, other }: Histogram): Float64Array {
  const blocks: { same: number; all: number; bins: number }[] = [];
  for (let bin = 0; bin < BINS; bin++) {
    const share = same[bin] ?? 0;
    blocks.push({ same: share, all: share + (other[bin] ?? 0), bins: 1 });
    for (;;) {
      const [left, right] = [blocks.at(-2), blocks.at(-1)];
      if (!left || !right || left.same * right.all < right.same * left.all) break;
      blocks.splice(-2, 2, {
        same: left.same + right.same,
        all: left.all + right.all,
        bins: left.bins + right.bins,
      });
    }
  }
  const values = blocks.flatMap((block) =>
    Array<number>(block.bins).fill(block.all ? block.same / block.all : 0),
  );
  return Float64Array.from(values);
}

/** Counts of decisions, and the calibrated confidences, of one or several sources. */
interface Decisions {
  all: Histogram;
  decided: [hits: number, wrong: number];
  same: [hits: number, wrong: number];
  sure: [hits: number, wrong: number];
  /** Pairs by calibrated confidence in tenths of the range: number, sum of confidences, pairs of one person. */
  tenths: [all: number, said: number, real: number][];
}

const newDecisions = (): Decisions => ({
  all: newHistogram(),
  decided: [0, 0],
  same: [0, 0],
  sure: [0, 0],
  tenths: Array.from({ length: 10 }, () => [0, 0, 0]),
});

/** Judges one source with values from the other sources, and adds the decisions to `sum`. */
function decide(
  histogram: Histogram,
  { decide: least, sure, calibration }: Fitted,
  sum: Decisions,
  times = 1,
): void {
  for (let bin = 0; bin < BINS; bin++) {
    const [same, other] = [times * (histogram.same[bin] ?? 0), times * (histogram.other[bin] ?? 0)];
    if (same + other === 0) continue;
    for (const [threshold, counts] of [
      [least, sum.decided],
      [SAME_BIN, sum.same],
      [sure, sum.sure],
    ] as const) {
      if (bin < threshold) continue;
      counts[0] += same;
      counts[1] += other;
    }
    const said = calibration[bin] ?? 0;
    const tenth = sum.tenths[Math.min(9, Math.floor(10 * said))];
    if (tenth) {
      tenth[0] += same + other;
      tenth[1] += (same + other) * said;
      tenth[2] += same;
    }
  }
  addTo(sum.all, histogram, times);
}

function toFigures({ all, decided, same, sure, tenths }: Decisions): Figures {
  const [one, two] = [total(all.same), total(all.other)];
  const f1 = ([hits, wrong]: [number, number]) => (2 * hits) / (hits + wrong + one);
  return {
    auc: area(all),
    f1: f1(decided),
    falsePositives: decided[1] / two,
    f1OfSame: f1(same),
    falsePositivesOfSame: same[1] / two,
    recallAt99: sure[0] / one,
    precisionAt99: sure[0] / (sure[0] + sure[1]),
    calibrationError: tenths.reduce((sum, [, said, real]) => sum + Math.abs(said - real), 0) / (one + two),
  };
}

/** Share of all combinations of a pair of one person and a pair of two people in which the former has the higher confidence; ties count a half. */
function area({ same, other }: Histogram): number {
  let [below, wins] = [0, 0];
  for (let bin = 0; bin < BINS; bin++) {
    wins += (same[bin] ?? 0) * (below + (other[bin] ?? 0) / 2);
    below += other[bin] ?? 0;
  }
  return wins / (total(same) * below);
}

/** Judges every source by the other sources. `times` is the weight of each source; 1 by default. */
function judgeHistograms(
  histograms: ReadonlyMap<string, Histogram>,
  times?: ReadonlyMap<string, number>,
): SourcesResult {
  const timesOf = (source: string) => times?.get(source) ?? (times ? 0 : 1);
  const everything = newHistogram();
  for (const [source, histogram] of histograms) addTo(everything, histogram, timesOf(source));
  const pooled = newDecisions();
  const sources = new Map<string, Figures & Counts>();
  const forMacro: Figures[] = [];
  for (const [source, histogram] of histograms) {
    const weight = timesOf(source);
    if (weight === 0) continue;
    const others = newHistogram();
    addTo(others, everything, 1);
    addTo(others, histogram, -weight);
    const fitted = fit(others);
    const decisions = newDecisions();
    decide(histogram, fitted, decisions);
    decide(histogram, fitted, pooled, weight);
    const [one, two] = [total(histogram.same), total(histogram.other)];
    const figures = { ...toFigures(decisions), one, two };
    sources.set(source, figures);
    if (Math.min(one, two) >= MIN_PAIRS) for (let i = 0; i < weight; i++) forMacro.push(figures);
  }
  return { pooled: toFigures(pooled), macro: meanOf(forMacro), sources };
}

const FIGURE_KEYS = [
  'auc',
  'f1',
  'falsePositives',
  'f1OfSame',
  'falsePositivesOfSame',
  'recallAt99',
  'precisionAt99',
  'calibrationError',
] as const;

function meanOf(list: readonly Figures[]): Figures {
  const mean = (key: keyof Figures) => {
    const values = list.map((figures) => figures[key]).filter((value) => !Number.isNaN(value));
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  return Object.fromEntries(FIGURE_KEYS.map((key) => [key, mean(key)])) as unknown as Figures;
}

function groupBySource(pairs: readonly JudgedPair[]): Map<string, JudgedPair[]> {
  return Map.groupBy(pairs, ({ source }) => source);
}

function toHistograms(groups: ReadonlyMap<string, readonly JudgedPair[]>): Map<string, Histogram> {
  const histograms = new Map<string, Histogram>();
  for (const [source, pairs] of groups) {
    const histogram = newHistogram();
    for (const pair of pairs) countPair(histogram, pair);
    histograms.set(source, histogram);
  }
  return histograms;
}

/** Judges every source by thresholds and a calibration that were fitted on the other sources. */
export function judgeSources(pairs: readonly JudgedPair[]): SourcesResult {
  return judgeHistograms(toHistograms(groupBySource(pairs)));
}

/** 95 % interval of a figure. */
export type Interval = [least: number, most: number];
/** Intervals of the figures of all sources. */
export type Intervals = Record<'pooled' | 'macro', Record<keyof Figures, Interval>>;

/**
 * Returns intervals of the pooled and mean figures: sources are drawn with replacement, then pairs within each source, and all values are fitted
 * again. The intervals are about other sources of these kinds, not only about other pairs of these sources.
 */
export function bootstrapSources(pairs: readonly JudgedPair[], draws = 500, seed = 1): Intervals {
  const groups = groupBySource(pairs);
  const names = [...groups.keys()];
  const random = randomNumbers(seed);
  const pick = <Item>(list: readonly Item[]) => list[Math.floor(random() * list.length)] as Item;
  const results: SourcesResult[] = [];
  while (results.length < draws) {
    const times = new Map<string, number>();
    for (let i = 0; i < names.length; i++) {
      const name = pick(names);
      times.set(name, (times.get(name) ?? 0) + 1);
    }
    // A single source has no other sources to fit values on.
    if (times.size < 2) continue;
    const drawn = new Map<string, JudgedPair[]>();
    for (const name of times.keys()) {
      const own = groups.get(name) ?? [];
      drawn.set(
        name,
        own.map(() => pick(own)),
      );
    }
    results.push(judgeHistograms(toHistograms(drawn), times));
  }
  const intervals = (kind: 'pooled' | 'macro') =>
    Object.fromEntries(
      FIGURE_KEYS.map((key) => {
        const values = results.map((result) => result[kind][key]).filter((value) => !Number.isNaN(value));
        values.sort((x, y) => x - y);
        const at = (share: number) => values[Math.floor(share * (values.length - 1))] ?? NaN;
        return [key, [at(0.025), at(0.975)] satisfies Interval];
      }),
    ) as Record<keyof Figures, Interval>;
  return { pooled: intervals('pooled'), macro: intervals('macro') };
}
