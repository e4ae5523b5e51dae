import { expect, test } from 'vitest';
import { linkWords, markLinks, pairsOf, placesOf } from '../../../src/console/people/links.ts';

const link = (a: number, b: number, bits: number | null, conflict = false) => ({
  a,
  b,
  why: { bits, conflict, together: true, needed: 3, evidence: [] },
});

test('every two are a pair, once', () => {
  expect(pairsOf(1)).toEqual([]);
  expect(pairsOf(3)).toEqual([
    [0, 1],
    [0, 2],
    [1, 2],
  ]);
});

test('the weakest link is the one without which the records come apart, not the least of all', () => {
  const marked = markLinks([link(0, 1, 20), link(1, 2, 6), link(0, 2, 1), link(2, 3, 9), link(1, 3, null)]);
  expect(marked.map(({ a, b, holds, mark }) => [a, b, holds, mark])).toEqual([
    [0, 1, true, 'strongest'],
    [2, 3, true, null],
    [1, 2, true, 'weakest'],
    [0, 2, false, null],
    [1, 3, false, null],
  ]);
  expect(marked.map(linkWords)).toEqual([
    'the strongest',
    'holds',
    'the weakest that holds',
    'too weak alone',
    'cannot be one person',
  ]);
});

test('the only link is the strongest; what cannot be one person holds nothing', () => {
  expect(markLinks([link(0, 1, 2)]).map(linkWords)).toEqual(['the strongest, too weak alone']);
  expect(markLinks([link(0, 1, 30, true)])).toMatchObject([{ holds: false, mark: null }]);
});

test('each record has a place of its own within the drawing', () => {
  const places = placesOf(8, 400, 300);
  expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(8);
  expect(places.every(({ x, y }) => x > 0 && x < 400 && y > 0 && y < 300)).toBe(true);
});
