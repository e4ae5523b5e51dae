import { expect, test } from 'vitest';
import { readTable } from '../../../src/console/quality/table.ts';
import { areaUnder, atThreshold, casesOf, sharesOf } from '../../../src/console/quality/judge.ts';

const JUDGED = [90, 80, 40]
  .map((score) => ({ score, genuine: true }))
  .concat([70, 10, 40].map((score) => ({ score, genuine: false })));

test('cases are lines with a name and a label; what has none is counted', () => {
  const table = readTable(
    'first name,last name,e-mail,genuine\nAda,Quill,a@example.com,yes\nBob,Hale,,0\n,,b@example.com,1\nEve,X,,maybe\n',
  );
  expect(casesOf(table)).toEqual({
    cases: [
      { request: { name: 'Ada Quill', emails: ['a@example.com'] }, genuine: true },
      { request: { name: 'Bob Hale' }, genuine: false },
    ],
    wrong: 2,
    told: true,
  });
  expect(casesOf(readTable('name\nAda\n')).told).toBe(false);
});

test('at a threshold everybody from it up passes', () => {
  expect(atThreshold(JUDGED, 70)).toEqual({ passed: 2, lost: 1, stopped: 2, missed: 1 });
  expect(atThreshold(JUDGED, 71)).toEqual({ passed: 2, lost: 1, stopped: 3, missed: 0 });
});

test('the area under the curve is the share of pairs in the right order, ties by half', () => {
  expect(areaUnder(JUDGED)).toBeCloseTo(7.5 / 9);
  expect(areaUnder(JUDGED.filter(({ genuine }) => genuine))).toBeNull();
});

test('shares add up to one for each kind', () => {
  const shares = sharesOf([...JUDGED, { score: 100, genuine: true }]);
  const sum = (of: 'genuine' | 'other') => shares.reduce((all, one) => all + one[of], 0);
  expect([shares.length, sum('genuine'), sum('other')].map((one) => Math.round(one * 1e6) / 1e6)).toEqual([
    20, 1, 1,
  ]);
});
