// What became of each submitted value: the rows and fields of `input_validation`, in both versions.
import * as v from 'valibot';
import {
  boolean,
  identityNumber,
  list,
  namedObject,
  object,
  nullable,
  string,
  strings,
  integer,
  oneOf,
} from './parts.ts';

const STATUS = /^(Primary Match|Secondary Match|Different Identity Match \(ID [1-9][0-9]*\)|Unverified)$/
  .source;
const statusPattern = v.pipe(v.string(), v.regex(new RegExp(STATUS)));
const STATUS_ABOUT =
  '`Primary Match`: the main value of the identity that most values belong to. `Secondary Match`: that identity’s, and not its main value. `Different Identity Match (ID n)`: somebody else’s, identity n. `Unverified`: no matching record, which counts neither for nor against.';
const status = v.pipe(statusPattern, v.description(STATUS_ABOUT));
const statusOrNull = nullable(statusPattern, `${STATUS_ABOUT} Null where nothing was sent.`);
const matched = nullable(identityNumber, 'The identity that it resolved to; null where there is no record.');
const primary = oneOf(['Yes', 'No'], '`Yes` with `Primary Match` only.');
const validated = boolean('False with `Unverified` only.');

const row = <I extends v.GenericSchema, S extends v.GenericSchema>(input: I, standardized: S) => ({
  input,
  standardized,
  match_status: status,
  matched_identity: matched,
  is_primary: primary,
  validated,
});

const nameRow = row(string('The name as it was sent.'), string('The name in capitals.'));
const emailRow = row(string('The e-mail in lower case.'), string('The e-mail in lower case.'));
const phoneRow = row(
  string('The digits of the phone as it was sent.'),
  string('The number in international form (E.164), `+14155550100`.'),
);

const lines = namedObject(
  'AddressLines',
  {
    line1: string('Street and house number (`street` of the request).'),
    line2: string('Unit, floor and the like (`street2`).'),
    city: string('City.'),
    region: string('State, province or county (`state`).'),
    postalCode: string('Postal code (`zip`).'),
    plus4: string('The four digits behind a US zip; in `standardized` only.'),
    countryCode: string('Country (`country`), as an ISO code in `standardized`.'),
  },
  'An address in the words of version 1. Parts that were not sent are empty; `standardized` is in capitals.',
);
const addressRow = row(lines, lines);

const message = nullable(
  v.string(),
  'The verdict of the field as a sentence: `VERIFIED MATCH: …`, `DIFFERENT IDENTITY: …`, `DIFFERENT PERSON: …` or `NO RECORD: …`. Null where nothing was sent.',
);
const ROWS = 'A row for each value, in the order sent. Key them by `input`: values that are equal share one.';

const field = <I extends v.GenericSchema, R extends v.ObjectEntries>(input: I, entries: R) => ({
  input,
  match_status: statusOrNull,
  matched_identity: matched,
  is_primary: primary,
  match_message: message,
  inputs: list(v.object(entries), ROWS),
});
const ONE = 'The one value that speaks for the field; null where nothing was sent.';

export const overallMatchSchema = namedObject(
  'OverallMatch',
  {
    all_components_match_same_identity: boolean(
      'Every submitted value, the name included, is of one identity.',
    ),
    matched_identity: nullable(identityNumber, 'The dominant identity; null where nothing resolved.'),
  },
  'Whether all values are one identity’s.',
);

export const inputValidationSchema = namedObject(
  'InputValidation',
  {
    name: object(field(string('The name as it was sent.'), nameRow), 'The name.'),
    email: object(field(nullable(v.string(), ONE), emailRow), 'The e-mails.'),
    phone: object(field(nullable(v.string(), ONE), phoneRow), 'The phones.'),
    address: v.optional(
      object(
        field(
          strings('The one address that speaks for the field, its parts joined, as a list of one.'),
          addressRow,
        ),
        'The addresses; there only where one was sent.',
      ),
    ),
    overall_match: overallMatchSchema,
  },
  'What became of each value, in the shape of version 1: a verdict for each field, and a row for each value. The verdict of a field is the best of its rows and says nothing about the others.',
);

const row2 = <I extends v.GenericSchema, S extends v.GenericSchema>(input: I, standardized: S) =>
  v.object({
    input,
    standardized,
    match_status: oneOf(
      ['Verified', 'Different Identity', 'Unverified'],
      '`Verified`: of the identity that most values belong to (`is_primary` tells whether its main value). `Different Identity`: somebody else’s, see `matched_identity`. `Unverified`: no matching record, which counts neither for nor against.',
    ),
    matched_identity: matched,
    is_primary: boolean('It is the main value of the dominant identity.'),
    validated,
  });

const sentAddress = object(
  {
    street: v.optional(string('As it was sent.')),
    street2: v.optional(string('As it was sent.')),
    city: v.optional(string('As it was sent.')),
    state: v.optional(string('As it was sent.')),
    zip: v.optional(string('As it was sent.')),
    country: v.optional(string('As it was sent.')),
  },
  'The words that were sent, under the names of the current request shape; no key for what was left out.',
);
const standardAddress = object(
  {
    street: string('Street and house number.'),
    street2: v.optional(string('Unit, floor and the like; there only where one was sent.')),
    city: string('City.'),
    state: string('State, province or county.'),
    zip: string('Postal code.'),
    plus4: string('The four digits behind a US zip, or empty.'),
    country: string('ISO code of the country, or empty.'),
  },
  'The address in capitals.',
);

export const inputValidationV2Schema = namedObject(
  'InputValidation2',
  {
    name: list(row2(nameRow.input, nameRow.standardized), 'One row: the name.'),
    emails: list(row2(emailRow.input, emailRow.standardized), 'A row for each e-mail, in the order sent.'),
    phones: list(
      row2(phoneRow.input, string('The international number, digits only: `14155550100`.')),
      'A row for each phone, in the order sent.',
    ),
    addresses: list(row2(sentAddress, standardAddress), 'A row for each address, in the order sent.'),
    overall_match: overallMatchSchema,
  },
  'What became of each value, in the shape of version 2: plain lists of rows under the names that were sent, and booleans.',
);

export const matchFlagsSchema = object(
  {
    name: status,
    email: v.optional(status),
    phone: v.optional(status),
    address: v.optional(status),
  },
  'The match status of each field that was sent.',
);

const summary = namedObject(
  'FieldSummary',
  {
    status: statusOrNull,
    matched_identity: matched,
    total: integer('How many values were sent.'),
    validated: integer('How many of them are on record, whoever’s they are.'),
    primary_for_dominant: integer('How many are main values of the dominant identity.'),
    validated_for_dominant: integer('How many are the dominant identity’s.'),
    validated_other_identities: v.pipe(
      v.record(v.pipe(v.string(), v.regex(/^[1-9][0-9]*$/)), v.pipe(v.number(), v.integer(), v.minValue(1))),
      v.description('How many are other identities’, by the number of the identity.'),
    ),
    unverified: integer('How many have no matching record.'),
  },
  'How many values of a field were sent, and how many were whose.',
);

export const fieldSummarySchema = object(
  { name: summary, email: summary, phone: summary, address: summary },
  'The values of each field, counted; the same in both versions.',
);
