import * as fc from 'fast-check';
import { expect, test, it } from 'vitest';

import { removeCommonPrefixAndSuffix, getTypoDistance, findNearestWord } from '../../src/normalise/typo.ts';

test.each([
  ['street', 'street', 0],
  ['street', 'stret', 1],
  ['street', 'strreet', 1],
  ['street', 'strqet', 1],
  ['street', 'srteet', 1],
  ['street', 'strete', 1],
  ['street', 'avenue', 6],
  ['', 'ab', 2],
])('%s and %s are %i apart', (a, b, distance) => {
  expect(getTypoDistance(a, b, 9)).toBe(distance);
});

test('a distance beyond the limit is returned as the limit plus one', () => {
  expect(getTypoDistance('street', 'avenue', 2)).toBe(3);
  expect(getTypoDistance('a', 'abcdefgh', 1)).toBe(2);
});

test('removeCommonPrefixAndSuffix removes common ends, and counts a letter once', () => {
  expect(removeCommonPrefixAndSuffix('boulevard', 'bulevard')).toEqual(['o', '']);
  expect(removeCommonPrefixAndSuffix('aa', 'aaa')).toEqual(['', 'a']);
});

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), maxLength: 6 });

/** Edit distance by its definition, computed from the ends of the words. */
function defined(a: string, b: string): number {
  if (!a || !b) return a.length + b.length;
  const [x, y] = [a.slice(0, -1), b.slice(0, -1)];
  const change = a.at(-1) === b.at(-1) ? 0 : 1;
  const least = Math.min(defined(x, b) + 1, defined(a, y) + 1, defined(x, y) + change);
  const swapped = a.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  return swapped ? Math.min(least, defined(a.slice(0, -2), b.slice(0, -2)) + 1) : least;
}

test('the distance of any words equals its definition, in either order', () => {
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 7 }), (a, b, limit) => {
      const expected = Math.min(defined(a, b), limit + 1);
      expect(getTypoDistance(a, b, limit)).toBe(expected);
      expect(getTypoDistance(b, a, limit)).toBe(expected);
    }),
    { numRuns: 300 },
  );
});

const KNOWN = ['name', 'emails', 'phones', 'addresses', 'intent', 'operation'];

it.each([
  ['email', 'emails'],
  ['Emails', 'emails'],
  ['e-mails', 'emails'],
  ['adresses', 'addresses'],
  ['addreses', 'addresses'],
  ['pohnes', 'phones'],
  ['intnet', 'intent'],
  ['nam', 'name'],
])('%s was meant to be %s', (word, meant) => {
  expect(findNearestWord(word, KNOWN)).toBe(meant);
});

it.each(['zebra', 'x'.repeat(60), 'telephonenumber'])('%s is like none', (word) => {
  expect(findNearestWord(word, KNOWN)).toBeUndefined();
});
