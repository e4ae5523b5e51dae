// Schemas of the questions that a server sends to the graph of another server, and of the answers.
import * as v from 'valibot';
import { LIST_ENTRY_SCHEMAS, MAX_VALUES_PER_CONTACT_TYPE } from '../../claim/schema.ts';
import { CONTACT_MATCH_TYPES } from '../graph.ts';

/** Maximum number of further numbers of phones: a phone without a country code can be another number in the country of each submitted address. */
const MAX_OTHER_PHONES = MAX_VALUES_PER_CONTACT_TYPE ** 2;
const MAX_TEXT = 512;
const MAX_PHONE_TEXT = 64;

const described = v.description;
const text = (most: number) =>
  v.pipe(
    v.string('wrong_type'),
    v.check((sent) => sent.isWellFormed(), 'not_unicode'),
    v.maxLength(most, 'too_long'),
  );
const list = <S extends v.GenericSchema>(item: S, most: number, about: string) =>
  v.optional(v.pipe(v.array(item, 'wrong_type'), v.maxLength(most, 'too_many'), described(about)), []);

export const GRAPH_QUESTION_SCHEMA = v.pipe(
  v.object({
    nameAddresses: list(
      LIST_ENTRY_SCHEMAS.nameAddress,
      MAX_VALUES_PER_CONTACT_TYPE,
      'Name and addresses. All entries with a name must have the same name.',
    ),
    emailAddresses: list(text(MAX_TEXT), MAX_VALUES_PER_CONTACT_TYPE, 'E-mails.'),
    phoneNumbers: list(
      text(MAX_PHONE_TEXT),
      MAX_VALUES_PER_CONTACT_TYPE,
      'Phone numbers as submitted. A number without a country code belongs to `region`.',
    ),
    otherPhoneNumbers: list(
      text(MAX_PHONE_TEXT),
      MAX_OTHER_PHONES,
      'Possible other meanings of the phone numbers, in the countries of the addresses (E.164). Each is looked up unchanged.',
    ),
    region: v.optional(
      v.pipe(
        v.string('wrong_type'),
        v.regex(/^[A-Z]{2}$/, 'invalid_region'),
        described(
          'Country (ISO 3166-1) of phone numbers and addresses that name no country. Default: the server’s own region.',
        ),
      ),
    ),
  }),
  v.title('GraphQuestion'),
  described(
    'Values to look up in an identity graph. Without any value, the answer has only `total` and `newest`.',
  ),
);
export type GraphQuestion = v.InferInput<typeof GRAPH_QUESTION_SCHEMA>;
export type ParsedGraphQuestion = v.InferOutput<typeof GRAPH_QUESTION_SCHEMA>;

const count = (about: string) => v.pipe(v.number(), v.safeInteger(), v.minValue(0), described(about));
const number = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const numbered = (about: string) => v.pipe(number, described(about));
/** Schema of a time in milliseconds since 1970, in the years 1 to 9999. */
const TIME = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(-62_135_596_800_000),
  v.maxValue(253_402_300_799_999),
);
const time = (about: string) =>
  v.pipe(v.nullable(TIME), described(`${about} Milliseconds since 1970; null if no record has a date.`));

const HIT = v.pipe(
  v.object({
    identity: numbered('Identity number of the holder of the value.'),
    type: v.pipe(
      v.picklist(CONTACT_MATCH_TYPES),
      described(
        'How exactly the value matches: `email`, `phone`, `address`: equal; `mailbox`: equal without the tag; `premise`: equal without the unit; `core`, `core_city`: one half of the street differs; `street`: the street in any city; `typo`: equal except for a typo, and the identity may have the name.',
      ),
    ),
    primary: v.pipe(v.boolean(), described('True if the value is the identity’s primary value of its kind.')),
    share: numbered('Number of identities that have this value.'),
    firstSeen: time('Earliest date of the identity’s records.'),
    lastSeen: time('Latest date of the identity’s records.'),
    contactLastSeen: v.optional(
      v.pipe(
        v.nullable(TIME),
        described(
          'Latest date of those records that have the value, if it is earlier; null if one of them has no last date. Milliseconds since 1970.',
        ),
      ),
    ),
  }),
  v.title('GraphHit'),
  described('An identity that has a value.'),
);

/** Maximum number of identities in an answer: more than built-in engines return, but few enough to compare all their names. */
const MAX_IDENTITIES = 512;
const MAX_NAMES = 16;
const MAX_NAME_LENGTH = 400;
const MAX_NUMBERS = 1024;

const IDENTITY = v.pipe(
  v.object({
    id: numbered('Identity number; the same in every answer.'),
    names: v.pipe(
      v.array(v.pipe(v.string(), v.maxLength(MAX_NAME_LENGTH))),
      v.maxLength(MAX_NAMES),
      described('Names as the records spell them, the primary name first.'),
    ),
    firstSeen: time('Earliest date of the identity’s records.'),
    lastSeen: time('Latest date of the identity’s records.'),
    records: count('Number of records.'),
    sources: count('Number of sources of these records.'),
  }),
  v.title('GraphIdentity'),
  described('One person in the graph.'),
);

const numbers = (about: string) => v.pipe(v.array(number), v.maxLength(MAX_NUMBERS), described(about));

const pairs = (about: string) =>
  v.optional(
    v.pipe(v.array(v.pipe(v.array(number), v.length(2))), v.maxLength(MAX_NUMBERS), described(about)),
  );

const NAME = v.object({
  identities: numbers('Identities that may have the name, in this spelling or another form.'),
  bearers: count('Number of identities that have exactly this name.'),
  given: numbers('Identities among the hits that have the given name.'),
  differentPeople: pairs(
    'Pairs of identities with the name whose birth dates show that they are two people.',
  ),
  housemates: pairs(
    'Pairs of an identity with the name and one with a value that have an address in common.',
  ),
});

export const GRAPH_ANSWER_SCHEMA = v.pipe(
  v.object({
    total: count('Number of identities in the graph.'),
    newest: time('Date of the newest record.'),
    values: v.pipe(
      v.array(v.pipe(v.array(HIT), v.maxLength(MAX_IDENTITIES))),
      described(
        'One list for each value, in the order `emailAddresses`, `phoneNumbers`, addresses of `nameAddresses`, `otherPhoneNumbers`. Each identity occurs once per list, the most exact match first. A list is empty if the graph has no record of the value.',
      ),
    ),
    name: v.pipe(NAME, described('Identities with the name.')),
    identities: v.pipe(
      v.array(IDENTITY),
      v.maxLength(MAX_IDENTITIES),
      described(
        'Identities whose names are to be compared: those that may have the name, or else those with most of the values.',
      ),
    ),
  }),
  v.title('GraphAnswer'),
  described('Matches of an identity graph for the values of a question.'),
);
export type GraphAnswerJson = v.InferOutput<typeof GRAPH_ANSWER_SCHEMA>;
