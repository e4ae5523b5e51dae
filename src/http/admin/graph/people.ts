// People on record.
import * as v from 'valibot';
import { toWire } from '../../../admin/wire.ts';
import { notFoundError } from '../../../errors.ts';
import { GRAPH_ERRORS } from '../../openapi/operation.ts';
import {
  flag,
  identity as numbered,
  list,
  named,
  number,
  object,
  orNull,
  shortText,
  text,
  texts,
  time,
  whole,
  word,
} from '../../schema/parts.ts';
import { adminRoute } from '../route.ts';
import type { AdminDeps } from '../route.ts';
import type { Route } from '../../openapi/operation.ts';

export const recordIds = v.pipe(v.array(v.pipe(v.string(), v.maxLength(420))), v.maxLength(1000));

const identityNumber = v.pipe(numbered, v.description('Its number.'));

export const values = (about: string) =>
  v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(300))), v.maxLength(20), v.description(about)));

export const sought = named(
  'PeopleSought',
  {
    names: values('Names.'),
    emails: values('E-mail addresses.'),
    phones: values('Phone numbers.'),
    addresses: values('Addresses, each on one line.'),
  },
  'Who is looked for: whoever has any of it.',
);

export const recordName = { source: text('Its source.'), record_id: text('Its id.') };

const foundPerson = object(
  {
    identity: identityNumber,
    names: texts('The names on record.'),
    has: list(
      object(
        {
          kind: word(['name', 'email', 'phone', 'address'], 'The kind of value.'),
          index: whole('Its place among those of its kind that were asked for.'),
          how: text('How nearly: the kind of key that agrees.'),
          region: orNull(
            v.string(),
            'The country in which a number was read that names none and is nobody’s at home; else null.',
          ),
        },
        'A value that it has.',
      ),
      'What of that which was sought it has.',
    ),
    records: list(
      object({ ...recordName, holds: flag('It holds a contact that was sought.') }, 'A record.'),
      'All of its records.',
    ),
  },
  'Somebody on record.',
);

export const foundPeople = named(
  'PeopleFound',
  {
    people: list(foundPerson, 'The lower number first.'),
    more: whole('Of values that very many share, how many more people there are.'),
    tried: orNull(
      v.string(),
      'A phone names no country: it was read in this one, then in every other. Null where each names its own.',
    ),
  },
  'Whose records hold it.',
);

export const identityCard = named(
  'IdentityCard',
  {
    identity: identityNumber,
    merged_from: orNull(v.number(), 'The number that was asked for, where another stands for it now.'),
    names: texts('The names on record.'),
    first_seen: orNull(time(''), 'The earliest date of its records.'),
    last_seen: orNull(time(''), 'The latest.'),
    records: list(object(recordName, 'A record.'), 'Its records.'),
  },
  'An identity.',
);

export const pair = named(
  'RecordPair',
  { a: shortText('A record: its id, or `SOURCE:ID`.'), b: shortText('Another one.') },
  'Two records.',
);

export const whyOne = named(
  'WhyOne',
  {
    bits: orNull(v.number(), 'The sum of the evidence, in bits; null where the two can never be one.'),
    conflict: flag('They cannot be one person.'),
    together: flag('They are in one identity.'),
    needed: number('From so many bits two records are joined.'),
    evidence: list(
      object({ bits: orNull(v.number(), 'Its weight.'), what: text('What it is.') }, 'A piece of evidence.'),
      'For and against.',
    ),
  },
  'What speaks for two records being one person, and against.',
);

const heldRecord = object(
  {
    ...recordName,
    names: texts('Names.'),
    birth_date: orNull(v.string(), 'Birth date.'),
    gender: orNull(v.string(), 'Gender.'),
    identity_label: orNull(v.string(), 'The source’s own word on who this is.'),
    first_seen: orNull(time(''), 'First seen.'),
    last_seen: orNull(time(''), 'Last seen.'),
    fingerprints: object(
      {
        emails: whole('E-mails.'),
        phones: whole('Phones.'),
        addresses: whole('Addresses.'),
        identifiers: whole('Identifiers.'),
        birth_places: whole('Birth places.'),
      },
      'How many values are held as fingerprints, which cannot be read back.',
    ),
    whole: orNull(
      object(
        {
          emails: texts('E-mails.'),
          phones: texts('Phones.'),
          addresses: list(
            object(
              {
                street: text('Street.'),
                street2: text('Second line.'),
                city: text('City.'),
                state: text('State.'),
                zip: text('Postcode.'),
                country: text('Country.'),
              },
              'An address.',
            ),
            'Addresses.',
          ),
          identifiers: list(
            object(
              { type: text('Its type.'), country: text('Whose.'), value: text('The number.') },
              'An identifier.',
            ),
            'Identifiers.',
          ),
          birth_place: orNull(v.string(), 'Birth place.'),
        },
        'The values as they were read.',
      ),
      'Where whole records are kept (`graph.keep`); else null.',
    ),
  },
  'What a record holds.',
);

export const held = named(
  'HeldOnPerson',
  {
    identity: identityNumber,
    names: texts('The names on record.'),
    first_seen: orNull(time(''), 'First seen.'),
    last_seen: orNull(time(''), 'Last seen.'),
    records: list(heldRecord, 'All records.'),
    judgements: list(
      object(
        {
          kind: word(['split', 'join'], 'They are another person than others, or one person with others.'),
          time: time('When it was judged.'),
          why: text('The reason.'),
          undone: orNull(time(''), 'When it was taken back; null while it stands.'),
          records: list(whole('Its place.', 1), 'Which of the records, counted from 1.'),
        },
        'What a person judged about who these records are of.',
      ),
      'All judgements about them.',
    ),
    about: texts('What it means, for the person.'),
  },
  'Everything that is held on a person, to be given to that person.',
);

const one = { errors: GRAPH_ERRORS, of: 'identity' };

export const PEOPLE_ROUTES: Route<AdminDeps>[] = [
  adminRoute('POST graph/find', 'findPeople', {
    errors: GRAPH_ERRORS,
    summary: 'Whose records hold a value',
    about: 'In a body, so that no value is in an address. `bonafide graph find`.',
    body: sought,
    examples: { email: { summary: 'By e-mail', value: { emails: ['jane.quimby@example.com'] } } },
    answers: foundPeople,
    handle: async ({ body, people }) => {
      const result = await people('find', body);
      return { ...result, people: result.people.map(withRecords) };
    },
  }),
  adminRoute('GET graph/identities/:id', 'showIdentity', {
    ...one,
    summary: 'An identity',
    about: 'Its names and records. `bonafide graph show`.',
    answers: identityCard,
    handle: async ({ id, people }) => {
      const identity = await people('show', numberOf(id, 'identity'));
      return toWire(withRecords(identity), 'firstSeen', 'lastSeen');
    },
  }),
  adminRoute('GET graph/identities/:id/export', 'exportIdentity', {
    ...one,
    summary: 'What is held on a person',
    about: 'Everything, to be given to that person. `bonafide graph export`.',
    answers: held,
    handle: ({ id, people }) => people('export', numberOf(id, 'identity')),
  }),
  adminRoute('POST graph/why', 'whyOne', {
    errors: GRAPH_ERRORS,
    summary: 'Why two records are one person, or not',
    about: 'Every record is read for it. `bonafide graph why`.',
    body: pair,
    examples: { two: { summary: 'Two records', value: { a: 'crm:1', b: 'crm:2' } } },
    answers: whyOne,
    handle: async ({ body, people }) => {
      const it = await people('why', body);
      const { conflict, together, needed } = it;
      const evidence = it.evidence.map(({ bits, what }) => ({ bits: finite(bits), what }));
      return { bits: finite(it.bits), conflict, together, needed, evidence };
    },
  }),
];

const finite = (bits: number) => (Number.isFinite(bits) ? bits : null);

/** Returns a person with the records as JSON has them. */
export const withRecords = <R extends { recordId: string }, T extends { records: R[] }>(
  person: T & { records: R[] },
) => ({
  ...person,
  records: person.records.map((record) => toWire(record)),
});

export function numberOf(id: string, what: string): number {
  if (/^[1-9]\d{0,14}$/.test(id)) return Number(id);
  throw notFoundError('There is none of that number.', what);
}
