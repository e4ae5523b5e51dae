// What the caller's own recent calls look like beside the caller's own habit. Each test has a name, a baseline and a least
// amount of data; without them it says nothing, and all together err at most once in ten thousand looks.
import type { StreamFacts, StreamRecord } from 'bonafide/plugin';
import { countTail, fisherTail, holm, median, quartileDispersion, regularityTail } from './statistics.ts';

/** Chance that a caller who changes nothing is spoken of, per look, over all tests together. */
export const ALPHA = 1e-4;

interface Test {
  p: number;
  /** Whether it is about pace: `velocity_concerns`. */
  pace: boolean;
  text: string;
}

const MINUTE_MS = 60_000;
const plainNumber = (value: number): string =>
  value < 10 ? String(Number(value.toPrecision(1))) : String(Math.round(value));

/**
 * Burst: calls in the newest minute and the newest ten, against the counts of earlier spans of the same length. The counts'
 * own scatter is allowed for by a negative binomial. Needs 12 earlier spans, 10 earlier calls and 10 calls in the newest.
 */
function burst({ now, records }: StreamFacts, minutes: number): Test | undefined {
  const width = minutes * MINUTE_MS;
  const first = records[0]?.time ?? now;
  const spans = Math.floor((now - width - first) / width);
  if (spans < 12) return undefined;
  const counts = Array.from({ length: spans }, () => 0);
  let newest = 0;
  let earlier = 0;
  for (const { time } of records) {
    const span = Math.floor((now - time) / width) - 1;
    if (span < 0) newest += 1;
    else if (span < spans) {
      counts[span] = (counts[span] ?? 0) + 1;
      earlier += 1;
    }
  }
  if (newest < 10 || earlier < 10) return undefined;
  const mean = earlier / spans;
  const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / (spans - 1);
  const what = minutes === 1 ? 'the last minute' : `the last ${minutes} minutes`;
  return {
    p: countTail(newest, mean, variance),
    pace: true,
    text: `${newest} calls in ${what}, where about ${plainNumber(mean)} would be usual for this caller.`,
  };
}

/** Of two burst tests the likelier sign; they look at the same calls, so that only one of them is told. */
function bursts(stream: StreamFacts): Test | undefined {
  const found = [burst(stream, 1), burst(stream, 10)].filter((test) => test !== undefined);
  const [best] = found.toSorted((a, b) => a.p - b.p);
  return best && { ...best, p: Math.min(1, best.p * found.length) };
}

/**
 * Machine-regular spacing: the quartile coefficient of dispersion of the newest 100 gaps against what unscheduled calls
 * give. Needs 20 gaps, and a dispersion of at most 0.25 besides: mild order is how people work.
 */
function regularity({ records }: StreamFacts): Test | undefined {
  const times = records.slice(-101).map(({ time }) => time);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? time));
  if (gaps.length < 20) return undefined;
  const dispersion = quartileDispersion(gaps);
  if (dispersion === null || dispersion > 0.25) return undefined;
  const seconds = median(gaps) / 1000;
  const unit = seconds < 1 ? 'less than a second' : `about ${plainNumber(seconds)} seconds`;
  return {
    p: regularityTail(dispersion, gaps.length),
    pace: true,
    text: `The newest ${gaps.length} gaps between calls are nearly equal, ${unit.replace(/^about 1 seconds$/, 'about 1 second')} each, as a script would space them.`,
  };
}

/** Rising share: the newest quarter (10 calls at least) against the calls before (20 at least), by Fisher's exact test. */
function rising(
  records: readonly StreamRecord[],
  is: (record: StreamRecord) => boolean,
  what: string,
): Test | undefined {
  const size = Math.max(10, Math.floor(records.length / 4));
  const before = records.slice(0, -size);
  if (before.length < 20) return undefined;
  const hits = records.slice(-size).filter(is).length;
  const earlier = before.filter(is).length;
  if (hits / size <= earlier / before.length) return undefined;
  return {
    p: fisherTail(hits, size, earlier, before.length),
    pace: false,
    text: `${hits} of the newest ${size} calls ${what}, against ${earlier} of the ${before.length} before them.`,
  };
}

const missed = ({ contacts, different, unverified }: StreamRecord): boolean =>
  different + unverified === contacts;

/**
 * Enumeration: an unbroken run of calls none of whose contacts fitted, against the caller's earlier share of such calls q
 * (Laplace's estimate, and never below one half): a run of r has the chance q^r. Needs 20 earlier calls with contacts.
 */
function enumeration({ records }: StreamFacts): Test | undefined {
  const asked = records.filter(({ contacts }) => contacts > 0);
  const start = asked.findLastIndex((record) => !missed(record)) + 1;
  const run = asked.length - start;
  const before = asked.slice(0, start);
  if (run === 0 || before.length < 20) return undefined;
  const usual = Math.max(0.5, (before.filter(missed).length + 1) / (before.length + 2));
  return {
    p: usual ** run,
    pace: true,
    text: `In the newest ${run} calls with contacts none fitted the name it was sent with, as when a list is tried entry by entry.`,
  };
}

export interface StreamReport {
  velocity: boolean;
  observations: string[];
}

/** Runs every test that has enough data and tells those that stand, strongest first. A quiet stream gives an empty list. */
export function readStream(stream: StreamFacts): StreamReport {
  const { records } = stream;
  const tests = [
    bursts(stream),
    regularity(stream),
    rising(records, ({ catfish }) => catfish, 'carried the catfish flag'),
    rising(records, ({ score }) => score < 40, 'scored below 40'),
    enumeration(stream),
  ].filter((test) => test !== undefined);
  const standing = holm(tests, ALPHA);
  return { velocity: standing.some(({ pace }) => pace), observations: standing.map(({ text }) => text) };
}
