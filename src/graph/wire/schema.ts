// A question to a graph behind another server and its answer, as they travel: in the graph's own vocabulary.
import * as v from 'valibot';
import { ITEM_SCHEMAS, MAX_VALUES } from '../../claim/schema.ts';
import type { Agreement } from '../../model.ts';

/** A phone may mean another number in each country of an address. */
const MOST_OTHERS = MAX_VALUES ** 2;
const MOST_TEXT = 512;
/** A phone number as it was written, signs and all. */
const MOST_PHONE = 64;

const described = v.description;
const text = (most: number) =>
  v.pipe(
    v.string('wrong_type'),
    v.check((sent) => sent.isWellFormed(), 'not_unicode'),
    v.maxLength(most, 'too_long'),
  );
const list = <S extends v.GenericSchema>(item: S, most: number, about: string) =>
  v.optional(v.pipe(v.array(item, 'wrong_type'), v.maxLength(most, 'too_many'), described(about)), []);

export const QUESTION_SCHEMA = v.pipe(
  v.object({
    nameAddresses: list(
      ITEM_SCHEMAS.nameAddress,
      MAX_VALUES,
      'The name and the addresses; all entries that have a name have the same.',
    ),
    emailAddresses: list(text(MOST_TEXT), MAX_VALUES, 'E-mails.'),
    phoneNumbers: list(
      text(MOST_PHONE),
      MAX_VALUES,
      'Phones as they were sent. One without a country code is read in `region`.',
    ),
    otherPhoneNumbers: list(
      text(MOST_PHONE),
      MOST_OTHERS,
      'In E.164, what the phones may mean in the countries of the addresses. Each is looked up as it is.',
    ),
    region: v.optional(
      v.pipe(
        v.string('wrong_type'),
        v.regex(/^[A-Z]{2}$/, 'invalid_region'),
        described(
          'Country (ISO 3166-1) of numbers and addresses that name none; the server’s own without it.',
        ),
      ),
    ),
  }),
  v.title('GraphQuestion'),
  described(
    'Values to look up in an identity graph, each on its own. All may be left out: then only `total` and `newest` are asked for.',
  ),
);
export type Question = v.InferInput<typeof QUESTION_SCHEMA>;
export type ParsedQuestion = v.InferOutput<typeof QUESTION_SCHEMA>;

const count = (about: string) => v.pipe(v.number(), v.safeInteger(), v.minValue(0), described(about));
const number = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const numbered = (about: string) => v.pipe(number, described(about));
/** Of the years 1 to 9999, in which a time can be written. */
const TIME = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(-62_135_596_800_000),
  v.maxValue(253_402_300_799_999),
);
const time = (about: string) =>
  v.pipe(
    v.nullable(TIME),
    described(`${about} Milliseconds since 1970; null where no record carries a date.`),
  );

export const AGREEMENT_TYPES = [
  'email',
  'mailbox',
  'phone',
  'address',
  'premise',
  'core',
  'core_city',
  'street',
  'name',
  'typo',
] as const satisfies Agreement['type'][];

const HIT = v.pipe(
  v.object({
    identity: numbered('The identity that has the value.'),
    type: v.pipe(
      v.picklist(AGREEMENT_TYPES),
      described(
        'How nearly: `email`, `phone`, `address` as they are; `mailbox` without its tag; `premise` without the unit; `core` and `core_city` with a street that differs in one half; `street` wherever it is; `typo` but for a typo, of somebody who may bear the name.',
      ),
    ),
    primary: v.pipe(v.boolean(), described('It is the identity’s primary value of its kind.')),
    share: numbered('How many identities have this value.'),
    firstSeen: time('When the identity was seen first.'),
    lastSeen: time('When it was seen last.'),
  }),
  v.title('GraphHit'),
  described('An identity that has a value.'),
);

/** More than any graph of ours reads for a check, and few enough to compare all their names at once. */
const MOST_IDENTITIES = 512;
const MOST_NAMES = 16;
const MOST_NAME = 400;
const MOST_NUMBERS = 1024;

const IDENTITY = v.pipe(
  v.object({
    id: numbered('Its number, the same in every answer.'),
    names: v.pipe(
      v.array(v.pipe(v.string(), v.maxLength(MOST_NAME))),
      v.maxLength(MOST_NAMES),
      described('Names as the records spell them, the primary first.'),
    ),
    firstSeen: time('When it was seen first.'),
    lastSeen: time('When it was seen last.'),
    records: count('How many records are behind it.'),
    sources: count('Of how many sources.'),
  }),
  v.title('GraphIdentity'),
  described('A person as the graph knows them.'),
);

const numbers = (about: string) => v.pipe(v.array(number), v.maxLength(MOST_NUMBERS), described(about));

const NAME = v.object({
  identities: numbers('Identities that may bear the name, by its spelling or a form of it.'),
  bearers: count('How many identities have exactly this name.'),
  given: numbers('Of those behind the hits, the ones known to share the given name alone.'),
});

export const ANSWER_SCHEMA = v.pipe(
  v.object({
    total: count('How many identities the graph holds.'),
    newest: time('When the newest of its records was last seen.'),
    values: v.pipe(
      v.array(v.pipe(v.array(HIT), v.maxLength(MOST_IDENTITIES))),
      described(
        'A list for each value, in the order of `emailAddresses`, `phoneNumbers`, the addresses of `nameAddresses`, `otherPhoneNumbers`: each identity at most once, the nearest first; empty where the graph has no record of the value.',
      ),
    ),
    name: v.pipe(NAME, described('What is known of the name.')),
    identities: v.pipe(
      v.array(IDENTITY),
      v.maxLength(MOST_IDENTITIES),
      described(
        'Those of the identities above whose names are compared: who may bear the name, and where nobody does, who has most of the values.',
      ),
    ),
  }),
  v.title('GraphAnswer'),
  described('What an identity graph holds on the values of a question.'),
);
export type WireAnswer = v.InferOutput<typeof ANSWER_SCHEMA>;
