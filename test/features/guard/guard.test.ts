import { describe, expect, test, vi } from 'vitest';
import * as v from 'valibot';
import { toJsonSchema } from '@valibot/to-json-schema';
import { guardAnswer } from '../../../src/features/guard/guard.ts';
import { factsOf } from '../../../src/features/plugin/test/samples.ts';
import type { Pattern } from '../../kit/models/features.ts';

const sentence = v.pipe(v.string(), v.minLength(1), v.maxLength(120));
const schema = v.object({
  text: sentence,
  list: v.pipe(v.array(sentence), v.maxLength(3)),
  advice: v.array(sentence),
});
const jsonSchema = toJsonSchema(schema) as Record<string, unknown>;

const mixed: Pattern = {
  title: 'two of three emails match, the phone is someone else’s, the address has no record',
  score: 58,
  confidence: 'MEDIUM',
  name: 'p',
  email: 'psu',
  phone: 'd',
  address: 'u',
  identities: 2,
  history: [2000, 12],
};

function run(answer: unknown, pattern: Pattern = mixed) {
  const { intent, score, matches, history } = factsOf(pattern, 'general');
  const facts = { intent, score, matches, history };
  return guardAnswer({ answer, schema, jsonSchema, advice: ['advice'], facts, brief: facts });
}
const withText = (text: string) => ({ text, list: [], advice: [] });

describe('an answer that the facts support passes', () => {
  test.each([
    'The score is 58, which is SUSPICIOUS on the scale.',
    '2 of 3 emails match the identity.',
    'Two of the three emails belong to the identity, while the phone is on record for someone else.',
    'There is no matching record for the address.',
    'The contacts point to 2 identities.',
    'The name matches the primary record.',
    'First seen 2,000 days ago, last seen 12 days ago.',
    'Medium confidence: the phone belongs to another person by the records.',
    'There is no sign of a catfish.',
    'One email has no matching record, which is not a negative finding.',
    'The phone does not match the identity.',
    'The person should confirm whether the phone matches.',
    'A score of 58 out of 100.',
    'The phone is on record for someone else, which warrants a closer look.',
    'The name and 2 of 3 emails match.',
    'The email with no matching record and the phone should be explained.',
  ])('%s', (text) => expect(run(withText(text))).toMatchObject({ ok: true }));
});

describe('an answer that the facts do not support is rejected', () => {
  test.each([
    ['The score is 85.', 'the score is 58'],
    ['Rated 85 out of 100.', 'the score is 58'],
    ['This person is VERIFIED.', 'the verdict is SUSPICIOUS'],
    ['There are 7 matching records.', 'the number 7'],
    ['All emails match.', 'not every email matched'],
    ['3 of 3 emails match.', '2 of 3 matched'],
    ['Two phones match.', 'no such count'],
    ['Both phones are on record for another person.', 'no such count'],
    ['The phone matches the identity.', 'the phone did not match'],
    ['The phone is verified.', 'the phone did not match'],
    ['The email and the phone belong to the identity.', 'the phone did not match'],
    ['The email is on record for a different identity.', 'no email belongs to another'],
    ['There is no matching record for the phone.', 'has a record'],
    ['No phone was sent.', 'the phone was sent'],
    ['The contacts are split among 4 identities.', 'no such count of identities'],
    ['High confidence in this result.', 'the confidence is MEDIUM'],
    ['This looks like a catfish.', 'catfish flag is not set'],
    ['A low-risk contact.', 'not low risk'],
    ['The email matches, and the phone matches and the address has no record.', 'the phone did not match'],
    ['The phone matches and the address does not match.', 'the phone did not match'],
    ['Somebody is pretending here.', 'catfish flag is not set'],
    ['A score of ninety.', 'written in digits'],
    ['A score of ٩٠.', 'written in digits'],
    ['Known for a dozen years.', 'written in digits'],
    ['Probably a case of identity theft.', 'catfish flag is not set'],
  ])('%s', (text, problem) => {
    const result = run(withText(text)) as { code: string; problems: string[] };
    expect(result.code).toBe('answer_rejected');
    expect(result.problems.join()).toContain(problem);
  });
});

describe('a banned subject or word is rejected, in advice too', () => {
  test.each([
    'No criminal record was found.',
    'He was arrested before.',
    'Their credit history is fine.',
    'Bankruptcy is unlikely.',
    'The employer could not be reached.',
    'A good tenant, never evicted.',
    'The address is fake.',
    'The address is invalid.',
    'The address is suspicious.',
    'The address could not be verified.',
    'The address cannot be verified.',
    'The address is unverifiable.',
    'The email failed to match.',
    'This is definitely the person.',
    'The email can’t be confirmed.',
    'We were unable to verify the email.',
    'This person is a scammer.',
    'He is a fraud.',
    'We guarantee that this is safe.',
    'See https://example.org/more',
    'Click <a href="x">here</a>.',
    'Write to someone@example.org now.',
    'Hidden \u202etext',
    'Bell \u0007text',
    'Escape \u001b[31mtext',
    'Delete \u007ftext',
  ])('%s', (text) => {
    expect(run(withText(text))).toMatchObject({ ok: false, code: 'answer_rejected' });
    expect(run({ text: 'Fine.', list: [], advice: [text] })).toMatchObject({ ok: false });
  });
});

test('a match is not denied where everything matched', () => {
  const solid: Pattern = { ...mixed, email: 'pp', phone: 'p', address: '' };
  expect(run(withText('The emails do not match.'), solid)).toMatchObject({ ok: false });
  expect(run(withText('The phone did not match.'), solid)).toMatchObject({ ok: false });
  expect(run(withText('Both emails match.'), solid)).toMatchObject({ ok: true });
});

test('advice may speak of matches that are not there yet', () => {
  expect(
    run({ text: 'Fine.', list: [], advice: ['Make sure the phone matches the identity.'] }),
  ).toMatchObject({ ok: true });
});

test('lists and sentences are cut to their limits before anything else', () => {
  const long = `${'The name matches. '.repeat(9)}`.trim();
  const result = run({ text: long, list: ['a', 'b', '', 'c', 'd'], advice: [] });
  expect(result).toMatchObject({ ok: true, value: { list: ['a', 'b', 'c'] } });
  const { text } = (result as { value: { text: string } }).value;
  expect(text.length).toBeLessThanOrEqual(120);
  expect(text).toMatch(/matches\.$/);
});

test('JSON is found in a code fence and between words', () => {
  const json = JSON.stringify(withText('The name matches.'));
  expect(run(`Here you are:\n\`\`\`json\n${json}\n\`\`\``)).toMatchObject({ ok: true });
});

test.each([undefined, null, 'nothing', '{', [], 7, { text: 1 }, { text: '', list: [], advice: [] }])(
  '%j has no usable form',
  (answer) => {
    expect(run(answer)).toMatchObject({ ok: false, code: 'model_bad_answer' });
  },
);

test('unknown keys are dropped', () => {
  expect(run({ ...withText('Fine.'), score: 99 })).toEqual({ ok: true, value: withText('Fine.') });
});

test('every text is cut to its limit before a pattern reads it, however it is built', () => {
  const test = vi.spyOn(RegExp.prototype, 'test');
  for (const text of [
    'no '.repeat(3_000),
    'email '.repeat(2_000),
    '1,'.repeat(5_000),
    'not sent '.repeat(2_000),
    'no a b c d e sent '.repeat(900),
  ]) {
    run({ text: text.slice(0, 119), list: [], advice: [text, text] });
  }
  const longest = Math.max(...test.mock.calls.map(([text]) => text.length));
  test.mockRestore();
  expect(longest).toBeGreaterThan(100);
  expect(longest).toBeLessThanOrEqual(120);
});
