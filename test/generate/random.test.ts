import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPermutation, Random, createWeightedChoices } from '../../src/generate/random.ts';

test('a permutation holds every number once, and placeOf is its inverse', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3000 }), fc.integer(), (size, key) => {
      const order = createPermutation(size, key);
      const numbers = Array.from({ length: size }, (_, i) => order.at(i));
      expect(new Set(numbers).size).toBe(size);
      expect(Math.max(...numbers)).toBe(size - 1);
      expect(numbers.every((number, i) => order.placeOf(number) === i)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test('neighbours end far apart, in a permutation of billions too', () => {
  const size = 4_000_000_000;
  const order = createPermutation(size, 5);
  const numbers = Array.from({ length: 1000 }, (_, i) => order.at(i));
  const steps = numbers.slice(1).map((number, i) => Math.abs(number - (numbers[i] ?? 0)));
  expect(steps.filter((step) => step < size / 1000).length).toBeLessThan(20);
  expect(order.placeOf(order.at(123_456_789))).toBe(123_456_789);
});

test('draws are even, and those by weight follow the weights', () => {
  const random = new Random(1, 2, 3);
  const list = createWeightedChoices([
    ['often', 8],
    ['seldom', 2],
  ]);
  let [sum, often] = [0, 0];
  for (let i = 0; i < 20_000; i++) {
    sum += random.next();
    if (random.pickWeighted(list) === 'often') often++;
  }
  expect(sum / 20_000).toBeCloseTo(0.5, 1);
  expect(often / 20_000).toBeCloseTo(0.8, 1);
});
