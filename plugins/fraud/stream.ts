// Statistics on the caller's recent calls, compared with the caller's earlier calls. Each test needs a minimum amount of data and otherwise
// reports nothing. All tests together report a false finding in at most one of 10,000 analyses.
import type { StreamFacts, StreamRecord } from 'bonafide/plugin';
import {
  computeNegativeBinomialTail,
  computeFisherExactPValue,
  selectSignificantByHolm,
  computeMedian,
  computeQuartileDispersion,
  computeRegularityPValue,
} from './statistics.ts';

/** Probability of a false finding: one about a caller whose behaviour has not changed. */
export const SIGNIFICANCE_LEVEL = 1e-4;

interface Test {
  p: number;
  /** True if the test is about the call rate and sets `velocity_concerns`. */
  pace: boolean;
  text: string;
}

/** Highest call count of one time span that the plugin receives: 100 means 100 or more. */
const MOST = 100;
const plainNumber = (value: number): string =>
  value < 10 ? String(Number(value.toPrecision(1))) : String(Math.round(value));

/**
 * Tests for a burst: the number of calls in the newest time span (minute or ten minutes) compared with earlier spans. Needs 12 earlier spans, 10
 * earlier calls and 10 new calls; otherwise undefined.
 */
function burst([newest = 0, ...before]: readonly number[], what: string): Test | undefined {
  const counts = before.slice(0, before.findLastIndex((count) => count > 0) + 1);
  const earlier = counts.reduce((sum, count) => sum + count, 0);
  if (counts.length < 12 || newest < 10 || earlier < 10) return undefined;
  const mean = earlier / counts.length;
  const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / (counts.length - 1);
  const countText = newest >= MOST ? `${MOST} calls and more` : `${newest} calls`;
  return {
    p: computeNegativeBinomialTail(newest, mean, variance),
    pace: true,
    text: `${countText} in ${what}, where about ${plainNumber(mean)} would be usual for this caller.`,
  };
}

/**
 * Returns the more significant of the two burst tests (minutes, ten minutes). Its p-value is doubled if both were made (Bonferroni).
 */
function bursts({ pace }: StreamFacts): Test | undefined {
  const spans = [burst(pace.minutes, 'the last minute'), burst(pace.ten_minutes, 'the last 10 minutes')];
  const found = spans.filter((test) => test !== undefined);
  const [best] = found.toSorted((a, b) => a.p - b.p);
  return best && { ...best, p: Math.min(1, best.p * found.length) };
}

export interface CallRateThresholds {
  per_second: number;
  per_minute: number;
  per_hour: number;
}

/** Reports the shortest time span in which the caller reached a limit. */
function overLimit({ pace }: StreamFacts, limits: CallRateThresholds): string[] {
  const spans = [
    [pace.second[0] ?? 0, limits.per_second, 'second'],
    [pace.minute[0] ?? 0, limits.per_minute, 'minute'],
    [pace.hour[0] ?? 0, limits.per_hour, 'hour'],
  ] as const;
  const over = spans.find(([count, limit]) => count >= limit);
  return over
    ? [`${over[0]} calls in the last ${over[2]}, where ${over[1]} are a concern for any caller.`]
    : [];
}

/** Reports a caller most of whose calls have the catfish flag. Needs 20 calls. */
function mostlyFlagged({ records }: StreamFacts): string[] {
  const flagged = records.filter(({ catfish }) => catfish).length;
  if (records.length < 20 || flagged * 2 <= records.length) return [];
  return [`${flagged} of the newest ${records.length} calls carried the catfish flag.`];
}

/**
 * Tests if the newest 100 gaps between calls are as regular as those of a machine. Needs 20 gaps and a dispersion of at most 0.25; otherwise
 * undefined.
 */
function regularity({ records }: StreamFacts): Test | undefined {
  const times = records.slice(-101).map(({ time }) => time);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  if (gaps.length < 20) return undefined;
  const dispersion = computeQuartileDispersion(gaps);
  if (dispersion === null || dispersion > 0.25) return undefined;
  const seconds = computeMedian(gaps) / 1000;
  const unit = seconds < 1 ? 'less than a second' : `about ${plainNumber(seconds)} seconds`;
  return {
    p: computeRegularityPValue(dispersion, gaps.length),
    pace: true,
    text: `The newest ${gaps.length} gaps between calls are nearly equal, ${unit.replace(/^about 1 seconds$/, 'about 1 second')} each, as a script would space them.`,
  };
}

/**
 * Tests if the share of catfish flags has risen: the newest quarter of the calls compared with the earlier ones. Needs 10 new and 20 earlier
 * calls; otherwise undefined.
 */
function risingFlags(records: readonly StreamRecord[]): Test | undefined {
  const is = ({ catfish }: StreamRecord): boolean => catfish;
  const size = Math.max(10, Math.floor(records.length / 4));
  const before = records.slice(0, -size);
  if (before.length < 20) return undefined;
  const hits = records.slice(-size).filter(is).length;
  const earlier = before.filter(is).length;
  if (hits / size <= earlier / before.length) return undefined;
  return {
    p: computeFisherExactPValue(hits, size, earlier, before.length),
    pace: false,
    text: `${hits} of the newest ${size} calls carried the catfish flag, against ${earlier} of the ${before.length} before them.`,
  };
}

export interface CallStreamReport {
  velocity: boolean;
  observations: string[];
}

/**
 * Tests a caller's earlier calls for bursts, regularity and flags. Returns the significant findings: reached limits first, then the most
 * significant test first.
 */
export function analyseCallStream(stream: StreamFacts, limits: CallRateThresholds): CallStreamReport {
  const over = overLimit(stream, limits);
  const flagged = mostlyFlagged(stream);
  const tests = [
    over.length > 0 ? undefined : bursts(stream),
    regularity(stream),
    flagged.length > 0 ? undefined : risingFlags(stream.records),
  ].filter((test) => test !== undefined);
  const standing = selectSignificantByHolm(tests, SIGNIFICANCE_LEVEL);
  return {
    velocity: over.length > 0 || standing.some(({ pace }) => pace),
    observations: [...over, ...flagged, ...standing.map(({ text }) => text)],
  };
}
