// The request bodies as valibot schemas, both shapes. Each message is the code of the rule that it reports; see parse.ts.
import { INTENTS } from '../intents.ts';
import * as v from 'valibot';
import type { Address, TextContact } from '../model.ts';
import { normaliseContact } from '../normalise/contact.ts';
import { asciiDigits, tidy } from '../normalise/text.ts';

export const MAX_VALUES = 5;
const MAX_NAME = 200;
const MAX_EMAIL = 254;
const MAX_PART = 200;

const atMost = (max: number) => (text: string) =>
  text.length <= max || (text.length <= 2 * max && [...text].length <= max);
// Steps to put into pipes: a body has some fifty texts, and a pipe within a pipe costs as much as its steps.
const text = [v.string('wrong_type'), v.check((sent: string) => sent.isWellFormed(), 'not_unicode')] as const;
const plain = [...text, v.transform(tidy)] as const;

const name = v.pipe(
  ...plain,
  v.check((text) => text !== '', 'empty'),
  v.check(atMost(MAX_NAME), 'too_long'),
  v.check((text) => text === '' || /\p{L}/u.test(text), 'no_letter'),
);

const email = v.pipe(
  ...plain,
  v.rawTransform(({ dataset, addIssue, NEVER }): TextContact => {
    const long = !atMost(MAX_EMAIL)(dataset.value);
    // The rule is that it can be normalised, and once is enough.
    const contact = long ? null : normaliseContact('email', dataset.value, []);
    if (contact) return { ...contact, input: contact.standardized };
    addIssue({ message: long ? 'too_long' : 'invalid_email' });
    return NEVER;
  }),
);

// Not tidied first: whatever tidying would change goes with all that is no digit.
const phone = v.pipe(
  ...text,
  v.transform((sent) => asciiDigits(sent).replace(/[^0-9]+/g, '')),
  v.check((digits) => digits.length >= 10 && digits.length <= 15, 'invalid_phone'),
);

const part = v.optional(v.pipe(...plain, v.check(atMost(MAX_PART), 'too_long')));
const notEmpty = v.check((address: Address) => Object.values(address).some((text) => text !== ''), 'empty');

const address = v.pipe(
  v.object({ street: part, street2: part, city: part, state: part, zip: part, country: part }, 'wrong_type'),
  v.transform(({ street = '', street2 = '', city = '', state = '', zip = '', country = '' }): Address => ({
    street,
    street2,
    city,
    state,
    zip,
    country,
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

const nameAddress = v.pipe(
  v.object({ fullName: v.optional(name), address: v.optional(legacyAddress) }, 'wrong_type'),
  v.check(({ fullName, address }) => fullName !== undefined || address !== undefined, 'empty'),
);

const list = <T extends v.GenericSchema>(item: T) => v.optional(v.array(item, 'wrong_type'));
const flag = v.optional(v.boolean('wrong_type'), true);

export const request = v.object({
  name: v.optional(name),
  emails: list(email),
  phones: list(phone),
  addresses: list(address),
  intent: v.fallback(v.optional(v.picklist(INTENTS), 'general'), 'general'),
  operation: v.optional(v.picklist(['validate', 'raw'], 'invalid_operation'), 'validate'),
  include_trust_enhancement: flag,
  include_fraud_detection: flag,
  include_name_matching: flag,
  nameAddresses: list(nameAddress),
  emailAddresses: list(email),
  phoneNumbers: list(phone),
});

/** Field names, for telling which sent field is unknown and what it was meant to be. */
export const FIELDS = {
  request: Object.keys(request.entries),
  address: Object.keys(address.pipe[0].entries),
  nameAddress: Object.keys(nameAddress.pipe[0].entries),
  legacyAddress: Object.keys(legacyAddress.pipe[0].entries),
};
