import { expect, test } from 'vitest';
import { toEvaluationOrNull, compareEvaluations } from '../../src/evaluate/compare.ts';
import { evaluationOf, OUTCOMES } from './outcomes.ts';

const before = evaluationOf();
const better = OUTCOMES.map((one) =>
  one.case.role === 'genuine' ? { ...one, score: Math.min(100, one.score + 10) } : one,
);

test('nothing differs from itself', () => {
  const { shared, unshared, moved, worse, figures } = compareEvaluations(before, before);
  expect([shared, unshared, moved, worse]).toEqual([420, 0, 0, []]);
  for (const { difference } of Object.values(figures))
    expect(difference).toEqual({ value: 0, low: 0, high: 0 });
});

test('the genuine that scored higher show as better, with an interval that leaves no doubt', () => {
  const { figures, moved, worse, better: gained } = compareEvaluations(before, evaluationOf(better));
  const { before: was, after, difference } = figures.genuine_from_65;
  expect((after ?? 0) - (was ?? 0)).toBeCloseTo(difference.value ?? 0, 3);
  expect(difference.low).toBeGreaterThan(0);
  expect(figures.not_genuine_from_65.difference).toEqual({ value: 0, low: 0, high: 0 });
  expect([moved > 100, worse]).toEqual([true, []]);
  expect(gained).toHaveLength(10);
  expect(gained.every(({ role, before, after }) => role === 'genuine' && after > before)).toBe(true);
});

test('only cases of one id and one label are compared', () => {
  const relabelled = evaluationOf(
    OUTCOMES.slice(1).map((one, i) =>
      i === 0 ? { ...one, case: { ...one.case, role: 'apart' as const } } : one,
    ),
  );
  expect(compareEvaluations(before, relabelled)).toMatchObject({ shared: 418, unshared: 3 });
});

test('what evaluate did not print is no evaluation', () => {
  for (const value of [null, 3, [], {}, { format: 'bonafide-evaluation-0' }])
    expect(toEvaluationOrNull(value)).toBeNull();
  expect(toEvaluationOrNull(JSON.parse(JSON.stringify(before)))).toEqual(before);
});
