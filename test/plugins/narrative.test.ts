import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Facts } from '../../src/features/plugin/index.ts';
import {
  observeDisguisedValues,
  observeNonPersonName,
  observeNameMismatch,
} from '../../plugins/narrative/observations/others.ts';
import narrative, { chooseReviewAction } from '../../plugins/narrative/index.ts';
import { samplesOf } from '../../src/features/plugin/test/index.ts';
import { factsOf } from '../../src/features/plugin/test/samples.ts';
import { SCORE_LIMIT_NAMES } from '../../src/model.ts';
import { describeInconsistencies } from '../../plugins/fraud/subject.ts';
import { formatTimeAgo, joinWords } from '../../plugins/narrative/phrases.ts';
import { toSampleScoreBand, intents, requestOf, type Pattern } from '../kit/models/features.ts';
import { openFeatures } from '../../src/features/open.ts';

const facts = (score: number, confidence: 'HIGH' | 'MEDIUM' | 'LOW', possible_catfish = false) => ({
  ...samplesOf(['score'])[0]!.facts.score!,
  score,
  confidence,
  possible_catfish,
  band: toSampleScoreBand(score),
});

const two = { others_own: 2, contacts: { different: 2 } };
const one = { others_own: 1, contacts: { different: 1 } };
const shared = { others_own: 0, contacts: { different: 1 } };
const none = { others_own: 0, contacts: { different: 0 } };
type Matches = Facts['matches'];

test.each([
  [facts(85, 'HIGH'), none, 'AUTO_APPROVE'],
  [facts(84, 'HIGH'), none, 'MANUAL_REVIEW'],
  [facts(99, 'HIGH'), shared, 'MANUAL_REVIEW'],
  [facts(99, 'MEDIUM'), none, 'MANUAL_REVIEW'],
  [facts(99, 'HIGH', true), none, 'MANUAL_REVIEW'],
  [facts(39, 'HIGH', true), two, 'AUTO_REJECT'],
  [facts(39, 'MEDIUM', true), two, 'AUTO_REJECT'],
  [facts(39, 'HIGH', true), one, 'MANUAL_REVIEW'],
  [facts(39, 'HIGH'), two, 'MANUAL_REVIEW'],
  [facts(40, 'HIGH', true), two, 'MANUAL_REVIEW'],
  [facts(5, 'LOW', true), two, 'MANUAL_REVIEW'],
  [facts(5, 'LOW'), none, 'MANUAL_REVIEW'],
  [facts(0, 'HIGH'), none, 'MANUAL_REVIEW'],
])('review priority follows its rules: %j with %j gives %s', (score, matches, priority) => {
  expect(chooseReviewAction({ score, matches: matches as Matches }, false)).toBe(priority);
});

test('nothing is approved beside a red flag', () => {
  expect(chooseReviewAction({ score: facts(99, 'HIGH'), matches: none as Matches }, true)).toBe(
    'MANUAL_REVIEW',
  );
});

test.each([
  [1, 'The phone is no number'],
  [2, 'One of the phones is no number'],
])('a disguised value of %i phones is a red flag, and the action names it', (submitted, flag) => {
  const matches = { disguises: ['impossible_number'], contacts: {}, phone: { submitted } };
  expect(observeDisguisedValues({ matches } as unknown as Facts)).toMatchObject({
    flag: expect.stringContaining(flag),
    action: 'Ask for a phone that can be called.',
  });
});

describe('no two sentences contradict each other', () => {
  const answerOf = (known: Facts) => narrative.rules!(narrative.brief(known, {}), {});
  const sampleOf = (pattern: Partial<Pattern>, matches: Partial<Matches> = {}): Facts => {
    const known = factsOf(
      { title: '', score: 79, confidence: 'HIGH', name: 'p', email: 'p', ...pattern },
      'general',
    );
    return { ...known, matches: { ...known.matches, ...matches } };
  };

  test('where a scam is suspected, summary and overview tell of a red flag if there is one', () => {
    for (const { facts: sample } of samplesOf(narrative.facts))
      for (const disguises of [[], ['similar_provider' as const]])
        for (const no_person of [null, 'company' as const]) {
          const known = { ...(sample as Facts), intent: 'suspected-scam' as const };
          known.matches = { ...known.matches, disguises, no_person };
          const { summary, overview, red_flags: flags } = answerOf(known);
          const has = flags.length > 0;
          const says = [
            summary.startsWith('The red flag is'),
            overview.startsWith('Red flag: '),
            has && /no red flag/i.test(summary),
          ];
          expect([summary, overview, ...says]).toEqual([summary, overview, has, has, false]);
        }
  });

  test.each([
    ['equal', 'The name agrees with the primary one of the identity.'],
    ['other_form', 'The name agrees with the primary one of the identity, in another form.'],
    ['similar', 'The name agrees only in part with the primary one of the identity.'],
  ] as const)('a name of the agreement %s is told as such', (name_agreement, factor) => {
    const { key_factors: factors, key_findings: findings } = answerOf(sampleOf({}, { name_agreement }));
    expect(factors).toContain(factor);
    expect(findings.join()).toMatch(
      name_agreement === 'similar' ? /Name: agrees only in part/ : /Name: agrees with/,
    );
  });

  test.each([
    ['the address of a former tenant', sampleOf({ phone: 'p', address: 'd' })],
    ['a phone that many share', sampleOf({ phone: 'd' }, { others_own: 0 })],
    ['a phone of a record without a name', sampleOf({ phone: 'd', nameless: 1 })],
    [
      'a phone of the partner',
      sampleOf({ phone: 'd' }, { no_person: 'couple', of_bearers: 2, others_own: 0 }),
    ],
  ])('%s is no red flag', (_, known) => {
    const { red_flags: flags, risk_factors: risks } = answerOf(known);
    expect([...flags, ...risks]).toEqual([]);
  });

  test.each([
    ['without a name', sampleOf({ phone: 'd', address: 'd', nameless: 1 }, { others_own: 1 })],
    [
      'of the partner',
      sampleOf({ phone: 'd', address: 'd' }, { no_person: 'couple', of_bearers: 2, others_own: 1 }),
    ],
  ])('a contact %s is not counted beside one of a stranger', (_, known) => {
    const { summary, key_factors: factors, red_flags: flags } = answerOf(known);
    expect(summary).toContain('1 of 3 contacts is on record for');
    expect([...factors, ...flags].join(' ')).toContain('1 of 3 contacts is on record for');
    expect(describeInconsistencies(known).join(' ')).toMatch(/^On record for .*: 1 of 3 contacts\.$/);
  });

  test.each([
    ['on record without a name', sampleOf({ phone: 'd', nameless: 1 })],
    ['of the other person named', sampleOf({ phone: 'd' }, { no_person: 'couple', of_bearers: 2 })],
  ])('a contact %s is no conflict', (phrase, known) => {
    const { summary, key_findings: findings } = answerOf(known);
    expect(summary).not.toContain('conflict');
    expect(findings[0]).toBe(`Contacts: 2 sent, 1 matched and 1 ${phrase}`);
  });

  test('a name that agrees only in part is not told as the name of the identity', () => {
    const texts = JSON.stringify(answerOf(sampleOf({ phone: 'p' }, { name_agreement: 'similar' })));
    expect(texts).toContain('the phone belong to one identity, whose name agrees only in part');
    expect(texts).not.toMatch(/the name, the|bears the name|under the name|Primary name on record/);
    const split = sampleOf({ phone: 'p', address: 'd' }, { name_agreement: 'similar', others_own: 1 });
    expect(answerOf(split).summary).toContain(
      'the email and the phone belong to one identity, whose name agrees only in part with the submitted one, but the address is on record for a different identity',
    );
  });

  test('who may be a relative is no red flag', () => {
    const it = answerOf(sampleOf({ phone: 'p', address: 'd' }, { others_own: 1, household: 1 }));
    expect([it.red_flags, it.risk_factors]).toEqual([[], []]);
  });

  test('if every contact matches, the summary says what else keeps the score down', () => {
    const couple = sampleOf({ score: 64, phone: 'p' }, { no_person: 'couple' });
    expect(answerOf(couple).summary).toMatch(
      /not that of one person: both contacts belong to the people named/,
    );
    expect(answerOf(sampleOf({ score: 60, phone: 'p' })).summary).not.toContain('beside the name, only');
  });

  test('contacts of two identities without the name are counted together, without a history', () => {
    const known = sampleOf({ name: 'u', phone: 'd', score: 20 }, { name: 'unverified' });
    const { key_findings: findings, red_flags: flags } = answerOf(known);
    expect(findings[0]).toBe('Contacts: 2 sent, 2 on record without this name');
    expect(findings.join()).not.toContain('History');
    expect(flags.join()).toContain('leads to a different identity than the other contact.');
  });

  test('a single phone of somebody else is confirmed before the case is held', () => {
    const known = sampleOf({ phone: 'd', score: 52, catfish: true });
    const { recommended_actions: actions } = answerOf(known);
    expect(actions.join(' ')).toMatch(
      /^Confirm with the person first the phone that is on record for somebody else: /,
    );
    expect(actions.filter((text) => /\bconfirm\b/i.test(text))).toHaveLength(1);
  });

  test('in the highest band, no advice asks for a further contact', () => {
    const known = sampleOf({ score: 97, phone: 'p', address: 'd' });
    expect(answerOf(known).recommendations.join()).not.toContain('one more contact');
  });
});

test.each([
  ['company', 'Ask who acts in this name'],
  ['couple', 'Check each of the two people'],
  ['family', 'Ask which person it is'],
  ['relation', 'Ask for the person’s own name'],
] as const)(
  'the action on the name of a %s asks for a person, and not for former names',
  (no_person, action) => {
    const contacts = { matched: 1, different: 0 };
    const matches = { no_person, contacts, name: 'unverified', nameless: 0, of_bearers: 0, identities: 1 };
    const known = { matches, score: facts(50, 'HIGH') } as unknown as Facts;
    expect(observeNonPersonName(known)?.action).toContain(action);
    expect(observeNameMismatch(known)).toBeUndefined();
  },
);

describe('advice names what can raise the score', () => {
  const ASKS_FOR_CONTACT =
    /^(?:Add|Run the check again with)|(?:Ask for|another|one more) (?:an?|another|one more) (?:e?mail|phone|address|contact)/;
  const adviceOf = (known: Facts) => {
    const brief = narrative.brief(known, {});
    const { recommendations, recommended_actions } = narrative.rules!(brief, {});
    return [...recommendations, ...recommended_actions];
  };
  const samples = samplesOf(narrative.facts).map(({ facts: known }) => known as Facts);

  test.each(['person', 'name', 'middle_name', 'foreign_contact'] as const)(
    'no advice asks for a contact if the %s limits the score',
    (limit) => {
      for (const known of samples) {
        known.score.limits = [limit];
        const inVain = adviceOf(known).filter((advice) => ASKS_FOR_CONTACT.test(advice));
        expect(inVain).toEqual([]);
      }
    },
  );

  test('a namesake’s contacts are settled by a birth date or a document, not by further contacts', () => {
    for (const known of samples.filter(({ matches }) => matches.contacts.different > matches.nameless)) {
      known.score.limits = [];
      known.matches.namesakes = 1;
      expect(adviceOf(known).join()).toMatch(/birth date/);
      known.matches.namesakes = 0;
    }
  });

  test('a couple is advised to name one person, whatever else limits the score', () => {
    const [known] = samples.filter(({ intent, score }) => intent === 'general' && score.score === 60);
    known!.matches.no_person = 'couple';
    known!.score.limits = ['other_kind', 'person'];
    expect(adviceOf(known!).join()).toMatch(/Check each of the two people/);
    expect(adviceOf(known!).join()).not.toMatch(ASKS_FOR_CONTACT);
  });

  test('no answer gives one piece of advice twice', () => {
    for (const known of samples)
      for (const limit of SCORE_LIMIT_NAMES) {
        known.score.limits = [limit];
        const advice = adviceOf(known);
        expect(new Set(advice).size).toBe(advice.length);
      }
  });
});

test('ages are told in the unit that people use, and never rounded up', () => {
  expect([0, 1, 12, 60, 61, 729, 730, 3_000].map(formatTimeAgo)).toEqual([
    'today',
    '1 day ago',
    '12 days ago',
    '60 days ago',
    '2 months ago',
    '23 months ago',
    '2 years ago',
    '8 years ago',
  ]);
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((parts) => joinWords(parts))).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
  ]);
});

const contacts = fc.stringMatching(/^[psdu]{0,5}$/);
const anyPattern: fc.Arbitrary<Pattern> = fc.record({
  title: fc.constant('any'),
  score: fc.integer({ min: 0, max: 100 }),
  confidence: fc.constantFrom('HIGH', 'MEDIUM', 'LOW'),
  name: fc.constantFrom('p', 's', 'd', 'u'),
  email: contacts,
  phone: contacts,
  address: contacts,
  catfish: fc.boolean(),
  identities: fc.integer({ min: 0, max: 9 }),
  history: fc
    .tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 20_000 }))
    .map(([a, b]) => [Math.max(a, b), Math.min(a, b)] as [number, number]),
});

const stranger = 'a different identity';
const strangers = 'different identities';

test.each([
  { email: 'd', identities: 2, said: strangers, never: stranger },
  { email: 'd', identities: 1, said: stranger, never: strangers },
  { email: 'p', identities: 2, said: stranger, never: strangers },
])('contacts of others are told in the right number: %j', async ({ email, identities, said, never }) => {
  const features = await openFeatures({ settingsFile: 'data/none/features.json' });
  const pattern: Pattern = {
    title: 'any',
    score: 22,
    confidence: 'HIGH',
    name: 'p',
    email,
    phone: 'd',
    address: '',
    catfish: false,
    identities,
    history: [2000, 10],
  };
  const insights = JSON.stringify(await features.insights(requestOf(pattern, { intent: 'general' })));
  expect(insights).toContain(`on record for ${said}`);
  expect(insights).not.toContain(never);
  await features.close();
});

test('whatever a check ends in, the rules have an answer that the guard lets pass', async () => {
  const features = await openFeatures({ settingsFile: 'data/none/features.json' });
  await fc.assert(
    fc.asyncProperty(anyPattern, fc.constantFrom(...intents), async (pattern, intent) => {
      const insights = JSON.stringify(await features.insights(requestOf(pattern, { intent })));
      expect(insights).not.toContain('"error"');
      expect(insights.includes('no reason for further steps') && !insights.includes('AUTO_APPROVE')).toBe(
        false,
      );
      expect(insights).not.toMatch(/undefined|NaN|null (email|phone)/);
    }),
    { numRuns: 400 },
  );
  await features.close();
});
