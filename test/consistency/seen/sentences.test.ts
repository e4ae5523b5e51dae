// Regression tests of sentences that were false, missing or contradictory.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, Body } from '../answer.ts';
import { contradictionsOf } from '../contradictions.ts';
import { knowledgeOf, openService, type Service } from '../random/ask.ts';
import { type Source, worldOf } from '../random/world.ts';
import type { Knowledge } from '../story.ts';

const HOME = { street: '1460 Harcourt Avenue', city: 'Dayton', state: 'OH', zip: '45419' };
const FLAT = { street: '18 rue des Lilas', city: 'Lyon', zip: '69003', country: 'FR' };
const SHARED = { mail: 'themercers@home.example', phone: '+1 937 234 0120' };
const record = (name: string, more: Partial<Source> = {}): Source => ({
  record_id: name,
  identity: name,
  source: 'crm',
  name,
  emails: [`${name.replace(' ', '.').toLowerCase()}@own.example`],
  first_seen: '2016-03-01',
  last_seen: '2026-09-01',
  ...more,
});
const RECORDS = [
  record('David Mercer', {
    emails: ['david@own.example', SHARED.mail],
    phones: [SHARED.phone, '+1 937 234 0131'],
    addresses: [HOME],
  }),
  record('Laura Mercer', {
    emails: ['laura@own.example', SHARED.mail],
    phones: [SHARED.phone],
    addresses: [HOME],
  }),
  record('Laurin Mercer', { phones: ['+1 937 234 0133'], addresses: [HOME] }),
  record('Sophie Lambert', { phones: ['+33 6 12 34 56 78'], addresses: [FLAT] }),
  record('Julien Mercier', { phones: ['+33 6 98 76 54 32'], addresses: [FLAT] }),
  record('Robert Kensington', { phones: ['+1 206 234 0164'] }),
  record('Dr Maureen Bains', { emails: ['bains@own.example'], phones: ['+1 206 234 0165'] }),
  record('Heike Tjarks', { emails: ['tjarks@own.example'] }),
  record('Heike Behrends', { emails: ['behrends@other.example'] }),
  record('Deborah Kline', { phones: ['+1 414 234 0154'] }),
  record('Marcus Bell', {
    phones: ['+1 414 234 0155'],
    addresses: [{ ...HOME, street: '88 Summit Avenue' }],
  }),
];
const LAMBERT = { emails: ['sophie.lambert@own.example'], phones: ['+33 6 12 34 56 78'], addresses: [FLAT] };

let service: Service;
let knowledge: Knowledge;
beforeAll(async () => {
  service = await openService(RECORDS);
  knowledge = await knowledgeOf(service, worldOf(RECORDS));
});
afterAll(() => service.close());

const CASES: [what: string, body: Body, says: RegExp, not: RegExp][] = [
  [
    'contacts of others are not counted with the one of the same given name',
    { name: 'Laurin Cole', emails: [SHARED.mail], phones: ['+1 937 234 0133'], addresses: [HOME] },
    /All 3 contacts belong to identities that do not have this name\. Ask whether the person had another family name/,
    /All 3 contacts belong to an identity/,
  ],
  [
    'a name that only contacts support is not called the name of the identity',
    { name: 'Sophie Mercier', ...LAMBERT },
    /All 3 contacts belong to an identity with the same given name, but not the same family name; because of its contacts it counts as the person named\..*The address is on record for somebody of the same family name/s,
    /The name and all 3|has this name;|Primary name on record/,
  ],
  [
    'the identity that counts as the person is named before the contacts of others',
    { name: 'Sophie Mercier', ...LAMBERT, phones: [...LAMBERT.phones, SHARED.phone] },
    /; because of its contacts it counts as the person named; 1 contact belongs to /,
    /belongs? to (?:another identity|other identities); because/,
  ],
  [
    'a given name alone is a part of the name',
    { name: 'Bob', emails: ['robert.kensington@own.example'], phones: ['+1 206 234 0164'] },
    /Both contacts belong to an identity whose name is longer than the submitted one/,
    /The name and both contacts|has this name;/,
  ],
  [
    'a title is no other form of the name',
    { name: 'Maureen Bains', phones: ['+1 206 234 0165'] },
    /has this name;/,
    /One of the two forms|has this name in another form/,
  ],
  [
    'a contact of somebody of the same given name is said to count less',
    { name: 'Heike Tjarks', emails: ['tjarks@own.example', 'behrends@other.example'] },
    /E-mail 2 counts less against the person, because its holder has the same given name/,
    /E-mail 1 counts less/,
  ],
  [
    'the name of a couple is the reason for the verdict',
    { name: 'David & Laura Mercer', emails: ['david@own.example'], addresses: [HOME] },
    /Both contacts belong to the people named, or to one of them/,
    /beside the name, only|is the name of two people/,
  ],
  [
    'a phone of two people is not told as that of one',
    { name: 'Laurin Mercer', phones: [SHARED.phone], addresses: [HOME] },
    /the phone belongs to identity \d+, whose family name is the same and who may be a relative, and to 1 other/,
    /1 contact belongs to another identity/,
  ],
  [
    'somebody of the same family name at the address is told',
    { name: 'Olivia Mercer', emails: ['olivia@school.example'], addresses: [HOME] },
    /The address is on record for somebody of the same family name, who may be a relative/,
    /History: first seen/,
  ],
  [
    'a department is no company, and two identities are neither',
    { name: 'Booking Department', emails: [SHARED.mail] },
    /that of a company or department.*belongs to 2 identities, neither of which|2 identities, neither of which.*company or department/s,
    /none of which/,
  ],
  [
    'a bound on addresses names no limit that a phone breaks',
    {
      name: 'Deborah Kline',
      emails: ['deborah.kline@own.example'],
      phones: ['+1 414 234 0155'],
      addresses: [{ ...HOME, street: '88 Summit Avenue' }],
    },
    /because people move\./,
    /not below 40/,
  ],
];

test.each(CASES)('%s', async (_what, body, says, not) => {
  const answer = await service.ask<Answer>('/v1/validate/enhanced', body);
  const text = JSON.stringify(answer);
  expect(text).toMatch(says);
  expect(text).not.toMatch(not);
  expect(contradictionsOf(body, answer, knowledge)).toEqual([]);
});
