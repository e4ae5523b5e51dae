// Wording of the narrative for a namesake, for a company, without a red flag, and for a short history.
import { expect, test } from 'vitest';
import { describeInconsistencies, describeSubmittedValuePatterns } from '../../plugins/fraud/subject.ts';
import narrative, { chooseReviewAction } from '../../plugins/narrative/index.ts';
import type { Facts } from '../../src/features/plugin/index.ts';
import { factsOf } from '../../src/features/plugin/test/samples.ts';
import { intents, type Pattern } from '../kit/models/features.ts';

const answerOf = (known: Facts) => narrative.rules!(narrative.brief(known, {}), {});
function sampleOf(pattern: Partial<Pattern>, matches: Partial<Facts['matches']> = {}): Facts {
  const whole: Pattern = { title: '', score: 79, confidence: 'HIGH', name: 'p', email: 'p', ...pattern };
  const known = factsOf(whole, 'general');
  return { ...known, matches: { ...known.matches, ...matches } };
}

test('the texts call the owner of the contacts a namesake, and not somebody without the name', () => {
  const known = sampleOf({ name: 'u', phone: 'p', score: 25 }, { namesakes: 2 });
  const { summary, red_flags: flags, key_findings: findings } = answerOf(known);
  expect(summary).toMatch(/another person of (?:this|the) name/);
  expect(flags).toEqual(['The contacts are on record for another person of the same name.']);
  expect(findings[0]).toBe('Contacts: 2 sent, 2 on record for another person of this name');
});

test('without a red flag, the advice on a suspected scam is not “agree to nothing”', () => {
  const known = sampleOf({ address: 'd', score: 82 }, { no_person: null });
  const { overview, recommendations } = answerOf({ ...known, intent: 'suspected-scam' });
  expect(overview).toMatch(/^There is no red flag/);
  expect(recommendations.join()).not.toMatch(/agree to nothing/);
});

test('no advice asks to reach a company as a named person', () => {
  const known = sampleOf({ score: 64, phone: 'p' }, { no_person: 'company' });
  const { recommendations } = answerOf({ ...known, intent: 'suspected-scam' });
  expect(recommendations.join()).not.toContain('named person');
});

test.each([
  [900, 'History of at least two years'],
  [2_000, 'Long-standing and current identity'],
])('the signal for an identity of %d days is “%s”', (first, signal) => {
  const history = {
    days_since_first_seen: first,
    days_since_last_seen: 10,
    days_since_contacts_seen: 10,
    old_contacts: 0,
    passed_on: 0,
  };
  expect(answerOf({ ...sampleOf({ phone: 'p' }), history }).positive_signals).toContain(signal);
});

test('contacts of a couple and of one other person belong to one different identity', () => {
  const known = sampleOf(
    { email: 'pdd', score: 64, identities: 3, own: 2 },
    { no_person: 'couple', others_own: 1 },
  );
  const text = JSON.stringify([answerOf(known), describeInconsistencies(known)]);
  expect(text).toContain('1 of 3 contacts is on record for a different identity');
  expect(text).not.toMatch(/different identities|the other email/);
});

test('two contacts of one other person lead to one other identity if another contact has no name', () => {
  const known = sampleOf({ email: 'pdd', phone: 'd', score: 64, identities: 3, own: 1, nameless: 1 });
  const text = JSON.stringify([answerOf(known), describeInconsistencies(known)]);
  expect(text).toContain('2 of 4 contacts are on record for a different identity');
  expect(text).not.toContain('different identities');
});

test('a contact of somebody else counts as one if another contact has no name', () => {
  const known = sampleOf({ email: 'd', phone: 'd', address: 'p', identities: 3, own: 1, nameless: 1 });
  expect(answerOf(known).recommended_actions.join()).toMatch(
    /the contact that is on record for someone else/,
  );
});

test.each([
  ['young', { history: [60, 10] as [number, number] }],
  ['weak', { score: 50, address: 'u' }],
])('the summary of a %s identity says that its name agrees only in part', (_, pattern) => {
  const known = sampleOf(pattern, { name_agreement: 'similar' });
  for (const intent of ['general', 'reconnecting'] as const) {
    const { summary } = answerOf({ ...known, intent });
    expect(summary).toContain('whose name agrees only in part with the submitted one');
    expect(summary).not.toMatch(/the name and the email|beside the name|fit the name/);
  }
});

test.each(intents.filter((intent) => intent !== 'suspected-scam'))(
  'the headline for %s says that nothing speaks against the person only if nothing does',
  (intent) => {
    const known = { ...sampleOf({ history: [2_000, 10] }), intent };
    const { score, history } = known;
    const isSaid = (changed: Partial<Facts>) =>
      /[Nn]othing speaks against/.test(answerOf({ ...known, ...changed }).overview);
    expect([
      isSaid({}),
      isSaid({ score: { ...score, any_against: true } }),
      isSaid({ history: { ...history, old_contacts: 1 } }),
      isSaid({ history: { ...history, passed_on: 1 } }),
      isSaid({ history: { ...history, days_since_contacts_seen: 1_500 } }),
    ]).toEqual([true, false, false, false, false]);
  },
);

test('an old contact is an open point, also for a check that may be accepted', () => {
  const known = sampleOf({ phone: 'p', score: 97, history: [2_000, 10] });
  const actions = (old: number) => answerOf({ ...known, history: { ...known.history, old_contacts: old } });
  expect(actions(0).recommended_actions).toEqual(['Accept: the identity data leaves no point open.']);
  expect(actions(1).recommended_actions).toContain('Ask whether the details are still in use.');
  expect(actions(1).overview).not.toContain('no reason for further steps');
});

test('no check is approved with a phone that has passed on to somebody else', () => {
  const known = sampleOf({ phone: 'p', score: 97, history: [2_000, 10] });
  const priorities = [0, 1].map((passedOn) =>
    chooseReviewAction({ ...known, history: { ...known.history, passed_on: passedOn } }, false),
  );
  expect(priorities).toEqual(['AUTO_APPROVE', 'MANUAL_REVIEW']);
});

test('the history says when the records end', () => {
  const known = sampleOf({ phone: 'p', score: 97, history: [4_000, 1_500] });
  expect(answerOf(known).key_factors).toContain(
    'Records on the identity begin 10 years ago and end 4 years ago.',
  );
});

test('whether the holder is a relative is asked once, without a hold', () => {
  const known = sampleOf(
    { name: 'u', phone: 'p', score: 36, catfish: true },
    { name_part: 'family', others_own: 1 },
  );
  expect(answerOf(known).recommended_actions).toEqual([
    'Ask whose contacts these are: the person may be a relative of the holder.',
  ]);
});

test('one contact is no kind of contacts', () => {
  expect(describeSubmittedValuePatterns(sampleOf({}))).toEqual(['Evidence of one contact only: the email']);
});
