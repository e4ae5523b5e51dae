import { expect, test } from 'vitest';
import { toCsv } from '../../src/admin/wire.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  [-1, '-1'],
  ['a=b', 'a=b'],
  ['Jane’s Shop, Ltd', '"Jane’s Shop, Ltd"'],
])('the cell %j is written as %s: no text of it is a formula', (cell, written) => {
  expect(toCsv([[cell, 'x']])).toBe(`${written},x`);
});
