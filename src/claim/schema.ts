// Valibot schemas of the request body, in both shapes. Each message is the code of the broken rule; see
// parse.ts.
import { INTENTS, type Address, type EmailOrPhoneContact } from '../model.ts';
import * as v from 'valibot';
import { normaliseContact } from '../normalise/contact.ts';
import {
  hasPhoneLengthForCheck,
  parsePhoneDigits,
  type PhoneDigitsWithExtensionFlag,
} from '../normalise/phone.ts';
import { trimAndNormaliseToNfc } from '../normalise/text.ts';

/** Maximum number of different values of one contact type in a request. */
export const MAX_VALUES_PER_CONTACT_TYPE = 5;
/** Maximum number of entries of a list in a request; longer lists are refused. */
export const MAX_LIST_ENTRIES = 50;
const MAX_NAME = 200;
const MAX_EMAIL = 254;
const MAX_PART = 200;

const hasAtMost = (max: number) => (text: string) =>
  text.length <= max || (text.length <= 2 * max && [...text].length <= max);
type RuleMetadata = Record<string, string | number>;
// Steps for the pipe of each text field. A nested pipe would be shorter, but doubles the cost of a body with its some fifty texts.
// The metadata must fit every accepted text, before it is trimmed and normalised: so it has no greatest length.
const textSteps = (metadata: RuleMetadata = {}) =>
  [
    v.string('wrong_type'),
    v.check((sent: string) => sent.isWellFormed(), 'not_unicode'),
    v.metadata<string, RuleMetadata>(metadata),
  ] as const;
const trimmedTextSteps = (metadata?: RuleMetadata) =>
  [...textSteps(metadata), v.transform(trimAndNormaliseToNfc)] as const;

const name = v.pipe(
  ...trimmedTextSteps({ minLength: 1 }),
  v.check((text) => text !== '', 'empty'),
  v.check(hasAtMost(MAX_NAME), 'too_long'),
  v.check((text) => text === '' || /\p{L}/u.test(text), 'no_letter'),
);

const email = v.pipe(
  ...trimmedTextSteps({ format: 'email' }),
  v.rawTransform(({ dataset, addIssue, NEVER }): EmailOrPhoneContact => {
    const long = !hasAtMost(MAX_EMAIL)(dataset.value);
    // An e-mail is valid if it can be normalised. The normalised form is kept for later use.
    const contact = long ? null : normaliseContact('email', dataset.value, []);
    if (contact) return { ...contact, input: contact.standardized };
    addIssue({ message: long ? 'too_long' : 'invalid_email' });
    return NEVER;
  }),
);

const phone = v.pipe(
  ...textSteps(),
  v.transform(parsePhoneDigits),
  v.check(hasPhoneLengthForCheck, 'invalid_phone'),
);

const part = v.nullish(v.pipe(...trimmedTextSteps(), v.check(hasAtMost(MAX_PART), 'too_long')));
const notEmpty = v.check((address: Address) => Object.values(address).some((text) => text !== ''), 'empty');

const address = v.pipe(
  v.object({ street: part, street2: part, city: part, state: part, zip: part, country: part }, 'wrong_type'),
  v.transform((sent): Address => ({
    street: sent.street ?? '',
    street2: sent.street2 ?? '',
    city: sent.city ?? '',
    state: sent.state ?? '',
    zip: sent.zip ?? '',
    country: sent.country ?? '',
  })),
  notEmpty,
);

const legacyAddress = v.pipe(
  v.object(
    { line1: part, line2: part, city: part, region: part, postalCode: part, countryCode: part },
    'wrong_type',
  ),
  v.transform((sent): Address => ({
    street: sent.line1 ?? '',
    street2: sent.line2 ?? '',
    city: sent.city ?? '',
    state: sent.region ?? '',
    zip: sent.postalCode ?? '',
    country: sent.countryCode ?? '',
  })),
  notEmpty,
);

/** True for a value that was submitted: neither missing nor null. */
export const isNotNullish = (value: unknown): boolean => value !== undefined && value !== null;

const never = v.never('wrong_type');
/** Returns the schema, or one that refuses a list in the place of an object, because `v.object` accepts lists. */
const refuseList = <T extends v.GenericSchema>(value: unknown, schema: T): T | typeof never =>
  Array.isArray(value) && schema.type === 'object' ? never : schema;

const nameAddress = v.pipe(
  v.object(
    { fullName: v.nullish(name), address: v.nullish(v.lazy((value) => refuseList(value, legacyAddress))) },
    'wrong_type',
  ),
  v.check(({ fullName, address }) => isNotNullish(fullName) || isNotNullish(address), 'empty'),
);

const blank = v.pipe(
  v.unknown(),
  v.transform(() => null),
);
export const isBlank = (entry: unknown): boolean => typeof entry === 'string' && entry.trim() === '';
/** Creates the schema of a list. An empty entry becomes null and stays in the list, so that JSON Pointers of issues keep the right index. */
const list = <T extends v.GenericSchema>(item: T) =>
  v.nullish(
    v.array(
      v.lazy((entry): T | typeof blank | typeof never => (isBlank(entry) ? blank : refuseList(entry, item))),
      'wrong_type',
    ),
  );
const flag = v.nullish(v.boolean('wrong_type'), true);

export const CHECK_REQUEST_SCHEMA = v.object({
  name: v.nullish(name),
  emails: list(email),
  phones: list(phone),
  addresses: list(address),
  intent: v.fallback(v.optional(v.picklist(INTENTS), 'general'), 'general'),
  operation: v.nullish(v.picklist(['validate', 'raw'], 'invalid_operation'), 'validate'),
  include_trust_enhancement: flag,
  include_fraud_detection: flag,
  include_name_matching: flag,
  nameAddresses: list(nameAddress),
  emailAddresses: list(email),
  phoneNumbers: list(phone),
});

export const LIST_ENTRY_SCHEMAS = { email, phone, address, nameAddress, legacyAddress };

/** Returns a key that is equal for values that differ only in letter case and formatting. `removeDuplicates` keeps the first value of each key. */
export function toDeduplicationKey(
  value: EmailOrPhoneContact | PhoneDigitsWithExtensionFlag | Address,
): string {
  if ('digits' in value) return value.digits;
  if ('kind' in value) return value.input;
  const { street, street2, city, state, zip, country } = value;
  const parts = `${street}\0${street2}\0${city}\0${state}\0${zip}\0${country}`;
  // Single spaces need no replacement, and an address has many.
  return parts.toLowerCase().replace(/\s{2,}|[^\S ]/g, ' ');
}

export const KNOWN_FIELDS_BY_REQUEST_PART = {
  request: Object.keys(CHECK_REQUEST_SCHEMA.entries),
  address: Object.keys(address.pipe[0].entries),
  nameAddress: Object.keys(nameAddress.pipe[0].entries),
  legacyAddress: Object.keys(legacyAddress.pipe[0].entries),
};
