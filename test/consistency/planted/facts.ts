import { mixed, noRecord, person, stranger } from '../good/cases.ts';
import type { Plant } from './plant.ts';
import { edit, input, insight, overview, rowOf, trust } from './plant.ts';

export const FACTS: Plant[] = [
  ['not-split-if-one-has-all', mixed, insight('The contacts are split among 2 people.')],
  [
    'one-identity-if-one',
    mixed,
    (it) => {
      it.request.phones = ['+1 212 555 9177'];
      input(it).phone.input = '12125559177';
      edit(rowOf(it, 'phone', 0), { input: '12125559177', standardized: '+12125559177' });
      insight('The phone resolves to one identity.')(it);
    },
  ],
  [
    'details-on-record-if-all',
    mixed,
    (it) => void (trust(it).summary = 'These details are on record, but not all fit (score 52, SUSPICIOUS).'),
  ],
  [
    'namesake-has-the-name',
    stranger,
    (it) => {
      insight('The e-mail belongs to another person of the same name (identity 1).')(it);
      insight('The phone belongs to another person of the same name (identity 1).')(it);
      overview(it).key_findings = ['Contacts: 2 sent, 2 on record without this name'];
    },
    'other-suffix-is-another-name',
  ],
  [
    'company-is-no-person',
    person,
    (it) => {
      insight('The name is that of a company or department.')(it);
      trust(it).recommendations = ['Reach the named person.'];
    },
    'no-person-in-the-headline',
  ],
  [
    'not-little-if-all',
    person,
    (it) => void (trust(it).summary = 'Only a little connects these details (score 96, VERIFIED).'),
  ],
  [
    'calm-without-red-flag',
    person,
    (it) => {
      overview(it).overview = 'There is no red flag in the identity data.';
      trust(it).recommendations = ['Send nothing and agree to nothing.'];
    },
  ],
  [
    'long-standing-is-long',
    mixed,
    (it) => {
      it.answer.history.first_seen = it.answer.history.last_seen;
      it.answer.history.days_since_first_seen = it.answer.history.days_since_last_seen;
      overview(it).positive_signals = ['Long-standing identity'];
    },
    'history-of-the-dominant',
  ],
  [
    'little-is-little',
    person,
    (it) => {
      it.answer.trust_score.reasons[2] = '+2.40 bits: the phone belongs to identity 1 [phone_own]';
      insight('The phone is shared by 1 identity, so it says little about any one of them.')(it);
    },
  ],
  ['others-to-compare-with', noRecord, insight('The email is newer than the other contact.')],
];
