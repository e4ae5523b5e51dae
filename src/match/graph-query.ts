// The values that a check looks up in the graph: the keys of every contact. A phone without a country code
// also has keys as a number of other countries.
import type { ContactMatch, Contact, LookupKey, RawContact, TypoSearchData } from '../model.ts';
import { findAddressCountry } from '../normalise/address.ts';
import { findOtherDirectionStreetSpellings, listStreetSpellings } from '../normalise/address/words.ts';
import { normaliseContact } from '../normalise/contact.ts';
import { createEmailSignature } from '../normalise/email.ts';
import { isInNumberingPlan } from '../normalise/numbering.ts';

/** Submitted phone without a country code, read as a number of the country of a submitted address. */
export interface PhoneInterpretation {
  contact: number;
  /** ISO code of the country. */
  country: string;
  standardized: string;
  keys: LookupKey[];
  /** True if the digits are a valid number only in this country: not in the default region, and not in the country of another address. */
  isOnlyValid: boolean;
}

/**
 * Builds the values that a check looks up in the graph: one for each contact, and one for each phone as a number of another country. `readings` are
 * these phones.
 */
export function buildGraphQuery(contacts: readonly Contact[]) {
  const readings = interpretPhonesInAddressCountries(contacts);
  const values: { keys: LookupKey[]; signature: Contact['signature']; raw: RawContact }[] = contacts.map(
    (contact) => ({
      keys: getLookupKeysOfContact(contact),
      signature: getQueryTypoSearchData(contact),
      raw: contact,
    }),
  );
  for (const { keys, standardized: input } of readings)
    values.push({ keys, signature: null, raw: { kind: 'other_phone', input } });
  return { values, readings };
}

/**
 * Returns the data for finding records that have the contact with a typing error. For an address, it includes other spellings of the street. In an
 * e-mail, digits that imitate letters are read as letters (`b.1indgren`). Null if such records cannot be found.
 */
export function getQueryTypoSearchData({ signature }: Pick<Contact, 'signature'>): TypoSearchData | null {
  if (signature?.kind === 'email') return readDigitsAsLetters(signature);
  if (signature === null) return null;
  return {
    ...signature,
    // Few streets are compared by their letters, so the spellings are computed when they are first read.
    get spellings() {
      return listStreetSpellings(signature.text);
    },
    get directions() {
      return findOtherDirectionStreetSpellings(signature.text);
    },
  };
}

const LETTERS_OF_DIGITS: Readonly<Record<string, string>> = { 0: 'o', 1: 'l' };
/** Matches a 0 or 1 that may imitate a letter, but not the last digit of a number (anna01k). */
const DIGIT_LIKE_LETTER = /(?<![0-9])[01](?=[a-z])/g;

function readDigitsAsLetters(signature: TypoSearchData): TypoSearchData | null {
  const { text: email } = signature;
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at).replace(DIGIT_LIKE_LETTER, (digit) => LETTERS_OF_DIGITS[digit] ?? digit);
  const read = local + email.slice(at);
  return read === email ? signature : createEmailSignature(read);
}

/** Returns the look-up keys of a contact. An address with a unit also gets the exact key without its unit, because records may lack the unit. */
export function getLookupKeysOfContact({ kind, keys }: Pick<Contact, 'kind' | 'keys'>): LookupKey[] {
  const building = kind === 'address' ? buildingKey(keys) : null;
  if (building === null) return keys;
  const [exact, ...looser] = keys;
  return exact ? [exact, building, ...looser] : keys;
}

/** Types of look-up keys that also find values with another spelling. */
export const LOOSE_KEYS: ReadonlySet<ContactMatch['type']> = new Set(['typo', 'core', 'street']);

/**
 * Removes matches with other units of the same building, because the submitted unit is then not on record. Removes none if the address has no unit.
 */
export function removeMatchesWithOtherUnits(
  agreements: ContactMatch[],
  { kind, keys }: Pick<Contact, 'kind' | 'keys'>,
): ContactMatch[] {
  if (kind !== 'address' || !agreements.some(isPremise) || buildingKey(keys) === null) return agreements;
  return agreements.filter((agreement) => !isPremise(agreement));
}

const isPremise = ({ type }: ContactMatch) => type === 'premise';

/** Returns the exact key `number|street|unit|place` without its unit; null if the address has no unit. */
function buildingKey([exact]: readonly LookupKey[]): LookupKey | null {
  if (exact?.type !== 'address') return null;
  const { text } = exact;
  const street = text.indexOf('|') + 1;
  const unit = text.indexOf('|', street) + 1;
  const place = text.indexOf('|', unit);
  if (street < 2 || unit === 0 || place <= unit) return null;
  return { type: 'address', text: text.slice(0, unit) + text.slice(place) };
}

/**
 * Reads phones without a country code as numbers of the countries of submitted addresses. Leaves out numbers that equal the phone's number in the
 * default region.
 */
export function interpretPhonesInAddressCountries(contacts: readonly Contact[]): PhoneInterpretation[] {
  const countries = new Set<string>();
  for (const contact of contacts)
    if (contact.kind === 'address') countries.add(findAddressCountry(contact.standardized));
  countries.delete('');
  if (countries.size === 0) return [];
  return contacts.flatMap((contact, index) => {
    if (contact.kind !== 'phone') return [];
    const readings = [...countries].flatMap((country) => readPhoneIn(country, contact, index));
    if (contact.keys.some(isValidNumber)) return readings;
    const valid = readings.filter(({ keys }) => keys.some(isValidNumber));
    return readings.map((reading) => ({
      ...reading,
      isOnlyValid: valid.length === 1 && valid[0] === reading,
    }));
  });
}

const isValidNumber = ({ text }: LookupKey) => isInNumberingPlan(text.slice(1));

const NORTH_AMERICA = new Set(['US', 'CA']);

function readPhoneIn(
  country: string,
  { input, keys }: Extract<Contact, { kind: 'email' | 'phone' }>,
  contact: number,
): PhoneInterpretation[] {
  // A North American number is the same in both countries.
  if (NORTH_AMERICA.has(country) && keys[0]?.text.startsWith('+1')) return [];
  const reading = normaliseContact('phone', input, country);
  const [first] = reading?.keys ?? [];
  if (!reading || !first || keys.some(({ text }) => text === first.text)) return [];
  return [{ contact, country, standardized: reading.standardized, keys: [first], isOnlyValid: false }];
}
