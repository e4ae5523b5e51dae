import { mixed, nameOnly, noRecord, person, stranger } from '../good/cases.ts';
import type { Plant } from './plant.ts';
import { overview, trust, insight } from './plant.ts';

export const WORDING: Plant[] = [
  [
    'verdict-words-agree',
    person,
    (it) => void (trust(it).summary = 'All belong together (score 96, LIKELY REAL).'),
    'one-band-in-a-sentence',
  ],
  [
    'verdict-words-agree',
    noRecord,
    (it) => void (trust(it).summary = 'There is little to judge by (SUSPICIOUS).'),
  ],
  ['no-record-never-bad', noRecord, insight('The email could not be verified.')],
  ['no-record-never-bad', noRecord, insight('The email looks fake.')],
  [
    'scores-in-texts',
    person,
    (it) => void (trust(it).summary = 'The contacts belong together (score 91, VERIFIED).'),
  ],
  ['confidence-in-texts', person, (it) => void (overview(it).key_findings[2] = 'Evidence: medium')],
  ['identities-in-texts', person, insight('The email is also on record for identity 4.')],
  [
    'split-among-as-many',
    mixed,
    insight('The contacts are split among 5 people.'),
    'others-of-one',
    'not-split-if-one-has-all',
  ],
  ['span-as-in-the-history', person, insight('The records of identity 1 span 23 years.')],
  ['sharers-as-on-record', person, insight('The phone is shared by 20 identities.')],
  [
    'identity-of-the-name',
    mixed,
    insight('The name belongs to another identity (99).'),
    'identities-in-texts',
  ],
  [
    'long-ago-is-long-ago',
    mixed,
    insight('The phone was last seen on record 14 years before the newest record.'),
  ],
  [
    'household-shares-a-name',
    mixed,
    insight(
      'The phone is on record for somebody of the same family name (identity 9), who may be a relative.',
    ),
  ],
  ['number-agrees', mixed, insight('3 contact were looked up.')],
  ['number-agrees', mixed, insight('One email are on record.')],
  ['plural-of-one', noRecord, insight('Both emails are old.')],
  ['others-of-one', mixed, insight('The phone leads to other identities.')],
  [
    'others-of-one',
    stranger,
    insight('They lead to 3 identities.'),
    'antecedent',
    'not-split-if-one-has-all',
  ],
  ['advice-by-score', person, insight('Hold the payment.')],
  ['advice-by-score', noRecord, insight('Send a small amount first and ask for a receipt.')],
  ['accuses-nobody', stranger, insight('The sender is a scammer.')],
  ['no-sentence-twice', person, insight('The identity has been on record for 5 years.')],
  ['antecedent', person, insight('Its records are old.')],
  [
    'antecedent',
    mixed,
    ({ answer }) => void (answer.summary = 'The score rests on one email. Its records span 5 years.'),
  ],
  ['no-machine-words', person, insight('The email is undefined.')],
  ['sentences-in-number', person, ({ answer }) => void (answer.message = 'VERIFIED: All is well. Go on.')],
  [
    'name-misfit-denied-by-row',
    person,
    ({ answer }) =>
      void (answer.combined_trust_score.explanation = 'No bound applied, without a matching name or not.'),
  ],
  [
    'contacts-misfit-denied-by-row',
    mixed,
    insight('The contacts belong to somebody who does not bear this name.'),
  ],
  ['name-fit-denied-by-row', stranger, insight('The name matches the records.')],
  ['name-appears', noRecord, insight('The name appears in the identity graph.')],
  ['name-appears', nameOnly, insight('The name does not appear in the identity graph.')],
  ['name-alone-says-no-more', nameOnly, insight('The email of the person is known.')],
  ['all-fit-denied-by-rows', mixed, insight('All 3 contacts belong to one identity.')],
  ['no-record-count', mixed, insight('2 emails have no matching record.')],
  ['other-identity-count', mixed, insight('2 phones belong to a different identity.')],
  ['nobody-on-record', mixed, insight('None of the contacts has a record.')],
  ['value-and-identity', mixed, insight('The phone matches identity 1.')],
  [
    'history-in-texts',
    person,
    (it) => void (overview(it).key_findings[1] = 'History: first seen 3 years ago'),
  ],
  ['history-in-texts', noRecord, insight('Records span 5 years.')],
  [
    'basis-narrow-with-high-confidence',
    person,
    insight('The basis is thin: one more contact would widen it.'),
  ],
];
