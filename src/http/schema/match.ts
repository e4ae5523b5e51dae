// Schemas of the results for each submitted value: the field `input_validation`, in both versions.
import * as v from 'valibot';
import * as s from './builders.ts';

const MATCH_STATUS =
  /^(Primary Match|Secondary Match|Different Identity Match \(ID [1-9][0-9]*\)|Unverified)$/;
const STATUS_ABOUT =
  '`Primary Match`: the main value of the identity that most values belong to. `Secondary Match`: another value of that identity. `Different Identity Match (ID n)`: a value of another identity, number n. `Unverified`: no matching record, which counts neither for nor against.';
const status = s.string(STATUS_ABOUT, { pattern: MATCH_STATUS });
const statusOrNull = s.nullable(
  v.pipe(v.string(), v.regex(MATCH_STATUS)),
  'The best match status of the rows in `inputs`; null if nothing was sent.',
);
const identity = s.nullable(s.identityNumberSchema, 'Identity of the value; null if there is no record.');
const isPrimary = s.oneOf(['Yes', 'No'], '`Yes` with `Primary Match` only.');
const validated = s.boolean('False with `Unverified` only.');

const toRow = <Input extends v.GenericSchema, Standard extends v.GenericSchema>(
  input: Input,
  standardized: Standard,
) => ({
  input,
  standardized,
  match_status: status,
  matched_identity: identity,
  is_primary: isPrimary,
  validated,
});

const nameRow = toRow(s.string('The name as it was sent.'), s.string('The name in capitals.'));
const emailRow = toRow(s.string('The e-mail in lower case.'), s.string('The e-mail in lower case.'));
const phoneRow = toRow(
  s.string('Digits of the phone as it was sent.'),
  s.nullableString(
    'The number in international form (E.164), `+14155550100`; null if the digits are no number of any country.',
  ),
);

const addressLines = s.openApiObject(
  'AddressLines',
  'An address in the words of version 1. Parts that were not sent are empty; `standardized` is in capitals.',
  {
    line1: s.string('Street and house number (`street` of the request).'),
    line2: s.string('Unit, floor and the like (`street2`).'),
    city: s.string('City.'),
    region: s.string('State, province or county (`state`).'),
    postalCode: s.string('Postal code (`zip`).'),
    plus4: s.string('The four digits after a US zip; in `standardized` only.'),
    countryCode: s.string('Country (`country`), as an ISO code in `standardized`.'),
  },
);
const addressRow = toRow(addressLines, addressLines);

const message = s.nullableString(
  'The result of the field as a sentence: `VERIFIED MATCH: …`, `DIFFERENT IDENTITY: …`, `DIFFERENT PERSON: …` or `NO RECORD: …`. Null if nothing was sent.',
);
const toField = <Input extends v.GenericSchema, Row extends v.ObjectEntries>(input: Input, row: Row) => ({
  input,
  match_status: statusOrNull,
  matched_identity: identity,
  is_primary: isPrimary,
  match_message: message,
  inputs: s.list(
    v.object(row),
    'A row for each value, in the order of the request. Find a row by its `input`: equal values share one row.',
  ),
});
const bestInput = s.nullableString('The value with the best result; null if nothing was sent.');

const overallMatchSchema = s.openApiObject('OverallMatch', 'Whether all values belong to one identity.', {
  all_components_match_same_identity: s.boolean(
    'True if every submitted value, the name included, belongs to one identity.',
  ),
  matched_identity: s.nullable(
    s.identityNumberSchema,
    'The dominant identity; null if no value has a record.',
  ),
});

const bestAddress = s.stringList('The address with the best result, its parts joined, as a list of one.');
export const inputValidationSchema = s.openApiObject(
  'InputValidation',
  'Results for each value in version 1: one result for each field, and one row for each value. The result of a field is the best of its rows and says nothing about the other rows.',
  {
    name: s.object('The name.', toField(s.string('The name as it was sent.'), nameRow)),
    email: s.object('The e-mails.', toField(bestInput, emailRow)),
    phone: s.object('The phones.', toField(bestInput, phoneRow)),
    address: v.optional(
      s.object('The addresses; only if an address was sent.', toField(bestAddress, addressRow)),
    ),
    overall_match: overallMatchSchema,
  },
);

const toRowV2 = <Input extends v.GenericSchema, Standard extends v.GenericSchema>(
  input: Input,
  standardized: Standard,
) =>
  v.object({
    input,
    standardized,
    match_status: s.oneOf(
      ['Verified', 'Different Identity', 'Unverified'],
      '`Verified`: a value of the identity that most values belong to (`is_primary` shows whether it is the main value). `Different Identity`: a value of another identity, see `matched_identity`. `Unverified`: no matching record, which counts neither for nor against.',
    ),
    matched_identity: identity,
    is_primary: s.boolean('True for the main value of the dominant identity.'),
    validated,
  });

const sentPart = v.optional(s.string('As it was sent.'));
const sentAddress = s.object(
  'The address as it was sent, under the names of the current request shape; parts that were not sent are missing.',
  { street: sentPart, street2: sentPart, city: sentPart, state: sentPart, zip: sentPart, country: sentPart },
);
const standardAddress = s.object('The address in capitals.', {
  street: s.string('Street and house number.'),
  street2: v.optional(s.string('Unit, floor and the like; only if it was sent.')),
  city: s.string('City.'),
  state: s.string('State, province or county.'),
  zip: s.string('Postal code.'),
  plus4: s.string('The four digits after a US zip, or empty.'),
  country: s.string('ISO code of the country, or empty.'),
});
const phoneDigits = s.nullableString(
  'The international number, digits only: `14155550100`; null if the digits are no number of any country.',
);

export const inputValidationV2Schema = s.openApiObject(
  'InputValidation2',
  'Results for each value in version 2: lists of rows under the names of the request, with booleans.',
  {
    name: s.list(toRowV2(nameRow.input, nameRow.standardized), 'One row: the name.'),
    emails: s.list(
      toRowV2(emailRow.input, emailRow.standardized),
      'A row for each e-mail, in the order of the request.',
    ),
    phones: s.list(
      toRowV2(phoneRow.input, phoneDigits),
      'A row for each phone, in the order of the request.',
    ),
    addresses: s.list(
      toRowV2(sentAddress, standardAddress),
      'A row for each address, in the order of the request.',
    ),
    overall_match: overallMatchSchema,
  },
);

export const matchStatusByFieldSchema = s.object('Match status of each field that was sent.', {
  name: status,
  email: v.optional(status),
  phone: v.optional(status),
  address: v.optional(status),
});

const fieldCounts = s.openApiObject('FieldSummary', 'Counts of the values of one field.', {
  status: statusOrNull,
  matched_identity: identity,
  total: s.integer('Number of values that were sent.'),
  validated: s.integer('Number of values on record, of any identity.'),
  primary_for_dominant: s.integer('Number of main values of the dominant identity.'),
  validated_for_dominant: s.integer('Number of values of the dominant identity.'),
  validated_other_identities: v.pipe(
    v.record(v.pipe(v.string(), v.regex(/^[1-9][0-9]*$/)), v.pipe(v.number(), v.integer(), v.minValue(1))),
    v.description('Number of values of each other identity, by identity number.'),
  ),
  unverified: s.integer('Number of values without a matching record.'),
});
export const matchCountsByFieldSchema = s.object(
  'Counts of the values of each field; the same in both versions.',
  { name: fieldCounts, email: fieldCounts, phone: fieldCounts, address: fieldCounts },
);
