// Six requests about the invented people of the demo, each of which shows one thing that a check does.
import type { CheckRequest } from './request.ts';

export interface Case {
  title: string;
  shows: string;
  request: CheckRequest;
}

export const CASES: Case[] = [
  {
    title: 'All fits',
    shows: 'E-mail, phone and address are hers, and three sources agree.',
    request: {
      name: 'Nora Ellingsworth',
      emails: ['nora.ellingsworth@post.example'],
      phones: ['(218) 555-0114'],
      addresses: [{ street: '1408 Lakewatch Avenue', city: 'Duluth', state: 'MN', zip: '55805' }],
    },
  },
  {
    title: 'One foreign phone',
    shows: 'Most is his; one phone is somebody else’s, one e-mail nobody has.',
    request: {
      name: 'Bob Hale',
      emails: ['robert.hale@post.example', 'bobby.h@nowhere.example'],
      phones: ['(503) 555-0142', '206-555-0117'],
      addresses: [{ street: '418 Alder Creek Rd.', city: 'Portland', state: 'OR', zip: '97219' }],
      intent: 'buying-or-selling',
    },
  },
  {
    title: 'A new tenant',
    shows: 'His e-mail fits; the flat is on record for who lived there before.',
    request: {
      name: 'Theo Marchbank',
      emails: ['theo.marchbank@inbox.example'],
      addresses: [{ street: '18 Foxglove Close', city: 'Burlington', state: 'VT', zip: '05401' }],
    },
  },
  {
    title: 'A namesake',
    shows: 'Father and son bear one name: the phone is one’s, the e-mail the other’s.',
    request: { name: 'Harlan Stoddart', emails: ['hstoddart@example.net'], phones: ['559-555-0193'] },
  },
  {
    title: 'Another script',
    shows: 'Latin letters here, Cyrillic ones on record: the same name.',
    request: { name: 'Yuri Belozerov', emails: ['y.belozerov@mailbox.example'], phones: ['718-555-0129'] },
  },
  {
    title: 'Nobody on record',
    shows: 'No record is neither good nor bad.',
    request: {
      name: 'Casimir Dunmore',
      emails: ['casimir.dunmore@nowhere.example'],
      phones: ['307-555-0190'],
    },
  },
];

/** The sources of the demo's records: where all are these, the people are invented. */
export const SAMPLE_SOURCES = [
  'telco',
  'city_library',
  'newsletter',
  'loyalty_club',
  'utility',
  'marketplace',
];
