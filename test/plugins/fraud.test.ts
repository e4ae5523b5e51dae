import { describe, expect, test } from 'vitest';
import {
  computeNegativeBinomialTail,
  computeFisherExactPValue,
  selectSignificantByHolm,
  computeNormalTail,
  computePoissonTail,
  computeQuartileDispersion,
} from '../../plugins/fraud/statistics.ts';
import { randomNumbers } from '../bench/people.ts';
import { streamOf as windowOf } from '../kit/models/features.ts';
import {
  assessRisk,
  describeInconsistencies,
  describeSubmittedValuePatterns,
  describeRecommendedAction,
} from '../../plugins/fraud/subject.ts';
import { factsOf } from '../../src/features/plugin/test/samples.ts';
import { analyseCallStream } from '../../plugins/fraud/stream.ts';
import type { StreamRecord } from '../../src/features/plugin/index.ts';

const now = Date.UTC(2026, 10, 20, 12);
const minute = 60_000;

const record = (time: number, over: Partial<StreamRecord> = {}): StreamRecord => ({
  time,
  catfish: false,
  ...over,
});

/** Calls at random, `perHour` on average, up to now. */
function poisson(perHour: number, hours: number, next: () => number): StreamRecord[] {
  const records: StreamRecord[] = [];
  for (let at = now - hours * 3_600_000; ;) {
    at += (-Math.log(1 - next()) * 3_600_000) / perHour;
    if (at >= now) return records;
    records.push(record(at, { catfish: next() < 0.05 }));
  }
}
const streamOf = (records: StreamRecord[], at: number) => ({ now: at, ...windowOf(records, at) });
const LIMITS = { per_second: 20, per_minute: 300, per_hour: 5_000 };
const read = (records: StreamRecord[]) => analyseCallStream(streamOf(records, now), LIMITS);
const told = (records: StreamRecord[]): string => read(records).observations.join('\n');

describe('statistics agree with tables', () => {
  test('Poisson, negative binomial and Fisher tails', () => {
    expect(computePoissonTail(5, 2)).toBeCloseTo(0.052653, 5);
    expect(computePoissonTail(0, 2)).toBe(1);
    expect(computeNegativeBinomialTail(5, 2, 2)).toBeCloseTo(computePoissonTail(5, 2), 10);
    // Size 2, p 0.5: P(X ≥ 5) = 7/64.
    expect(computeNegativeBinomialTail(5, 2, 4)).toBeCloseTo(0.109375, 6);
    // The lady tasting tea: all four cups right.
    expect(computeFisherExactPValue(4, 4, 0, 4)).toBeCloseTo(1 / 70, 8);
    expect(computeFisherExactPValue(3, 4, 1, 4)).toBeCloseTo(17 / 70, 8);
  });

  test('the normal tail, near and far', () => {
    expect(computeNormalTail(1.959964)).toBeCloseTo(0.025, 5);
    expect(computeNormalTail(5)).toBeCloseTo(2.8665e-7, 8);
    expect(computeNormalTail(-1)).toBeCloseTo(0.841345, 5);
  });

  test('dispersion is 0 for a metronome and unmoved by a long pause', () => {
    expect(computeQuartileDispersion([5, 5, 5, 5, 5, 5, 5, 100_000])).toBe(0);
    expect(computeQuartileDispersion([0, 0, 0, 0])).toBeNull();
  });

  test('Holm keeps what stands after correction and nothing else', () => {
    expect(selectSignificantByHolm([{ p: 0.01 }, { p: 0.02 }, { p: 0.2 }], 0.05)).toEqual([
      { p: 0.01 },
      { p: 0.02 },
    ]);
    expect(selectSignificantByHolm([{ p: 0.03 }, { p: 0.04 }], 0.05)).toEqual([]);
  });
});

describe('a stream with nothing unusual is not spoken of', () => {
  test('none, one and a few calls', () => {
    for (const records of [
      [],
      [record(now - 5)],
      Array.from({ length: 9 }, (_, i) => record(now - i * 7_321).time)
        .toSorted()
        .map((time) => record(time)),
    ]) {
      expect(read(records)).toEqual({ velocity: false, observations: [] });
    }
  });

  test('unscheduled calls at a steady rate: at most 1 in 1,000 looks', () => {
    const next = randomNumbers(7);
    let spoken = 0;
    for (let look = 0; look < 2_000; look += 1) {
      const perHour = [3, 12, 40][look % 3] ?? 12;
      if (told(poisson(perHour, 24, next).slice(-1000))) spoken += 1;
    }
    expect(spoken).toBeLessThanOrEqual(2);
  });

  test('office hours after a silent night', () => {
    const next = randomNumbers(11);
    for (let day = 0; day < 50; day += 1) {
      const morning = poisson(30, 0.5, next);
      const yesterday = poisson(30, 8, next).map((call) => ({ ...call, time: call.time - 16 * 3_600_000 }));
      expect(told([...yesterday, ...morning])).toBe('');
    }
  });
});

describe('what stands out is told, with its figures', () => {
  const quiet = poisson(6, 24, randomNumbers(3));

  test('a burst against the caller’s own baseline', () => {
    const burst = Array.from({ length: 60 }, (_, i) => record(now - 9 * minute + i * 8_000 + (i % 7) * 900));
    const { velocity, observations } = read([
      ...quiet.filter(({ time }) => time < now - 10 * minute),
      ...burst,
    ]);
    expect(velocity).toBe(true);
    expect(observations.join()).toMatch(/60 calls in the last 10 minutes, where about 0\.9 would be usual/);
  });

  test('machine-regular spacing, a pause notwithstanding', () => {
    const regular = Array.from({ length: 60 }, (_, i) =>
      record(now - (60 - i) * 10 * minute - (i < 30 ? 4 * 3_600_000 : 0) + (i % 3) * 800),
    );
    const { velocity, observations } = read(regular);
    expect(velocity).toBe(true);
    expect(observations).toEqual([
      expect.stringMatching(/59 gaps between calls are nearly equal, about 60\d seconds each/),
    ]);
  });

  test('a rising share of catfish flags, which is no matter of pace', () => {
    const newest = quiet.length - 30;
    const records = quiet.map((call, i) => ({ ...call, catfish: i >= newest }));
    const { velocity, observations } = read(records);
    expect(velocity).toBe(false);
    expect(observations.join()).toMatch(
      /of the newest \d+ calls carried the catfish flag, against \d+ of the \d+ before them\./,
    );
  });

  test('300 calls in ten seconds on a key that has no past', () => {
    const records = Array.from({ length: 300 }, (_, i) => record(now - 10_000 + i * 33 + (i % 5)));
    const { velocity, observations } = read(records);
    expect(velocity).toBe(true);
    expect(observations[0]).toMatch(
      /^\d+ calls in the last second, where 20 are a concern for any caller\.$/,
    );
  });

  test('1,200 calls in the last minute after a quiet day, which they would push out of a window of 1,000', () => {
    const burst = Array.from({ length: 1_200 }, (_, i) => record(now - minute + i * 49 + (i % 7)));
    const records = [...quiet.filter(({ time }) => time < now - 10 * minute), ...burst];
    expect(read(records).velocity).toBe(true);
    expect(read(records).observations[0]).toMatch(/^1200 calls in the last minute, where 300 are/);
    const without = analyseCallStream(streamOf(records, now), {
      per_second: 1e6,
      per_minute: 1e6,
      per_hour: 1e6,
    });
    expect(without.velocity).toBe(true);
    expect(without.observations.join()).toMatch(/100 calls and more in the last .*would be usual/);
  });

  test('a pace that is usual for the caller is a concern where it reaches the limit of a minute or an hour', () => {
    const every = (gap: number) =>
      Array.from({ length: 9_000 }, (_, i) => record(now - 1 - Math.round(i * gap + ((i * 7_919) % gap))));
    expect(told(every(190).toReversed())).toContain('calls in the last minute, where 300 are a concern');
    expect(told(every(600).toReversed())).toContain('calls in the last hour, where 5000 are a concern');
  });

  test('flags on most calls, though there never was a smaller share', () => {
    const records = poisson(8, 24, randomNumbers(21)).map((call) => ({ ...call, catfish: true }));
    const { velocity, observations } = read(records);
    expect(velocity).toBe(false);
    expect(observations).toEqual([
      `${records.length} of the newest ${records.length} calls carried the catfish flag.`,
    ]);
  });
});

test('each of a thousand records is read a dozen times at most', () => {
  let reads = 0;
  const records = new Proxy(poisson(45, 24, randomNumbers(5)).slice(-1000), {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
      return Reflect.get(target, key) as unknown;
    },
  });
  analyseCallStream({ ...streamOf([], now), now, records }, LIMITS);
  expect(records.length).toBe(1000);
  expect(reads).toBeLessThanOrEqual(12 * records.length);
});

describe('the risk level follows its rules', () => {
  const pattern = { title: '', score: 60, confidence: 'MEDIUM' as const };
  test.each([
    ['everything is the person’s', { name: 'p', email: 'p', phone: 's' }, 'LOW'],
    ['nothing is on record', { name: 'u', email: 'u' }, 'LOW'],
    ['only an address is somebody else’s', { name: 'p', email: 'p', address: 'd' }, 'LOW'],
    ['a phone is somebody else’s own', { name: 'p', email: 'p', phone: 'd' }, 'MEDIUM'],
    ['nobody behind the contacts bears the name', { name: 'u', address: 'p' }, 'MEDIUM'],
    ['two phones are somebody else’s, without the flag', { name: 'p', email: 'p', phone: 'dd' }, 'MEDIUM'],
    ['the flag is set', { name: 'p', email: 'p', catfish: true }, 'HIGH'],
  ] as const)('%s', (_, letters, risk) => {
    const { matches, ...facts } = factsOf({ ...pattern, ...letters }, 'general');
    expect(assessRisk({ ...facts, matches })).toBe(risk);
  });

  test('a value that only looks like another one is named, and is to be explained', () => {
    const { matches, ...facts } = factsOf({ ...pattern, name: 'p', email: 'u', phone: 'p' }, 'general');
    const disguised = { ...facts, matches: { ...matches, disguises: ['similar_email' as const] } };
    expect(describeRecommendedAction(disguised, assessRisk(disguised))).toContain(
      'Have the open points explained',
    );
    expect(describeSubmittedValuePatterns(disguised)).toContainEqual(
      expect.stringContaining('only resembles'),
    );
  });

  test.each([
    ['of a record without a name', { nameless: 1, others_own: 0 }],
    ['of the second person of a couple', { no_person: 'couple' as const, of_bearers: 2, others_own: 0 }],
  ])('a phone %s is no pattern and no inconsistency', (_, special) => {
    const { matches, ...facts } = factsOf({ ...pattern, name: 'p', email: 'p', phone: 'd' }, 'general');
    const known = { ...facts, matches: { ...matches, ...special } };
    expect([...describeSubmittedValuePatterns(known), ...describeInconsistencies(known)]).toEqual([]);
    expect(assessRisk(known)).toBe('LOW');
  });

  test('a phone that several have raises nothing', () => {
    const { matches, ...facts } = factsOf({ ...pattern, name: 'p', email: 'p', phone: 'd' }, 'general');
    expect(assessRisk({ ...facts, matches: { ...matches, others_own: 0 } })).toBe('LOW');
  });
});
