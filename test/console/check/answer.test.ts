// What the page says of an answer is what the answer says.
import { expect, test } from 'vitest';
import {
  rowsOf,
  spansOf,
  stepsOf,
  strengthOf,
  verdictOf,
  withoutIt,
} from '../../../src/console/check/answer.ts';
import type { Answer } from '../../../src/console/check/answer.ts';
import { freshApp, JANE, json } from '../../kit/app.ts';

async function answered(body: object): Promise<Answer> {
  const { post } = await freshApp();
  return json(post('/v1/validate', { ...body, operation: 'raw' }));
}

const MIXED = { ...JANE, phones: ['(415) 555-0134', '212 555 0177'], emails: ['nobody@nowhere.example'] };

test('each value has a row: a conflicting owner is a number, and no record is neither good nor bad', async () => {
  const rows = rowsOf(await answered(MIXED)).map(({ kind, status, tone }) => `${kind} ${status} ${tone}`);
  expect(rows).toEqual([
    'name Primary Match good',
    'email No record none',
    'phone Primary Match good',
    expect.stringMatching(/^phone Different Identity Match \(ID \d+\) care$/),
    'address Primary Match good',
  ]);
});

test('the evidence begins at the start, and its weights add up to the sum', async () => {
  const answer = await answered(MIXED);
  const steps = stepsOf(answer);
  expect(steps[0]?.code).toBe('start');
  const sum = steps.reduce((all, { weight }) => all + weight, 0);
  expect(sum).toBeCloseTo(answer.trust_score.raw, 1);
  const other = steps.find(({ code }) => code === 'phone_other');
  expect(other?.words).toMatch(/^phone 2 belongs to identity \d+$/);
  expect(other?.score_without).toBeGreaterThan(answer.trustworthiness_score);
  expect(other && strengthOf(other)).toMatch(/against$/);
});

test('what is the primary identity’s, but speaks against this person, is not green', async () => {
  const foreign = { name: 'Zed Nobody', emails: JANE.emails, phones: JANE.phones };
  const rows = rowsOf(await answered(foreign)).filter(({ kind }) => kind !== 'name');
  expect(rows.map(({ tone }) => tone)).toEqual(['care', 'care']);
});

test('a piece that speaks for the person is not left out for a better score without a word', () => {
  const piece = { code: 'email_own', field: 'email', index: 0, weight: 2.5 };
  expect(withoutIt({ ...piece, score_without: 83 }, 82)).toBe(
    'Without it the rest may mean another identity: 83',
  );
  expect(withoutIt({ ...piece, score_without: 40 }, 82)).toBe('Without it: 40');
});

test('where no contact has a record there is no verdict, and no colour for one', async () => {
  const { tone, word } = verdictOf(await answered({ name: 'Zed Nobody', emails: ['z@nowhere.example'] }));
  expect([tone, word]).toEqual(['none', 'No record']);
  expect(verdictOf(await answered({ name: 'Jane Quimby' })).word).toBe('Name only');
});

test('the time line has the identity and what is on record of each value', async () => {
  expect(
    spansOf(await answered(MIXED)).map(({ label, other }) => [label.replace(/\d+\)/, 'n)'), other]),
  ).toEqual([
    [expect.stringMatching(/^Identity \d+$/), false],
    ['Phone 1', false],
    ['Phone 2 (n)', true],
    ['Address', false],
  ]);
});
