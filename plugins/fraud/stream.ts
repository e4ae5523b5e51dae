// What the caller's own recent calls look like beside the caller's own habit. Each test has a name, a baseline and a least
// amount of data; without them it says nothing, and all together err at most once in ten thousand looks.
import type { StreamFacts, StreamRecord } from 'bonafide/plugin';
import {
  computeCountTail,
  computeFisherTail,
  selectByHolm,
  computeMedian,
  computeQuartileDispersion,
  computeRegularityTail,
} from './statistics.ts';

/** Chance that a caller who changes nothing is spoken of, per look, over all tests together. */
export const SIGNIFICANCE_LEVEL = 1e-4;

interface Test {
  p: number;
  /** Whether it is about pace: `velocity_concerns`. */
  pace: boolean;
  text: string;
}

/** How far a span is counted. */
const MOST = 100;
const plainNumber = (value: number): string =>
  value < 10 ? String(Number(value.toPrecision(1))) : String(Math.round(value));

/**
 * Burst: calls in the newest minute and the newest ten, against the counts of earlier spans of the same length since the first call.
 * The counts' own scatter is allowed for by a negative binomial. Needs 12 earlier spans, 10 earlier calls and 10 calls in the newest.
 */
function burst([newest = 0, ...before]: readonly number[], what: string): Test | undefined {
  const counts = before.slice(0, before.findLastIndex((count) => count > 0) + 1);
  const earlier = counts.reduce((sum, count) => sum + count, 0);
  if (counts.length < 12 || newest < 10 || earlier < 10) return undefined;
  const mean = earlier / counts.length;
  const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / (counts.length - 1);
  const said = newest >= MOST ? `${MOST} calls and more` : `${newest} calls`;
  return {
    p: computeCountTail(newest, mean, variance),
    pace: true,
    text: `${said} in ${what}, where about ${plainNumber(mean)} would be usual for this caller.`,
  };
}

/** Of two burst tests the likelier sign; they look at the same calls, so that only one of them is told. */
function bursts({ pace }: StreamFacts): Test | undefined {
  const spans = [burst(pace.minutes, 'the last minute'), burst(pace.ten_minutes, 'the last 10 minutes')];
  const found = spans.filter((test) => test !== undefined);
  const [best] = found.toSorted((a, b) => a.p - b.p);
  return best && { ...best, p: Math.min(1, best.p * found.length) };
}

/** So many calls in a span are a concern whatever the caller's habit is. */
export interface StreamLimits {
  per_second: number;
  per_minute: number;
  per_hour: number;
}

/** Spans in which a caller reached a limit; only the shortest is told, since the others follow from it. */
function overLimit({ pace }: StreamFacts, limits: StreamLimits): string[] {
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

/** A caller most of whose calls carry the flag has no earlier share that would show it. Needs 20 calls. */
function mostlyFlagged({ records }: StreamFacts): string[] {
  const flagged = records.filter(({ catfish }) => catfish).length;
  if (records.length < 20 || flagged * 2 <= records.length) return [];
  return [`${flagged} of the newest ${records.length} calls carried the catfish flag.`];
}

/**
 * Machine-regular spacing: the quartile coefficient of dispersion of the newest 100 gaps against what unscheduled calls
 * give. Needs 20 gaps, and a dispersion of at most 0.25 besides: mild order is how people work.
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

/** Rising share of flags: the newest quarter (10 calls at least) against the calls before (20 at least), by Fisher's exact test. */
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

export interface StreamReport {
  velocity: boolean;
  observations: string[];
}

/** Runs every test that has enough data and tells those that stand, limits first, then strongest first. A quiet stream gives an empty list. */
export function analyseStream(stream: StreamFacts, limits: StreamLimits): StreamReport {
  const over = overLimit(stream, limits);
  const flagged = mostlyFlagged(stream);
  const tests = [
    over.length > 0 ? undefined : bursts(stream),
    regularity(stream),
    flagged.length > 0 ? undefined : risingFlags(stream.records),
  ].filter((test) => test !== undefined);
  const standing = selectByHolm(tests, SIGNIFICANCE_LEVEL);
  return {
    velocity: over.length > 0 || standing.some(({ pace }) => pace),
    observations: [...over, ...flagged, ...standing.map(({ text }) => text)],
  };
}
