import { expect, test } from 'vitest';
import { compareEvaluations } from '../../../src/evaluate/compare.ts';
import { createReportPage } from '../../../src/evaluate/report/page.ts';
import { evaluationOf, OUTCOMES } from '../outcomes.ts';

const evaluation = evaluationOf();
const comparison = compareEvaluations(
  evaluation,
  evaluationOf(OUTCOMES.map((one) => ({ ...one, score: 50 }))),
);
const page = createReportPage(evaluation, { title: 'cases <&> more.csv', comparison });

test('the same evaluation gives the same bytes', () => {
  expect(createReportPage(evaluationOf(), { title: 'cases <&> more.csv', comparison })).toBe(page);
});

test('it asks no host for anything and runs no script', () => {
  expect(page).not.toMatch(/https?:|<script|<iframe|<object|@import|url\(|\son\w+=/i);
  expect(page).toContain(`default-src 'none'`);
});

test('nothing that was submitted is in it, and names of files and groups are text', () => {
  expect(page).not.toMatch(/secret/i);
  expect(page).toContain('cases &#60;&#38;&#62; more.csv');
  expect(page).toContain('&#60;script&#62;');
});

test('every tag that opens closes, no number is missing', () => {
  const body = page.slice(page.indexOf('<main>'), page.indexOf('</body>'));
  let left = body.replace(/<(br|line|rect|path|circle)\b[^>]*>|[^<>]+(?=<)/g, '').trim();
  for (let before = ''; before !== left;) {
    before = left;
    left = left.replace(/<(\w+)[^>]*><\/\1>/g, '');
  }
  expect(left).toBe('');
  expect(page).not.toMatch(/NaN|undefined|Infinity|null/);
});

test('what there is too little of is left out: no comparison, no misses, one group', () => {
  const sure = OUTCOMES.map((one) => ({
    ...one,
    score: one.case.role === 'genuine' ? 99 : 1,
    country: null,
    sent: { email: 1, phone: 0, address: 0 },
    case: { ...one.case, origin: null },
  }));
  const plain = createReportPage(evaluationOf(sure), { title: 'x', comparison: null });
  for (const heading of ['Before and after', 'The worst misses', 'Is it the same for everybody?'])
    expect([page.includes(heading), plain.includes(heading)]).toEqual([true, false]);
  expect(plain).not.toMatch(/NaN|undefined|Infinity/);
});
