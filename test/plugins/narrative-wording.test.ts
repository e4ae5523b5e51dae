// Wording of the narrative for a namesake, for a company, without a red flag, and for a short history.
import { expect, test } from 'vitest';
import { describeInconsistencies } from '../../plugins/fraud/subject.ts';
import narrative from '../../plugins/narrative/index.ts';
import type { Facts } from '../../src/features/plugin/index.ts';
import { factsOf } from '../../src/features/plugin/test/samples.ts';
import type { Pattern } from '../kit/models/features.ts';

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
