import { expect, test } from 'vitest';
import { computeShareReachingScore } from '../../src/evaluate/figures.ts';
import { createReportPage } from '../../src/evaluate/report/page.ts';
import { listWorstOutcomes } from '../../src/evaluate/outcome.ts';
import { packScoresByClass, countScores } from '../../src/evaluate/sample.ts';
import { evaluationOf, OUTCOMES } from './outcomes.ts';
import { GENUINE, OTHERS } from './scores.ts';

const evaluation = evaluationOf();

test('cases apart count in no figure', () => {
  const { cases, figures } = evaluation;
  expect(cases).toEqual({ genuine: 230, not_genuine: 170, apart: 20, refused: 2 });
  expect(evaluationOf(OUTCOMES.filter((one) => one.case.role !== 'apart')).figures).toEqual(figures);
});

test('thresholds: what passes and what is lost add up to all', () => {
  const { genuine, notGenuine } = countScores(packScoresByClass(GENUINE, OTHERS));
  for (const { score, lost, passed } of evaluation.thresholds) {
    expect(lost).toBe(GENUINE.filter((one) => one.score < score).length);
    expect(passed).toBe(OTHERS.filter((one) => one.score >= score).length);
    expect(lost).toBe(Math.round(genuine.total * (1 - computeShareReachingScore(genuine, score))));
  }
  expect(evaluation.thresholds.map(({ score }) => score)).toContain(evaluation.threshold);
  expect(notGenuine.total * 0.01).toBeGreaterThan(
    OTHERS.filter(({ score }) => score >= evaluation.threshold).length - 1,
  );
});

test('groups of a cut hold every case once', () => {
  expect(evaluation.slices.map(({ by }) => by)).toEqual(['contacts sent', 'country', 'origin of the name']);
  for (const { groups } of evaluation.slices) {
    const sum = (of: 'genuine' | 'not_genuine') => groups.reduce((all, group) => all + group[of], 0);
    expect([sum('genuine'), sum('not_genuine')]).toEqual([230, 170]);
  }
});

test('of many groups, the largest have intervals, and the report says how many', () => {
  const outcomes = OUTCOMES.slice(0, 400).map((one, i) => ({
    ...one,
    case: { ...one.case, origin: `origin ${i}`, subkind: `kind ${i}` },
  }));
  const many = evaluationOf(outcomes);
  const groups = many.slices.find(({ by }) => by === 'origin of the name')?.groups ?? [];
  expect(groups).toHaveLength(400);
  const measured = ({ auc, genuine_from_65: share, not_genuine_from_65: passed }: (typeof groups)[number]) =>
    [auc, share, passed].some(({ low }) => low !== null);
  expect(groups.findIndex((group) => !measured(group))).toBe(100);
  expect(groups.slice(100).some(measured)).toBe(false);
  expect(groups.at(-1)?.not_genuine_from_65.value).not.toBeNull();
  expect(many.sorts).toHaveLength(402);
  expect(many.sorts.filter(({ from_65: share }) => share.low !== null)).toHaveLength(100);
  const page = createReportPage(many, { title: 'many', comparison: null });
  expect(page).toContain('Only the 100 largest of the 402 rows have intervals.');
  expect(page).toContain('Only the 100 largest of the 400 rows have intervals.');
});

test('the reliability curve never falls, lies in its band, and its parts add up to the Brier score', () => {
  const { curve, miscalibration, discrimination, uncertainty } = evaluation.reliability;
  for (const [i, { value, low, high }] of curve.entries()) {
    expect(value).toBeGreaterThanOrEqual(curve[i - 1]?.value ?? 0);
    expect(low).toBeLessThanOrEqual(value ?? 0);
    expect(high).toBeGreaterThanOrEqual(value ?? 1);
  }
  const brier = (miscalibration ?? 0) - (discrimination ?? 0) + (uncertainty ?? 0);
  expect(brier).toBeCloseTo(evaluation.figures.brier.value ?? 0, 3);
});

test('both curves lie in their bands and pass through the marked scores', () => {
  const { roc, precision, marks } = evaluation.curves;
  for (const { y, low, high } of [...roc, ...precision]) expect(low <= y && y <= high).toBe(true);
  for (const { genuine, not_genuine } of marks) {
    const [below, above] = [roc.findLast(({ x }) => x <= not_genuine), roc.find(({ x }) => x >= not_genuine)];
    expect(genuine).toBeGreaterThanOrEqual((below?.y ?? 0) - 0.08);
    expect(genuine).toBeLessThanOrEqual((above?.y ?? 1) + 0.08);
  }
});

test('the worst misses are the lowest of the genuine and the highest of the others', () => {
  const worst = listWorstOutcomes(OUTCOMES);
  const scores = (role: string) => worst.filter((one) => one.case.role === role).map(({ score }) => score);
  const ranked = (list: typeof GENUINE) => list.map(({ score }) => score).toSorted((a, b) => a - b);
  expect(scores('genuine')).toEqual(ranked(GENUINE).slice(0, 8));
  expect(scores('not_genuine')).toEqual(ranked(OTHERS).toReversed().slice(0, 8));
  expect(scores('apart')).toEqual([]);
});
