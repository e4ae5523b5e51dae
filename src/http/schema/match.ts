// What became of each submitted value: the rows and fields of `input_validation`, in both versions.
import * as v from 'valibot';
import { flag, identity, list, named, object, orNull, text, texts, whole, word } from './parts.ts';

const STATUS = /^(Primary Match|Secondary Match|Different Identity Match \(ID [1-9][0-9]*\)|Unverified)$/
  .source;
const statusPattern = v.pipe(v.string(), v.regex(new RegExp(STATUS)));
const STATUS_ABOUT =
  '`Primary Match`: the main value of the identity that most values belong to. `Secondary Match`: that identity’s, and not its main value. `Different Identity Match (ID n)`: somebody else’s, identity n. `Unverified`: no matching record, which counts neither for nor against.';
const status = v.pipe(statusPattern, v.description(STATUS_ABOUT));
const statusOrNull = orNull(statusPattern, `${STATUS_ABOUT} Null where nothing was sent.`);
const matched = orNull(identity, 'The identity that it resolved to; null where there is no record.');
const primary = word(['Yes', 'No'], '`Yes` with `Primary Match` only.');
const validated = flag('False with `Unverified` only.');

const row = <I extends v.GenericSchema, S extends v.GenericSchema>(input: I, standardized: S) => ({
  input,
  standardized,
  match_status: status,
  matched_identity: matched,
  is_primary: primary,
  validated,
});

const nameRow = row(text('The name as it was sent.'), text('The name in capitals.'));
const emailRow = row(text('The e-mail in lower case.'), text('The e-mail in lower case.'));
const phoneRow = row(
  text('The digits of the phone as it was sent.'),
  text('The number in international form (E.164), `+14155550100`.'),
);

const lines = named(
  'AddressLines',
  {
    line1: text('Street and house number (`street` of the request).'),
    line2: text('Unit, floor and the like (`street2`).'),
    city: text('City.'),
    region: text('State, province or county (`state`).'),
    postalCode: text('Postal code (`zip`).'),
    plus4: text('The four digits behind a US zip; in `standardized` only.'),
    countryCode: text('Country (`country`), as an ISO code in `standardized`.'),
  },
  'An address in the words of version 1. Parts that were not sent are empty; `standardized` is in capitals.',
);
const addressRow = row(lines, lines);

const message = orNull(
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

export const overall = named(
  'OverallMatch',
  {
    all_components_match_same_identity: flag('Every submitted value, the name included, is of one identity.'),
    matched_identity: orNull(identity, 'The dominant identity; null where nothing resolved.'),
  },
  'Whether all values are one identity’s.',
);

export const validation1 = named(
  'InputValidation',
  {
    name: object(field(text('The name as it was sent.'), nameRow), 'The name.'),
    email: object(field(orNull(v.string(), ONE), emailRow), 'The e-mails.'),
    phone: object(field(orNull(v.string(), ONE), phoneRow), 'The phones.'),
    address: v.optional(
      object(
        field(
          texts('The one address that speaks for the field, its parts joined, as a list of one.'),
          addressRow,
        ),
        'The addresses; there only where one was sent.',
      ),
    ),
    overall_match: overall,
  },
  'What became of each value, in the shape of version 1: a verdict for each field, and a row for each value. The verdict of a field is the best of its rows and says nothing about the others.',
);

const row2 = <I extends v.GenericSchema, S extends v.GenericSchema>(input: I, standardized: S) =>
  v.object({
    input,
    standardized,
    match_status: word(
      ['Verified', 'Different Identity', 'Unverified'],
      '`Verified`: of the identity that most values belong to (`is_primary` tells whether its main value). `Different Identity`: somebody else’s, see `matched_identity`. `Unverified`: no matching record, which counts neither for nor against.',
    ),
    matched_identity: matched,
    is_primary: flag('It is the main value of the dominant identity.'),
    validated,
  });

const sentAddress = object(
  {
    street: v.optional(text('As it was sent.')),
    street2: v.optional(text('As it was sent.')),
    city: v.optional(text('As it was sent.')),
    state: v.optional(text('As it was sent.')),
    zip: v.optional(text('As it was sent.')),
    country: v.optional(text('As it was sent.')),
  },
  'The words that were sent, under the names of the current request shape; no key for what was left out.',
);
const standardAddress = object(
  {
    street: text('Street and house number.'),
    street2: v.optional(text('Unit, floor and the like; there only where one was sent.')),
    city: text('City.'),
    state: text('State, province or county.'),
    zip: text('Postal code.'),
    plus4: text('The four digits behind a US zip, or empty.'),
    country: text('ISO code of the country, or empty.'),
  },
  'The address in capitals.',
);

export const validation2 = named(
  'InputValidation2',
  {
    name: list(row2(nameRow.input, nameRow.standardized), 'One row: the name.'),
    emails: list(row2(emailRow.input, emailRow.standardized), 'A row for each e-mail, in the order sent.'),
    phones: list(
      row2(phoneRow.input, text('The international number, digits only: `14155550100`.')),
      'A row for each phone, in the order sent.',
    ),
    addresses: list(row2(sentAddress, standardAddress), 'A row for each address, in the order sent.'),
    overall_match: overall,
  },
  'What became of each value, in the shape of version 2: plain lists of rows under the names that were sent, and booleans.',
);

export const matchFlags = object(
  {
    name: status,
    email: v.optional(status),
    phone: v.optional(status),
    address: v.optional(status),
  },
  'The match status of each field that was sent.',
);

const summary = named(
  'FieldSummary',
  {
    status: statusOrNull,
    matched_identity: matched,
    total: whole('How many values were sent.'),
    validated: whole('How many of them are on record, whoever’s they are.'),
    primary_for_dominant: whole('How many are main values of the dominant identity.'),
    validated_for_dominant: whole('How many are the dominant identity’s.'),
    validated_other_identities: v.pipe(
      v.record(v.pipe(v.string(), v.regex(/^[1-9][0-9]*$/)), v.pipe(v.number(), v.integer(), v.minValue(1))),
      v.description('How many are other identities’, by the number of the identity.'),
    ),
    unverified: whole('How many have no matching record.'),
  },
  'How many values of a field were sent, and how many were whose.',
);

export const fieldSummary = object(
  { name: summary, email: summary, phone: summary, address: summary },
  'The values of each field, counted; the same in both versions.',
);
