import { expect, test } from 'vitest';
import {
  describeLinkRole,
  markSpanningTreeLinks,
  listPointsOnEllipse,
} from '../../../src/console/people/link-graph.ts';

const link = (a: number, b: number, bits: number | null, conflict = false) => ({
  a,
  b,
  bits,
  conflict,
  together: true,
  needed: 3,
  evidence: [],
});

test('the weakest link is the weakest of the spanning tree, not of all links', () => {
  const marked = markSpanningTreeLinks([
    link(0, 1, 20),
    link(1, 2, 6),
    link(0, 2, 1),
    link(2, 3, 9),
    link(1, 3, null),
  ]);
  expect(marked.map(({ a, b, isRequired, mark }) => [a, b, isRequired, mark])).toEqual([
    [0, 1, true, 'strongest'],
    [2, 3, true, null],
    [1, 2, true, 'weakest'],
    [0, 2, false, null],
    [1, 3, false, null],
  ]);
  expect(marked.map(describeLinkRole)).toEqual([
    'strongest link',
    'required',
    'weakest link',
    'below the threshold',
    'never one person',
  ]);
});

test('the only link is the strongest; a conflict is never required', () => {
  expect(markSpanningTreeLinks([link(0, 1, 2)]).map(describeLinkRole)).toEqual([
    'strongest link, below the threshold',
  ]);
  expect(markSpanningTreeLinks([link(0, 1, 30, true)])).toMatchObject([{ isRequired: false, mark: null }]);
});

test('each record has its own point within the drawing', () => {
  const points = listPointsOnEllipse(8, 400, 300);
  expect(new Set(points.map(({ x, y }) => `${x} ${y}`)).size).toBe(8);
  expect(points.every(({ x, y }) => x > 0 && x < 400 && y > 0 && y < 300)).toBe(true);
});
