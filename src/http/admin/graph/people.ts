import * as v from 'valibot';
import { toSnakeCaseJson } from '../../../admin/wire.ts';
import { notFoundError } from '../../../errors.ts';
import { GRAPH_ERROR_CODES, type Route } from '../../openapi/operation.ts';
import * as s from '../../schema/builders.ts';
import { declareAdminRoute, type AdminRouteDeps } from '../route.ts';

/** Schema of a list of at most 20 texts in a request: names, e-mails, phones or addresses. */
export const createSearchValueListSchema = (about: string) =>
  s.list(v.pipe(v.string(), v.maxLength(300)), about, { max: 20 });

/** Schema of a list of record ids in a request. An id is written alone or as `SOURCE:ID`. */
export const recordIdsSchema = v.pipe(v.array(v.pipe(v.string(), v.maxLength(420))), v.maxLength(1000));

/** Schemas of the fields `source` and `record_id`, by which an answer identifies a record. */
export const recordReferenceFieldSchemas = {
  source: s.string('Source of the record.'),
  record_id: s.string('Id of the record.'),
};

const peopleQuerySchema = s.openApiObject(
  'PeopleSought',
  'Values to look for. A person with one of them is found.',
  s.optional({
    names: createSearchValueListSchema('Names.'),
    emails: createSearchValueListSchema('E-mail addresses.'),
    phones: createSearchValueListSchema('Phone numbers.'),
    addresses: createSearchValueListSchema('Addresses, each on one line.'),
  }),
);

const identity = v.pipe(s.identityNumberSchema, v.description('Identity number.'));
const names = s.stringList('Names on record.');
const firstSeen = s.nullableTimestamp('Earliest date of its records; null if none has a date.');
const lastSeen = s.nullableTimestamp('Latest date of its records.');

const matchingValue = s.object('A value of the request that the person has.', {
  kind: s.oneOf(['name', 'email', 'phone', 'address'], 'Kind of the value.'),
  index: s.integer('Index of the value among the values of its kind in the request.'),
  how: s.string('Kind of the key that agrees: how similar the values are.'),
  region: s.nullableString(
    'Country in which a phone number without a country was read, if it is not the usual one; else null.',
  ),
});
const personFound = s.object('A person on record.', {
  identity,
  names,
  has: s.list(matchingValue, 'Values of the request that the person has.'),
  records: s.list(
    s.object('A record.', {
      ...recordReferenceFieldSchemas,
      holds: s.boolean('True if the record has a contact of the request.'),
    }),
    'All records of the person.',
  ),
});
export const peopleSearchResultSchema = s.openApiObject(
  'PeopleFound',
  'People on record who have one of the values.',
  {
    people: s.list(personFound, 'By identity number.'),
    more: s.integer('Number of further people who have a value that very many share.'),
    tried: s.nullableString(
      'Country in which phone numbers without a country were read first, before every other country. Null if each names its country.',
    ),
  },
);

export const identityCardSchema = s.openApiObject('IdentityCard', 'An identity.', {
  identity,
  merged_from: s.nullableNumber('Number of the request, if another identity replaced it.'),
  names,
  first_seen: firstSeen,
  last_seen: lastSeen,
  records: s.list(s.object('A record.', recordReferenceFieldSchemas), 'Records of the identity.'),
});

const recordPairSchema = s.openApiObject('RecordPair', 'Two records.', {
  a: s.shortString('A record: its id, or `SOURCE:ID`.'),
  b: s.shortString('Another record.'),
});
const evidence = s.object('A piece of evidence.', {
  bits: s.nullableNumber('Match weight.'),
  what: s.string('The evidence.'),
});
const explanationFields = {
  bits: s.nullableNumber('Sum of the evidence in bits; null if the records can never be one person.'),
  conflict: s.boolean('True if the records cannot be one person.'),
  together: s.boolean('True if the records are in one identity.'),
  needed: s.number('Sum in bits from which two records are linked.'),
  evidence: s.list(evidence, 'Evidence for and against.'),
};
const pairExplanationSchema = s.openApiObject(
  'WhyOne',
  'Evidence for and against two records being one person.',
  explanationFields,
);

const recordLink = s.object('Evidence for and against two records being one person.', {
  a: s.integer('Index of a record in the list of the identity’s records, from 0.'),
  b: s.integer('Index of another record, greater than `a`.'),
  ...explanationFields,
});
export const identityLinksSchema = s.openApiObject(
  'IdentityLinks',
  'Links between the records of an identity.',
  {
    links: s.list(
      recordLink,
      'One link for every pair of the first 8 records. Empty if the identity has one record.',
    ),
  },
);

const wholeAddress = s.object('An address.', {
  street: s.string('Street.'),
  street2: s.string('Second line.'),
  city: s.string('City.'),
  state: s.string('State.'),
  zip: s.string('Postal code.'),
  country: s.string('Country.'),
});
const identifier = s.object('An identifier.', {
  type: s.string('Type.'),
  country: s.string('Issuing country.'),
  value: s.string('The number.'),
});
const exportedRecord = s.object('Content of a record.', {
  ...recordReferenceFieldSchemas,
  names: s.stringList('Names.'),
  birth_date: s.nullableString('Birth date.'),
  gender: s.nullableString('Gender.'),
  identity_label: s.nullableString('Identity of the record by its source.'),
  first_seen: s.nullableTimestamp('First seen.'),
  last_seen: s.nullableTimestamp('Last seen.'),
  fingerprints: s.object('Number of values that are stored as fingerprints, which cannot be read back.', {
    emails: s.integer('E-mails.'),
    phones: s.integer('Phones.'),
    addresses: s.integer('Addresses.'),
    identifiers: s.integer('Identifiers.'),
    birth_places: s.integer('Birth places.'),
  }),
  whole: s.nullable(
    s.object('Values as they were imported.', {
      emails: s.stringList('E-mails.'),
      phones: s.stringList('Phones.'),
      addresses: s.list(wholeAddress, 'Addresses.'),
      identifiers: s.list(identifier, 'Identifiers.'),
      birth_place: s.nullableString('Birth place.'),
    }),
    'Null unless whole records are stored (`graph.keep`).',
  ),
});
const linkOfPerson = s.object('A decision of an operator about whose records these are.', {
  kind: s.oneOf(['split', 'join'], '`split`: other people than others. `join`: one person with others.'),
  time: s.timestamp('When the operator decided.'),
  why: s.string('The reason.'),
  undone: s.nullableTimestamp('When it was undone; null if it applies.'),
  records: s.list(s.integer('Index of the record.', 1), 'Records that it is about, counted from 1.'),
});
export const personExportSchema = s.openApiObject(
  'HeldOnPerson',
  'Everything that is stored on a person, to be given to that person.',
  {
    identity,
    names,
    first_seen: s.nullableTimestamp('First seen.'),
    last_seen: s.nullableTimestamp('Last seen.'),
    records: s.list(exportedRecord, 'All records.'),
    judgements: s.list(linkOfPerson, 'All manual links of these records.'),
    about: s.stringList('Explanation for the person.'),
  },
);

const onIdentity = { errors: GRAPH_ERROR_CODES, noun: 'identity' };

export const PEOPLE_ROUTES: Route<AdminRouteDeps>[] = [
  declareAdminRoute('POST graph/find', 'findPeople', {
    errors: GRAPH_ERROR_CODES,
    summary: 'Find people by a value',
    about: 'The values are in the body, so that none is in an address.',
    command: 'graph find',
    body: peopleQuerySchema,
    examples: { email: { summary: 'By e-mail', value: { emails: ['jane.quimby@example.com'] } } },
    answers: peopleSearchResultSchema,
    async handle({ body, people }) {
      const result = await people('find', body);
      return { ...result, people: result.people.map(toPersonJson) };
    },
  }),
  declareAdminRoute('GET graph/identities/:id', 'showIdentity', {
    ...onIdentity,
    summary: 'Show an identity',
    about: 'Its names and records.',
    command: 'graph show',
    answers: identityCardSchema,
    async handle({ id, people }) {
      const card = await people('show', parseNumericId(id, 'identity'));
      return toSnakeCaseJson(toPersonJson(card), 'firstSeen', 'lastSeen');
    },
  }),
  declareAdminRoute('GET graph/identities/:id/export', 'exportIdentity', {
    ...onIdentity,
    summary: 'Export what is stored on a person',
    about: 'Everything, to be given to that person.',
    command: 'graph export',
    answers: personExportSchema,
    handle: ({ id, people }) => people('export', parseNumericId(id, 'identity')),
  }),
  declareAdminRoute('GET graph/identities/:id/links', 'listIdentityLinks', {
    ...onIdentity,
    summary: 'Show links between the records of an identity',
    about: 'Compares every pair of its first 8 records. It reads every record of the graph.',
    answers: identityLinksSchema,
    async handle({ id, people }) {
      const links = await people('links', parseNumericId(id, 'identity'));
      return {
        links: links.map(({ a, b, ...explanation }) => ({ a, b, ...toExplanationJson(explanation) })),
      };
    },
  }),
  declareAdminRoute('POST graph/why', 'whyOne', {
    errors: GRAPH_ERROR_CODES,
    summary: 'Explain whether two records are one person',
    about: 'It reads every record.',
    command: 'graph why',
    body: recordPairSchema,
    examples: { two: { summary: 'Two records', value: { a: 'crm:1', b: 'crm:2' } } },
    answers: pairExplanationSchema,
    handle: async ({ body, people }) => toExplanationJson(await people('why', body)),
  }),
];

interface PairExplanation {
  bits: number;
  conflict: boolean;
  together: boolean;
  needed: number;
  evidence: { bits: number; what: string }[];
}

const toExplanationJson = ({ bits, conflict, together, needed, evidence }: PairExplanation) => ({
  bits: toFiniteOrNull(bits),
  conflict,
  together,
  needed,
  evidence: evidence.map((piece) => ({ bits: toFiniteOrNull(piece.bits), what: piece.what })),
});

/** Returns the number, or null if it is infinite: JSON has no infinite numbers. */
const toFiniteOrNull = (bits: number) => (Number.isFinite(bits) ? bits : null);

/** Returns a person as JSON. The field names of the person's records become snake case. */
export const toPersonJson = <R extends { recordId: string }, T extends { records: R[] }>(
  person: T & { records: R[] },
) => ({
  ...person,
  records: person.records.map((record) => toSnakeCaseJson(record)),
});

/** Returns the id in a path as a number. `what` names the object in the error message. Errors: not_found if the id is not a whole number. */
export function parseNumericId(id: string, what: string): number {
  if (/^[1-9]\d{0,14}$/.test(id)) return Number(id);
  throw notFoundError(`The ${what} in the address is not a number. Check the address.`, what);
}
