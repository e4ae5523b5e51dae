import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  toHourlyRateLimit,
  computeTokenBucketStateAtTime,
  takeToken,
  type RateLimit,
  formatRateLimitHeaders,
} from '../../src/accounts/limits.ts';

const NOW = Date.UTC(2026, 10, 20);
const RATE: RateLimit = { perSecond: 10, burst: 5 };

/** Asks for a token at each of the times; true for each token that was given. */
function asked(times: number[], rate = RATE): boolean[] {
  let fullAt: number | undefined;
  return times.map((time) => {
    const taken = takeToken(fullAt, time, rate);
    ({ fullAt } = taken);
    return taken.isTaken;
  });
}

describe('a bucket', () => {
  it('gives its burst at once, then one token as often as it fills', () => {
    const atOnce = Array.from({ length: 7 }, () => NOW);
    expect(asked([...atOnce, NOW + 99, NOW + 100, NOW + 150, NOW + 200])).toEqual(
      [...'yyyyynnnyny'].map((letter) => letter === 'y'),
    );
  });

  it('reports its tokens, the time of the next token and the time until it is full', () => {
    expect(takeToken(undefined, NOW, RATE)).toMatchObject({
      isTaken: true,
      tokens: 4,
      fullIn: 100,
      nextIn: 0,
    });
    const empty = computeTokenBucketStateAtTime(NOW + 500, NOW, RATE);
    expect(empty).toMatchObject({ tokens: 0, fullIn: 500 });
    expect(empty.nextIn).toBeCloseTo(100, 3);
    expect(takeToken(NOW + 450, NOW, RATE)).toMatchObject({ isTaken: false, fullAt: NOW + 450 });
  });

  it('is empty at worst after the clock stepped back a day', () => {
    const { fullAt } = takeToken(undefined, NOW + 86_400_000, RATE);
    expect(takeToken(fullAt, NOW, RATE)).toMatchObject({ isTaken: false, tokens: 0, fullIn: 500 });
    expect(takeToken(fullAt, NOW, RATE).nextIn).toBeLessThanOrEqual(100);
  });

  it('with an hourly rate gives the tokens of an hour at once', () => {
    const all = asked(
      Array.from({ length: 101 }, (_, i) => NOW + i),
      toHourlyRateLimit(100),
    );
    expect(all.filter(Boolean)).toHaveLength(100);
  });

  it('never gives more in a span than its burst and the tokens that fill in it, nor less if it is asked all the time', () => {
    const rates = fc.record({
      perSecond: fc.constantFrom(0.01, 0.3, 1, 7, 50, 1000),
      burst: fc.integer({ min: 1, max: 200 }),
    });
    const steps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(rates, steps, (rate, gaps) => {
        let time = NOW;
        const times = gaps.map((gap) => (time += gap));
        const given = asked(times, rate);
        const taken = times.filter((_, i) => given[i]);
        taken.forEach((from, i) => {
          const span = taken.slice(i).filter((at) => at <= from + 5000).length;
          expect(span).toBeLessThanOrEqual(rate.burst + (5000 / 1000) * rate.perSecond + 1e-3);
        });
        const fills = ((times.at(-1) ?? NOW) - NOW) / 1000;
        const least = Math.min(times.length, rate.burst);
        expect(taken.length).toBeGreaterThanOrEqual(least);
        expect(taken.length).toBeLessThanOrEqual(rate.burst + fills * rate.perSecond + 1e-3);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the RateLimit fields of an answer', () => {
  it('name every policy as a structured string with its parameters', () => {
    const fields = formatRateLimitHeaders([
      { name: 'rate', quota: 20, window: 2000, remaining: 19, reset: 100 },
      { name: 'quota', quota: 5000, window: 2_592_000_000, remaining: -3, reset: 86_400_000 },
      { name: 'in-flight', quota: 8, unit: 'concurrent-requests', remaining: 7 },
    ]);
    expect(fields).toEqual({
      policy: '"rate";q=20;w=2, "quota";q=5000;w=2592000, "in-flight";q=8;qu="concurrent-requests"',
      limit: '"rate";r=19;t=1, "quota";r=0;t=86400, "in-flight";r=7',
    });
  });
});
