// People on record.
import * as v from 'valibot';
import { toWire } from '../../../admin/wire.ts';
import { notFoundError } from '../../../errors.ts';
import { GRAPH_ERRORS } from '../../openapi/operation.ts';
import {
  boolean,
  identityNumber as numbered,
  list,
  namedObject,
  number,
  object,
  nullable,
  shortString,
  string,
  strings,
  timestamp,
  integer,
  oneOf,
} from '../../schema/parts.ts';
import { adminRoute } from '../route.ts';
import type { AdminDeps } from '../route.ts';
import type { Route } from '../../openapi/operation.ts';

export const recordIdsSchema = v.pipe(v.array(v.pipe(v.string(), v.maxLength(420))), v.maxLength(1000));

const identityNumber = v.pipe(numbered, v.description('Its number.'));

export const valuesSchema = (about: string) =>
  v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(300))), v.maxLength(20), v.description(about)));

export const peopleQuerySchema = namedObject(
  'PeopleSought',
  {
    names: valuesSchema('Names.'),
    emails: valuesSchema('E-mail addresses.'),
    phones: valuesSchema('Phone numbers.'),
    addresses: valuesSchema('Addresses, each on one line.'),
  },
  'Who is looked for: whoever has any of it.',
);

export const recordNameEntries = { source: string('Its source.'), record_id: string('Its id.') };

const foundPerson = object(
  {
    identity: identityNumber,
    names: strings('The names on record.'),
    has: list(
      object(
        {
          kind: oneOf(['name', 'email', 'phone', 'address'], 'The kind of value.'),
          index: integer('Its place among those of its kind that were asked for.'),
          how: string('How nearly: the kind of key that agrees.'),
          region: nullable(
            v.string(),
            'The country in which a number was read that names none and is nobody’s at home; else null.',
          ),
        },
        'A value that it has.',
      ),
      'What of that which was sought it has.',
    ),
    records: list(
      object({ ...recordNameEntries, holds: boolean('It holds a contact that was sought.') }, 'A record.'),
      'All of its records.',
    ),
  },
  'Somebody on record.',
);

export const peopleFoundSchema = namedObject(
  'PeopleFound',
  {
    people: list(foundPerson, 'The lower number first.'),
    more: integer('Of values that very many share, how many more people there are.'),
    tried: nullable(
      v.string(),
      'A phone names no country: it was read in this one, then in every other. Null where each names its own.',
    ),
  },
  'Whose records hold it.',
);

export const identityCardSchema = namedObject(
  'IdentityCard',
  {
    identity: identityNumber,
    merged_from: nullable(v.number(), 'The number that was asked for, where another stands for it now.'),
    names: strings('The names on record.'),
    first_seen: nullable(timestamp(''), 'The earliest date of its records.'),
    last_seen: nullable(timestamp(''), 'The latest.'),
    records: list(object(recordNameEntries, 'A record.'), 'Its records.'),
  },
  'An identity.',
);

export const recordPairSchema = namedObject(
  'RecordPair',
  { a: shortString('A record: its id, or `SOURCE:ID`.'), b: shortString('Another one.') },
  'Two records.',
);

const explanationEntries = {
  bits: nullable(v.number(), 'The sum of the evidence, in bits; null where the two can never be one.'),
  conflict: boolean('They cannot be one person.'),
  together: boolean('They are in one identity.'),
  needed: number('From so many bits two records are joined.'),
  evidence: list(
    object(
      { bits: nullable(v.number(), 'Its weight.'), what: string('What it is.') },
      'A piece of evidence.',
    ),
    'For and against.',
  ),
};

export const pairExplanationSchema = namedObject(
  'WhyOne',
  explanationEntries,
  'What speaks for two records being one person, and against.',
);

export const identityLinksSchema = namedObject(
  'IdentityLinks',
  {
    links: list(
      object(
        {
          a: integer('Index of a record in the list of the identity’s records, from 0.'),
          b: integer('Index of another record, greater than `a`.'),
          ...explanationEntries,
        },
        'Evidence for and against two records being one person.',
      ),
      'One link for every pair among the first 8 records. Empty if the identity has one record.',
    ),
  },
  'Links between the records of an identity.',
);

const heldRecord = object(
  {
    ...recordNameEntries,
    names: strings('Names.'),
    birth_date: nullable(v.string(), 'Birth date.'),
    gender: nullable(v.string(), 'Gender.'),
    identity_label: nullable(v.string(), 'The source’s own word on who this is.'),
    first_seen: nullable(timestamp(''), 'First seen.'),
    last_seen: nullable(timestamp(''), 'Last seen.'),
    fingerprints: object(
      {
        emails: integer('E-mails.'),
        phones: integer('Phones.'),
        addresses: integer('Addresses.'),
        identifiers: integer('Identifiers.'),
        birth_places: integer('Birth places.'),
      },
      'How many values are held as fingerprints, which cannot be read back.',
    ),
    whole: nullable(
      object(
        {
          emails: strings('E-mails.'),
          phones: strings('Phones.'),
          addresses: list(
            object(
              {
                street: string('Street.'),
                street2: string('Second line.'),
                city: string('City.'),
                state: string('State.'),
                zip: string('Postcode.'),
                country: string('Country.'),
              },
              'An address.',
            ),
            'Addresses.',
          ),
          identifiers: list(
            object(
              { type: string('Its type.'), country: string('Whose.'), value: string('The number.') },
              'An identifier.',
            ),
            'Identifiers.',
          ),
          birth_place: nullable(v.string(), 'Birth place.'),
        },
        'The values as they were read.',
      ),
      'Where whole records are kept (`graph.keep`); else null.',
    ),
  },
  'What a record holds.',
);

export const personExportSchema = namedObject(
  'HeldOnPerson',
  {
    identity: identityNumber,
    names: strings('The names on record.'),
    first_seen: nullable(timestamp(''), 'First seen.'),
    last_seen: nullable(timestamp(''), 'Last seen.'),
    records: list(heldRecord, 'All records.'),
    judgements: list(
      object(
        {
          kind: oneOf(['split', 'join'], 'They are another person than others, or one person with others.'),
          time: timestamp('When it was judged.'),
          why: string('The reason.'),
          undone: nullable(timestamp(''), 'When it was taken back; null while it stands.'),
          records: list(integer('Its place.', 1), 'Which of the records, counted from 1.'),
        },
        'What a person judged about who these records are of.',
      ),
      'All judgements about them.',
    ),
    about: strings('What it means, for the person.'),
  },
  'Everything that is held on a person, to be given to that person.',
);

const one = { errors: GRAPH_ERRORS, of: 'identity' };

export const PEOPLE_ROUTES: Route<AdminDeps>[] = [
  adminRoute('POST graph/find', 'findPeople', {
    errors: GRAPH_ERRORS,
    summary: 'Whose records hold a value',
    about: 'In a body, so that no value is in an address. `bonafide graph find`.',
    body: peopleQuerySchema,
    examples: { email: { summary: 'By e-mail', value: { emails: ['jane.quimby@example.com'] } } },
    answers: peopleFoundSchema,
    handle: async ({ body, people }) => {
      const result = await people('find', body);
      return { ...result, people: result.people.map(withRecords) };
    },
  }),
  adminRoute('GET graph/identities/:id', 'showIdentity', {
    ...one,
    summary: 'An identity',
    about: 'Its names and records. `bonafide graph show`.',
    answers: identityCardSchema,
    handle: async ({ id, people }) => {
      const identity = await people('show', parseNumberId(id, 'identity'));
      return toWire(withRecords(identity), 'firstSeen', 'lastSeen');
    },
  }),
  adminRoute('GET graph/identities/:id/export', 'exportIdentity', {
    ...one,
    summary: 'What is held on a person',
    about: 'Everything, to be given to that person. `bonafide graph export`.',
    answers: personExportSchema,
    handle: ({ id, people }) => people('export', parseNumberId(id, 'identity')),
  }),
  adminRoute('GET graph/identities/:id/links', 'listIdentityLinks', {
    ...one,
    summary: 'Links between the records of an identity',
    about: 'Compares every pair among its first 8 records. Reads every record of the graph.',
    answers: identityLinksSchema,
    handle: async ({ id, people }) => {
      const links = await people('links', parseNumberId(id, 'identity'));
      return { links: links.map(({ a, b, ...explanation }) => ({ a, b, ...withFiniteBits(explanation) })) };
    },
  }),
  adminRoute('POST graph/why', 'whyOne', {
    errors: GRAPH_ERRORS,
    summary: 'Why two records are one person, or not',
    about: 'Every record is read for it. `bonafide graph why`.',
    body: recordPairSchema,
    examples: { two: { summary: 'Two records', value: { a: 'crm:1', b: 'crm:2' } } },
    answers: pairExplanationSchema,
    handle: async ({ body, people }) => withFiniteBits(await people('why', body)),
  }),
];

const finite = (bits: number) => (Number.isFinite(bits) ? bits : null);

interface PairExplanation {
  bits: number;
  conflict: boolean;
  together: boolean;
  needed: number;
  evidence: { bits: number; what: string }[];
}

/** Returns an explanation as JSON has it: null in place of infinite weights. */
const withFiniteBits = ({ bits, conflict, together, needed, evidence }: PairExplanation) => ({
  bits: finite(bits),
  conflict,
  together,
  needed,
  evidence: evidence.map((piece) => ({ bits: finite(piece.bits), what: piece.what })),
});

/** Returns a person with the records as JSON has them. */
export const withRecords = <R extends { recordId: string }, T extends { records: R[] }>(
  person: T & { records: R[] },
) => ({
  ...person,
  records: person.records.map((record) => toWire(record)),
});

export function parseNumberId(id: string, what: string): number {
  if (/^[1-9]\d{0,14}$/.test(id)) return Number(id);
  throw notFoundError('There is none of that number.', what);
}
