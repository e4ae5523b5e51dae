import { describe, expect, it } from 'vitest';
import {
  addToSuspiciousCheckCounts,
  assessHarvesting,
  createSingleCheckSuspicionCounter,
  NO_SUSPICIOUS_CHECKS,
} from '../../src/accounts/harvesting.ts';
import { generateChecks, HARVESTERS, HONEST } from './harvest-streams.ts';

const NOW = Date.UTC(2026, 10, 20);

/** Returns the suspicion after a day of checks. */
function assessDay(stream: (typeof HONEST)[string], options: { seed: number; count: number }) {
  const watch = createSingleCheckSuspicionCounter();
  const day = { ...NO_SUSPICIOUS_CHECKS };
  for (const [i, check] of generateChecks(stream, options).entries())
    addToSuspiciousCheckCounts(day, watch('key_a', check, NOW + i * 40_000));
  return assessHarvesting(day).suspicion;
}

const SEEDS = Array.from({ length: 20 }, (_, i) => i + 1);

describe('a day of honest checks', () => {
  it.each(Object.keys(HONEST))('is quiet: %s', (name) => {
    const found = SEEDS.map((seed) => assessDay(HONEST[name]!, { seed, count: 1000 }));
    expect(new Set(found)).toEqual(new Set(['quiet']));
  });
});

describe('a day of harvesting', () => {
  it.each(Object.keys(HARVESTERS))('is told: %s', (name) => {
    const found = SEEDS.map((seed) => assessDay(HARVESTERS[name]!, { seed, count: 500 }));
    expect(new Set(found)).toEqual(new Set(['harvesting']));
  });

  it('is marked for a look at half of the limit', () => {
    const found = SEEDS.map((seed) => assessDay(HARVESTERS['names alone']!, { seed, count: 60 }));
    expect(new Set(found)).toEqual(new Set(['look']));
  });
});

it('counts contain nothing of what was sent', () => {
  const watch = createSingleCheckSuspicionCounter();
  const counts = generateChecks(HARVESTERS['names alone']!, { seed: 1, count: 50 }).map((check) =>
    watch('key_a', check, NOW),
  );
  expect(counts.every((one) => Object.values(one).every(Number.isInteger))).toBe(true);
});
