// Example requests about the sample people of the demo. Each shows one feature of a check.
import type { CheckForm, PersonValues } from './request.ts';

export interface CheckExample {
  title: string;
  about: string;
  person: PersonValues;
  intent?: CheckForm['intent'];
}

export const CHECK_EXAMPLES: CheckExample[] = [
  {
    title: 'Full match',
    about: 'E-mail, phone and address belong to this person in three sources.',
    person: {
      name: 'Nora Ellingsworth',
      emails: ['nora.ellingsworth@post.example'],
      phones: ['(218) 555-0114'],
      addresses: [{ street: '1408 Lakewatch Avenue', city: 'Duluth', state: 'MN', zip: '55805' }],
    },
  },
  {
    title: 'Phone of someone else',
    about: 'Most values match, but one phone belongs to another identity.',
    person: {
      name: 'Bob Hale',
      emails: ['robert.hale@post.example', 'bobby.h@nowhere.example'],
      phones: ['(503) 555-0142', '206-555-0117'],
      addresses: [{ street: '418 Alder Creek Rd.', city: 'Portland', state: 'OR', zip: '97219' }],
    },
    intent: 'buying-or-selling',
  },
  {
    title: 'New tenant',
    about: 'The e-mail matches. The address is on record for the previous tenant.',
    person: {
      name: 'Theo Marchbank',
      emails: ['theo.marchbank@inbox.example'],
      addresses: [{ street: '18 Foxglove Close', city: 'Burlington', state: 'VT', zip: '05401' }],
    },
  },
  {
    title: 'Same name, two people',
    about: 'Father and son have the same name. The phone is the father’s, the e-mail the son’s.',
    person: { name: 'Harlan Stoddart', emails: ['hstoddart@example.net'], phones: ['559-555-0193'] },
  },
  {
    title: 'Other script',
    about: 'A name in Latin letters matches a record in Cyrillic letters.',
    person: { name: 'Yuri Belozerov', emails: ['y.belozerov@mailbox.example'], phones: ['718-555-0129'] },
  },
  {
    title: 'No record',
    about: 'Values without a record do not change the score.',
    person: {
      name: 'Casimir Dunmore',
      emails: ['casimir.dunmore@nowhere.example'],
      phones: ['307-555-0190'],
    },
  },
];

/** Sources of the demo's records. A graph with exactly these sources contains only invented people. */
export const SAMPLE_RECORD_SOURCES = [
  'telco',
  'city_library',
  'newsletter',
  'loyalty_club',
  'utility',
  'marketplace',
];
