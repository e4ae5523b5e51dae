import { expect, test } from 'vitest';
import { computeDurationPercentiles } from '../../src/admin/logs.ts';
import { parseMetricsForConsole } from '../../src/http/console/live.ts';
import { createKey } from '../../src/store/keys.ts';
import { freshApp, JANE, json } from '../kit/app.ts';

test('live calls are counted by step of time, test calls are not, and the steps add up', async () => {
  const { app, post, send } = await freshApp();
  const { key } = createKey(app.store, { name: 'x', scopes: ['admin'] }, Date.now());
  const { key: test } = createKey(app.store, { name: 'x', scopes: ['validate'], test: true }, Date.now());
  for (let i = 0; i < 3; i++) await post('/v1/validate', JANE);
  await post('/v1/validate', JANE, { 'x-api-key': test });
  for (const [span, steps] of [
    ['hour', 60],
    ['day', 48],
    ['week', 56],
    ['month', 60],
  ] as const) {
    const told = await json(send(`/admin/v1/activity?span=${span}`, { key }));
    expect([told.steps.length, told.all.calls, told.whole]).toEqual([steps, 3, true]);
    const bands = told.steps.flatMap((step: { bands: object }) => Object.values(step.bands)) as number[];
    expect(bands.reduce((sum, one) => sum + one, 0)).toBe(3);
    const verdicts = told.steps.flatMap((step: { verdicts: object }) => Object.values(step.verdicts));
    expect(verdicts.reduce((sum: number, one: number) => sum + one, 0)).toBe(3);
  }
  const none = await json(send('/admin/v1/activity?account=acc_nobody', { key }));
  expect([none.all.calls, none.all.p50_ms]).toEqual([0, null]);
});

test('percentiles are by nearest rank', () => {
  expect(computeDurationPercentiles([])).toEqual({ p50_ms: null, p95_ms: null, p99_ms: null });
  expect(computeDurationPercentiles([7])).toEqual({ p50_ms: 7, p95_ms: 7, p99_ms: 7 });
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect(computeDurationPercentiles(hundred)).toEqual({ p50_ms: 50, p95_ms: 95, p99_ms: 99 });
});

test('live metrics are read from the text of Prometheus', () => {
  const text = [
    '# HELP bonafide_checks_total x',
    'bonafide_checks_total{endpoint="validate",band="HIGH",verdict="verified"} 3',
    'bonafide_checks_total{endpoint="enhanced",band="LOW",verdict="no-record"} 4',
    'bonafide_problems_total{code="invalid_request"} 2',
    'bonafide_calls_in_flight 5',
    'other_total{band="HIGH"} 9',
  ].join('\n');
  expect(parseMetricsForConsole(text, 0)).toEqual({
    time: '1970-01-01T00:00:00.000Z',
    checks: { verified: 3, 'no-record': 4 },
    problems: { invalid_request: 2 },
    in_flight: 5,
  });
});
