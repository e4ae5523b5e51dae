// Check requests from the rows and lines of a file of people to check.
import { joinNameParts } from '../../names/index.ts';
import { toCountryCode } from '../../normalise/address/place.ts';
import { findEmailInCell, normaliseEmail } from '../../normalise/email.ts';
import {
  findCountriesOfPhoneNumber,
  hasDigitsOfCheck,
  MIN_DIGITS_OF_CHECK,
  normalisePhone,
  parsePhoneDigits,
  removePhoneRemarks,
} from '../../normalise/phone.ts';
import { getTypoDistance } from '../../normalise/typo.ts';
import { isSpreadsheetRoundedNumber } from '../columns/cells.ts';
import { guessColumn } from '../columns/guess.ts';
import { NAME_PARTS } from '../columns/headers.ts';
import { RELATIVE_REASON } from '../columns/persons.ts';
import type { RawRecord } from '../columns/raw.ts';

type Fields = Record<string, unknown>;

/** Text in place of a phone that a spreadsheet rounded. A check refuses it; `4.917123456E+11` has enough digits for the phone of somebody else. */
const ROUNDED_PHONE = 'rounded by a spreadsheet';

/** Check request of a table row. */
export interface RowRequest {
  request: Fields;
  /** Number of e-mails and phones that are left out, because they cannot be used or belong to a relative. */
  leftOut: number;
  /** True if a spreadsheet rounded a phone that is left out. */
  isRounded: boolean;
}

/**
 * Converts a table row to a check request. If the row has several names, only the first is used. E-mails and phones that a check would refuse are left
 * out, so that one cell does not prevent the check of the person; so are phones of which a spreadsheet kept the first digits only (`4.91712E+11`). If
 * no contact would be left, all are kept, and the check reports what is wrong with them.
 *
 * @param blanks reasons for which cells of the row are not in `raw`
 * @param region ISO country for short phones of a row without a country
 */
export function createCheckRequestFromRow(
  raw: RawRecord,
  blanks: readonly string[] = [],
  region = '',
): RowRequest {
  const { name, names, country } = raw;
  const [emails, phones, addresses] = [raw.emails, raw.phones, raw.addresses] as [
    string[],
    string[],
    Fields[],
  ];
  const [first = joinParts(name)] = names as string[];
  const code = toCountryCode(String(country ?? ''));
  const written = {
    emails: emails.map(findEmailInCell),
    phones: phones.map((phone) => {
      if (isSpreadsheetRoundedNumber(phone)) return ROUNDED_PHONE;
      const whole = completeShortPhone(phone, [code, ...addresses.map(countryOf), region]);
      return code === '' || whole !== phone ? whole : addCountryCode(phone, code);
    }),
  };
  const usable = {
    emails: written.emails.filter((email) => normaliseEmail(email) !== null),
    phones: written.phones.filter((phone) => hasDigitsOfCheck(parsePhoneDigits(phone))),
  };
  const kept = usable.emails.length + usable.phones.length;
  const ofRelatives = blanks.filter((reason) => reason.endsWith(RELATIVE_REASON)).length;
  const chosen = kept + addresses.length === 0 ? written : usable;
  return {
    request: { ...(first && { name: first }), ...chosen, addresses: addresses.map(toAddress) },
    leftOut: ofRelatives + (chosen === written ? 0 : emails.length + phones.length - kept),
    isRounded: chosen === usable && written.phones.includes(ROUNDED_PHONE),
  };
}

/**
 * Adds the country code to a phone of a row that has a country and no address. A number that can be read as several phone numbers stays unchanged.
 */
function addCountryCode(phone: string, country: string): string {
  const { standardized = phone, keys = [] } = normalisePhone(phone, country) ?? {};
  return keys.length === 1 ? standardized : phone;
}

const countryOf = ({ country }: Fields): string => toCountryCode(String(country ?? ''));

/** Adds the country code to a phone that has too few digits for a check, for the first country in which it is a whole number. */
function completeShortPhone(phone: string, countries: readonly string[]): string {
  if (parsePhoneDigits(phone).digits.length >= MIN_DIGITS_OF_CHECK) return phone;
  const text = removePhoneRemarks(phone) ?? phone;
  const country = countries.find(
    (code) => code !== '' && findCountriesOfPhoneNumber(text, code)?.[0] === code,
  );
  return (country && normalisePhone(text, country)?.standardized) ?? phone;
}

const REQUEST_FIELDS =
  'name emails phones addresses intent operation nameAddresses emailAddresses phoneNumbers'.split(' ');
const PLURALS = new Map(Object.entries({ email: 'emails', phone: 'phones', address: 'addresses' }));
/** Fields of an import that are parts of the address, in place of `addresses`. */
const PLACE_FIELDS = ['street', 'street2', 'city', 'state', 'zip', 'plus4', 'country'];
const CHECKED = new Set(['name', 'given', 'family', 'email', 'phone', 'street', 'address']);

/**
 * True if an unknown field is left out of check requests. False for a field that may be a misspelled known field: it is sent, so that the check
 * call reports it.
 */
function isIgnored(field: string): boolean {
  if (REQUEST_FIELDS.includes(field) || PLURALS.has(field)) return false;
  const guess = guessColumn(field);
  if (guess !== null) return !CHECKED.has(guess.field);
  return !REQUEST_FIELDS.some(
    (known) => field.length <= 40 && getTypoDistance(field.toLowerCase(), known.toLowerCase(), 1) <= 1,
  );
}

/**
 * Converts an object to a check request. The object is an import record, an API request in the format of either version, or has the fields of a table
 * in an import: `given`, `family`, `street`.
 *
 * @param region ISO country for short phones of an object without a country
 */
export function createCheckRequestFromObject({ names, ...fields }: Fields, region = ''): Fields {
  const request: Fields = {};
  const pick = (known: readonly string[]): Fields =>
    Object.fromEntries(
      Object.entries(fields).filter(
        ([field, value]) => known.includes(field) && typeof value === 'string' && value !== '',
      ),
    );
  const [nameParts, place] = [pick(NAME_PARTS), pick(PLACE_FIELDS)];
  const hasPlace = ['street', 'city', 'zip'].some((field) => field in place);
  const used = new Set([...Object.keys(nameParts), ...(hasPlace ? Object.keys(place) : [])]);
  for (const [field, value] of Object.entries(fields)) {
    if (used.has(field)) continue;
    if (value === null || isIgnored(field)) continue;
    const list = PLURALS.get(field) ?? field;
    const added = field === list ? value : [value].flat();
    const before = request[list];
    request[list] = Array.isArray(before) && Array.isArray(added) ? [...before, ...added] : added;
  }
  const name = request.name ?? (Array.isArray(names) ? names[0] : names);
  if (name !== undefined) request.name = isObject(name) ? joinParts(name) : name;
  else if (Object.keys(nameParts).length > 0) request.name = joinParts(nameParts);
  if (hasPlace) request.addresses = [request.addresses ?? [], place].flat();
  if (Array.isArray(request.addresses)) request.addresses = request.addresses.map(toAddress);
  const countries = [request.addresses ?? []].flat().map((place) => countryOf(isObject(place) ? place : {}));
  if (Array.isArray(request.phones))
    request.phones = request.phones.map((phone: unknown) =>
      typeof phone === 'string' ? completeShortPhone(phone, [...countries, region]) : phone,
    );
  return request;
}

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function joinParts(name: unknown): string {
  const parts = (name ?? {}) as Record<string, string>;
  return parts.full ?? joinNameParts(NAME_PARTS.map((part) => parts[part] ?? ''));
}

/**
 * Converts an address to an object of its parts. A text becomes an address on one line. The four extra digits of a US zip are added to the zip.
 */
function toAddress(address: unknown): unknown {
  if (!isObject(address)) return typeof address === 'string' ? { street: address } : address;
  const { plus4, ...parts } = address;
  return { ...parts, ...(plus4 ? { zip: `${String(parts.zip ?? '')}-${String(plus4)}` } : {}) };
}
