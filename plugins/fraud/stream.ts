// Statistics on the caller's recent calls, compared with the caller's own earlier calls. Each test has a name, a baseline and a minimum
// amount of data, below which it reports nothing. All tests together report a false finding in at most one of 10,000 analyses.
import type { StreamFacts, StreamRecord } from 'bonafide/plugin';
import {
  computeCountTail,
  computeFisherTail,
  selectSignificantByHolm,
  computeMedian,
  computeQuartileDispersion,
  computeRegularityTail,
} from './statistics.ts';

/** Probability of a false finding per analysis, over all tests together, for a caller whose traffic has not changed. */
export const SIGNIFICANCE_LEVEL = 1e-4;

interface Test {
  p: number;
  /** True if the test concerns the call rate, so that it sets `velocity_concerns`. */
  pace: boolean;
  text: string;
}

/** Maximum of the call counts of one span in the stream facts. */
const MOST = 100;
const plainNumber = (value: number): string =>
  value < 10 ? String(Number(value.toPrecision(1))) : String(Math.round(value));

/**
 * Tests for a burst: calls in the newest span (minute or ten minutes) against earlier spans of the same length since the first call. A
 * negative binomial allows for the variance of the counts. Needs 12 earlier spans, 10 earlier calls and 10 calls in the newest span.
 */
function burst([newest = 0, ...before]: readonly number[], what: string): Test | undefined {
  const counts = before.slice(0, before.findLastIndex((count) => count > 0) + 1);
  const earlier = counts.reduce((sum, count) => sum + count, 0);
  if (counts.length < 12 || newest < 10 || earlier < 10) return undefined;
  const mean = earlier / counts.length;
  const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / (counts.length - 1);
  const countText = newest >= MOST ? `${MOST} calls and more` : `${newest} calls`;
  return {
    p: computeCountTail(newest, mean, variance),
    pace: true,
    text: `${countText} in ${what}, where about ${plainNumber(mean)} would be usual for this caller.`,
  };
}

/** Returns the more significant of the two burst tests. Both use the same calls, so only one is reported. */
function bursts({ pace }: StreamFacts): Test | undefined {
  const spans = [burst(pace.minutes, 'the last minute'), burst(pace.ten_minutes, 'the last 10 minutes')];
  const found = spans.filter((test) => test !== undefined);
  const [best] = found.toSorted((a, b) => a.p - b.p);
  return best && { ...best, p: Math.min(1, best.p * found.length) };
}

export interface CallRateLimits {
  per_second: number;
  per_minute: number;
  per_hour: number;
}

/** Reports the shortest span in which the caller reached a limit; longer spans would repeat the same finding. */
function overLimit({ pace }: StreamFacts, limits: CallRateLimits): string[] {
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

/** Reports a caller most of whose calls have the catfish flag: a rising share cannot show this. Needs 20 calls. */
function mostlyFlagged({ records }: StreamFacts): string[] {
  const flagged = records.filter(({ catfish }) => catfish).length;
  if (records.length < 20 || flagged * 2 <= records.length) return [];
  return [`${flagged} of the newest ${records.length} calls carried the catfish flag.`];
}

/**
 * Tests for machine-like regularity: the quartile coefficient of dispersion of the newest 100 gaps against unscheduled calls. Needs 20 gaps
 * and a dispersion of at most 0.25, because people's calls have some regularity too.
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
    p: computeRegularityTail(dispersion, gaps.length),
    pace: true,
    text: `The newest ${gaps.length} gaps between calls are nearly equal, ${unit.replace(/^about 1 seconds$/, 'about 1 second')} each, as a script would space them.`,
  };
}

/**
 * Tests for a rising share of catfish flags: the newest quarter (at least 10 calls) against the earlier calls (at least 20), by Fisher's
 * exact test.
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
    p: computeFisherTail(hits, size, earlier, before.length),
    pace: false,
    text: `${hits} of the newest ${size} calls carried the catfish flag, against ${earlier} of the ${before.length} before them.`,
  };
}

export interface CallStreamReport {
  velocity: boolean;
  observations: string[];
}

/**
 * Runs every test that has enough data. Returns the significant findings: limits first, then the most significant test first. Empty for
 * unremarkable traffic.
 */
export function analyseCallStream(stream: StreamFacts, limits: CallRateLimits): CallStreamReport {
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
