import { expect, test } from 'vitest';
import {
  describeScoreWithoutValue,
  describeEvidenceStrength,
  toVerdictDisplay,
  listEvidence,
  listValueResults,
  listSeenPeriods,
} from '../../../src/console/check/answer.ts';
import type { CheckAnswer } from '../../../src/console/app/types.ts';
import { freshApp, JANE, json } from '../../kit/app.ts';

async function check(body: object): Promise<CheckAnswer> {
  const { post } = await freshApp();
  return json(post('/v1/validate', { ...body, operation: 'raw' }));
}

const MIXED = { ...JANE, phones: ['(415) 555-0134', '212 555 0177'], emails: ['nobody@nowhere.example'] };

test('each value has a result: another identity is named by its number, and no record is grey', async () => {
  const results = listValueResults(await check(MIXED)).map(
    ({ kind, status, tone }) => `${kind} ${status} ${tone}`,
  );
  expect(results).toEqual([
    'name Primary Match good',
    'email No record none',
    'phone Primary Match good',
    expect.stringMatching(/^phone Different Identity Match \(ID \d+\) care$/),
    'address Primary Match good',
  ]);
});

test('the evidence begins with the start, its weights add up to the sum, and each piece has its sentence', async () => {
  const answer = await check(MIXED);
  const steps = listEvidence(answer) ?? [];
  expect(steps[0]?.code).toBe('start');
  const sum = steps.reduce((all, { weight }) => all + weight, 0);
  expect(sum).toBeCloseTo(answer.trust_score.raw, 1);
  const other = steps.find(({ code }) => code === 'phone_other');
  expect(steps.every(({ text }) => /^[^[\]]+$/.test(text))).toBe(true);
  expect(other?.text).toMatch(/^phone 2 belongs to identity \d+$/);
  expect(other?.score_without).toBeGreaterThan(answer.trustworthiness_score);
  expect(other && describeEvidenceStrength(other)).toMatch(/against$/);
});

test('a value of the primary identity that counts against the person is not green', async () => {
  const foreign = { name: 'Zed Nobody', emails: JANE.emails, phones: JANE.phones };
  const results = listValueResults(await check(foreign)).filter(({ kind }) => kind !== 'name');
  expect(results.map(({ tone }) => tone)).toEqual(['care', 'care']);
});

test('a score that would be higher without supporting evidence is explained', () => {
  const piece = { weight: 2.5 };
  expect(describeScoreWithoutValue({ ...piece, score_without: 83 }, 82)).toBe(
    'Score without it: 83. The other values may match another identity.',
  );
  expect(describeScoreWithoutValue({ ...piece, score_without: 40 }, 82)).toBe('Score without it: 40');
});

test('without a contact on record there is no verdict, and its tone is grey', async () => {
  const { tone, label } = toVerdictDisplay(
    await check({ name: 'Zed Nobody', emails: ['z@nowhere.example'] }),
  );
  expect([tone, label]).toEqual(['none', 'No record']);
  expect(toVerdictDisplay(await check({ name: 'Jane Quimby' })).label).toBe('Name only');
});

test('the history has a period of the identity and of each value on record', async () => {
  expect(
    listSeenPeriods(await check(MIXED)).map(({ label, isOther }) => [label.replace(/\d+\)/, 'n)'), isOther]),
  ).toEqual([
    [expect.stringMatching(/^Identity \d+$/), false],
    ['Phone 1', false],
    ['Phone 2 (identity n)', true],
    ['Address', false],
  ]);
});
