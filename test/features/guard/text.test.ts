import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  parseEmbeddedJson,
  collectNumbers,
  listNestedStringsWithPaths,
  shortenToSchemaLimits,
  parseNumbers,
} from '../../../src/features/guard/guard.ts';

test('strings come with their paths', () => {
  expect(listNestedStringsWithPaths({ a: ['x', { b: 'y' }], c: 3, d: null })).toEqual([
    { path: 'a[0]', text: 'x' },
    { path: 'a[1].b', text: 'y' },
  ]);
});

test('numbers are found in values and in words around them', () => {
  expect(parseNumbers('2 of 1,000 at 0.5, seen in 2019.')).toEqual([2, 1000, 0.5, 2019]);
  expect([...collectNumbers({ a: 7, b: ['8 years ago', null], c: { d: 9 } })]).toEqual([7, 8, 9]);
});

test('a long string ends at its last sentence, or at a word', () => {
  const shape = { type: 'string', maxLength: 20 };
  expect(shortenToSchemaLimits(shape, 'First sentence. And more of it')).toBe('First sentence.');
  expect(shortenToSchemaLimits(shape, 'no sentence ends in here at all')).toBe('no sentence ends…');
  expect(shortenToSchemaLimits(shape, '  spaced \n out ')).toBe('spaced out');
});

test('trimming keeps every limit, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.integer({ min: 2, max: 60 }), (text, maxLength) => {
      expect(
        (shortenToSchemaLimits({ type: 'string', maxLength }, text) as string).length,
      ).toBeLessThanOrEqual(maxLength);
    }),
  );
});

test('JSON is found between words, and nothing is made of anything else', () => {
  expect(parseEmbeddedJson('Sure! {"a": {"b": 1}} Anything else?')).toEqual({ a: { b: 1 } });
  expect(['', '{', 'none', '}{'].map(parseEmbeddedJson)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
