import { expect, test } from 'vitest';
import { fromSnakeCaseJson, toCsv, toSnakeCaseJson } from '../../src/admin/wire.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  [-1, '-1'],
  ['a=b', 'a=b'],
  ['Jane’s Shop, Ltd', '"Jane’s Shop, Ltd"'],
])('the cell %j is written as %s: no text becomes a formula', (cell, written) => {
  expect(toCsv([[cell, 'x']])).toBe(`${written},x`);
});

test('an object becomes JSON with names in snake case and times as ISO 8601', () => {
  const key = { id: 'k', lastUsed: 0, rotatedTo: null, expires: null, calls: 0, nested: { aB: 1 } };
  expect(toSnakeCaseJson(key, 'lastUsed', 'expires')).toEqual({
    id: 'k',
    last_used: '1970-01-01T00:00:00.000Z',
    rotated_to: null,
    expires: null,
    calls: 0,
    nested: { aB: 1 },
  });
});

test('a body becomes an object with names in camel case', () => {
  expect(fromSnakeCaseJson({ older_than: '1d', clock_is_right: true, why: 'x_y' })).toEqual({
    olderThan: '1d',
    clockIsRight: true,
    why: 'x_y',
  });
});
