import type { Case } from '../good/build.ts';
import { must } from '../good/build.ts';
import { mixed, person, stranger } from '../good/cases.ts';
import { asAddress, outvote } from './alter.ts';
import type { Plant } from './plant.ts';
import { analysis, edit, fraud, input, insight, names, overview, rowOf, trust } from './plant.ts';

const explain = ({ answer }: Case, text: string) => void (answer.combined_trust_score.explanation = text);

export const SENTENCES: Plant[] = [
  [
    'part-of-name-of-as-many',
    stranger,
    ({ answer }) =>
      void (answer.summary =
        'Both contacts belong to an identity with the same given name, but not the same family name.'),
  ],
  [
    'name-in-part-is-not-the-name',
    person,
    (it) => {
      names(it).matched_name = 'Jane Quimbey';
      Object.assign(analysis(it), {
        match_confidence: 60,
        variation_type: 'typo',
        explanation: 'The names alone do not show that they are the same.',
      });
    },
  ],
  ['no-person-in-the-headline', person, insight('The name is that of two people.'), 'couple-is-not-one'],
  [
    'all-holders-told',
    mixed,
    (it) => {
      it.request.phones = ['+1 212 555 9177'];
      input(it).phone.input = '12125559177';
      edit(rowOf(it, 'phone', 0), { input: '12125559177', standardized: '+12125559177' });
      it.answer.trust_score.reasons[2] = '−2.00 bits: the phone belongs to identity 9 [phone_other]';
    },
  ],
  ['bound-fits-the-score', mixed, (it) => explain(it, 'The score is at most 40.'), 'bound-is-named'],
  [
    'bound-fits-the-score',
    mixed,
    (it) => {
      explain(it, 'The score is limited: people move.');
      it.answer.identity_score.adjusted = 50;
      it.answer.identity_score.penalties -= 2;
      it.answer.combined_trust_score.pre_capped = 50;
    },
  ],
  [
    'one-phone-may-be-mistyped',
    mixed,
    (it) => {
      outvote(it);
      explain(it, 'A lower bound makes the score higher, because a phone may be mistyped.');
    },
    'dominant-by-number',
    'bound-is-named',
  ],
  [
    'kinds-of-contact-agree',
    mixed,
    (it) => {
      explain(it, 'The score is limited because one kind of contact gives most of the evidence.');
      insight('It helps that separate kinds of contact agree.')(it);
    },
    'bound-is-named',
  ],
  [
    'slip-is-confirmed-first',
    mixed,
    (it) => {
      explain(it, 'The score is limited: a phone may be mistyped.');
      overview(it).recommended_actions.push('Hold the case until that is explained.');
    },
    'bound-is-named',
  ],
  [
    'history-of-the-person',
    stranger,
    (it) => void overview(it).key_findings.push('History: first seen 7 years ago'),
  ],
  [
    'counts-of-one-sort',
    mixed,
    (it) =>
      void (overview(it).key_findings[0] =
        'Contacts: 3 sent, 1 on record without this name and 1 on record for a different identity'),
  ],
  [
    'not-only-if-all',
    person,
    (it) => void (trust(it).summary = 'Beside the name, only the email resolves (score 96, VERIFIED).'),
  ],
  ['plain-words', person, insight('The name matches in another form (typo).')],
  ['plain-words', mixed, insight('The phone belongs to someone else than the rest.')],
  [
    'family-at-the-address',
    stranger,
    (it) => {
      asAddress(it);
      overview(it).review_priority = 'MANUAL_REVIEW';
      it.request.name = 'Hans Farr';
      names(it).provided_name = 'Hans Farr';
      input(it).name.input = 'Hans Farr';
      edit(rowOf(it, 'name', 0), { input: 'Hans Farr', standardized: 'HANS FARR' });
      must(input(it).address).match_message =
        'DIFFERENT PERSON: Address matches identity 1, whose name is not the submitted one.';
      it.answer.identity_score.match_flags = {
        name: 'Unverified',
        email: 'Primary Match',
        address: 'Primary Match',
      };
      Object.assign(fraud(it), {
        risk_level: 'HIGH',
        patterns_detected: ['The contacts are of somebody else'],
      });
    },
  ],
];
