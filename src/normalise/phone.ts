import {
  type CountryCode,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from 'libphonenumber-js/min';
import type { LookupKey, EmailOrPhoneContact } from '../model.ts';
import {
  CALLING_CODE_BY_COUNTRY,
  isInNumberingPlan,
  mayLackAreaCode,
  mayLibphonenumberAcceptDigits,
  parseNationalNumber,
} from './numbering.ts';
import { toAsciiDigits, withoutDecimalZero } from './text.ts';

/** Maximum length of a text that is searched for extensions and remarks. */
export const MAX_PHONE_TEXT = 320;
/** Minimum number of digits of a phone number. */
export const MIN_PHONE_DIGITS = 7;
const MIN_LOCAL_DIGITS = 4;
export const MIN_PHONE_DIGITS_WITH_COUNTRY_CODE = 9;
const MAX_DIGITS = 15;
/** Maximum number of digits that are dialled before a phone number: `011` and two digits of a carrier. */
const MAX_PREFIX = 5;
/** Matches ten digits as in North America. `NORTH_AMERICAN` is stricter: the exchange must begin with 2 to 9, too. */
const TEN_DIGITS = /^[2-9]\d{9}$/;
const NORTH_AMERICAN = /^[2-9]\d{2}[2-9]\d{6}$/;
const NORTH_AMERICAN_LENGTH = 10;
const NOT_DIGIT = /[^0-9]+/g;
const PLAIN_DIGITS = /^[0-9]+$/;
/** Matches texts that certainly contain no extension, remark or second number. Most phone numbers match. */
const NUMBER_ONLY = /^\+?[\d .-]+$/;
/** Matches a text up to its seventh digit. */
const FIRST_DIGITS = /^(?:\P{Nd}*\p{Nd}){7}/u;
/** Matches the start of an extension (`x12`, `;ext=12`, `#12`, `DW 12`), or of digits that are dialled after a pause (`,,12#`, `p12`, `w12`). */
const EXTENSION =
  /[;,\s]{0,3}(?:(?<!\p{L})(?:ext|extension|extn|dw|durchwahl|nebenstelle|nst|app|apparat|klappe|opt|option|poste|int|interno|wew|ramal|anexo|toestel|tst|anknytning|dahili|вн|доб|转|轉|分机|分機|内線|내선)(?!\p{L})|(?<=\p{Nd}\s{0,3})x(?=[\s.]{0,3}\p{Nd})|#|,,|(?<=\p{Nd})[pw](?=\p{Nd}))/iu;
/** Matches a numbered label before a phone number: `Tel. 2: 030 23125014`. The digits of `Tel. 02.1234567` are all part of the phone number. */
const NUMBERED_LABEL = /^\p{L}[\p{L}. ]{0,20}[1-9] ?(?:[:)]|\.(?!\d))/u;
/** Matches the last digits of a second number, which replace those of the first: `/89` in `030 5550188/89`. */
const OTHER_END = /[/,] ?(\d{1,4})$/;
/** Matches a plus sign (ASCII, full-width or small) at the start, also after "tel:" or an opening bracket. */
const INTERNATIONAL = /^[^0-9+＋﹢]*[+＋﹢]/;

const ASSIGNED_AREAS = new Map<string, boolean>();

/**
 * Normalises one phone number: formatted text of a record, or the digits that a caller submitted. Returns null if the number, country code included, has
 * fewer than 7 digits or more than 15, or lacks its area code. `standardized` and the keys of type `phone` are E.164 (`+14155550100`). A number
 * without `+` and without international prefix (`00`, `011`) is read in the region (ISO code), or in the first of several regions that fits. Bare
 * digits may have lost their `+` and then have two meanings, a domestic and a foreign number (`6561234567`): the likelier one is `standardized`, and
 * both are keys. It is the domestic number, unless that has too many digits, or a zero follows the country code (`+49 (0)171 …`). Extensions are removed. Ten digits or more that fit no numbering plan become `+digits`.
 */
export function normalisePhone(
  input: string,
  region: string | readonly string[] = 'US',
): EmailOrPhoneContact | null {
  let digits = input;
  let international = false;
  if (!PLAIN_DIGITS.test(input)) {
    const written = removePhoneExtension(toAsciiDigits(input).trim());
    international = INTERNATIONAL.test(written);
    digits = written.replace(NOT_DIGIT, '');
  }
  if (digits.length > MAX_DIGITS + MAX_PREFIX) return null;
  const readings = international
    ? [toInternational(digits)]
    : readDomestic(digits, typeof region === 'string' ? [region] : region);
  const numbers = readings.filter(hasValidLength);
  const [first] = numbers;
  if (first === undefined) return null;
  const keys = numbers.map((number): LookupKey => ({ type: 'phone', text: number }));
  return { kind: 'phone', input, standardized: first, keys, signature: null };
}

/**
 * Returns the ISO codes of the countries in which a number without a country code is valid; only `region` if it is valid there. Null if the number
 * has a country code, even without the plus sign (`49 30 1234567`).
 */
export function findCountriesOfPhoneNumber(input: string, region: string): string[] | null {
  const written = removePhoneExtension(toAsciiDigits(input).trim());
  const digits = written.replace(NOT_DIGIT, '');
  if (INTERNATIONAL.test(written) || prefixLength(digits) > 0) return null;
  if (isValidNational(digits, region)) return [region];
  if (isInNumberingPlan(digits)) return null;
  return [...CALLING_CODE_BY_COUNTRY.keys()].filter((country) => isValidNational(digits, country));
}

/** True if digits without a country code are a valid number in a country (ISO code). */
export function isValidNational(digits: string, country: string): boolean {
  if (CALLING_CODE_BY_COUNTRY.get(country) !== '1') return findValid(digits, country) !== undefined;
  const national = digits.slice(-NORTH_AMERICAN_LENGTH);
  return (
    /^1?\d{10}$/.test(digits) && NORTH_AMERICAN.test(national) && isAssignedAreaCode(national.slice(0, 3))
  );
}

/** Removes the extension of a phone number, and all text after it. An extension begins after the seventh digit. */
export function removePhoneExtension(text: string): string {
  if (text.length > MAX_PHONE_TEXT || NUMBER_ONLY.test(text)) return text;
  const start = FIRST_DIGITS.exec(text)?.[0].length;
  if (start === undefined) return text;
  const extension = text.slice(start - 1).search(EXTENSION);
  return extension < 0 ? text : text.slice(0, start - 1 + extension);
}

const countDigits = (text: string): number => text.replace(/\P{Nd}/gu, '').length;

/**
 * Removes from a phone number: the extension, a remark, the end of a second number, and a decimal zero. A remark may contain times
 * (`0341 5550142 nach 18 Uhr`). Null if other digits follow a word, because they may belong to the number or be a second one.
 */
export function removePhoneRemarks(text: string): string | null {
  const whole = withoutDecimalZero(text);
  if (text.length > MAX_PHONE_TEXT || NUMBER_ONLY.test(whole)) return whole;
  let number = whole.replace(NUMBERED_LABEL, '').trim();
  const cutAt = (index: number) => {
    const head = number.slice(0, index).trim();
    if (countDigits(head) >= MIN_PHONE_DIGITS) number = head;
  };
  const remark = /\([^()]*\)$/.exec(number);
  if (remark && countDigits(remark[0]) < (/\p{L}/u.test(remark[0]) ? MIN_PHONE_DIGITS : 3))
    cutAt(remark.index);
  number = removePhoneExtension(number).trim();
  const end = OTHER_END.exec(number);
  if (end && isEndOfOther(end[1] ?? '', number.slice(0, end.index))) cutAt(end.index);
  const start = Math.max(number.search(/\p{Nd}/u), 0);
  const word = number.slice(start).search(/\p{L}/u);
  const remarkAfter = word < 0 ? '' : number.slice(start + word);
  if (countDigits(remarkAfter) === 0) return number;
  const head = number.slice(0, start + word).trim();
  // A time (18 Uhr, 9-17h, 18:30) has at most two digits in a row.
  const isWhole = countDigits(head) >= MIN_PHONE_DIGITS_WITH_COUNTRY_CODE;
  return isWhole && !/\p{Nd}{3}/u.test(remarkAfter) ? head : null;
}

/** True if the digits after the last slash or comma are the end of a second number. False if they belong to the first number: `030/55501/88`. */
function isEndOfOther(end: string, number: string): boolean {
  const group = number.slice(Math.max(number.lastIndexOf('/'), number.lastIndexOf(',')) + 1);
  const digits = countDigits(number) - (/^\D*00/.test(number) ? 2 : 0);
  const isLong = digits >= (end.length > 2 ? MIN_PHONE_DIGITS_WITH_COUNTRY_CODE : MIN_PHONE_DIGITS);
  return isLong && countDigits(group) > end.length + 3;
}

/** Digits of a submitted phone number. `hasExtension` is true if an extension followed them. */
export interface PhoneDigitsWithExtensionFlag {
  digits: string;
  hasExtension: boolean;
}

/** Parses a submitted phone number: removes extensions and remarks as in imported records, and then all characters except digits. */
export function parsePhoneDigits(sent: string): PhoneDigitsWithExtensionFlag {
  const whole = toAsciiDigits(sent);
  const number = removePhoneExtension(whole);
  const digits = (removePhoneRemarks(number) ?? number).replace(NOT_DIGIT, '');
  // A remark such as "(no app)" is no extension.
  return { digits, hasExtension: /\d/.test(whole.slice(number.length)) };
}

/** Minimum number of digits of a phone in a check. */
export const MIN_PHONE_DIGITS_OF_CHECK = 10;

/** True for 10 to 15 digits, which a check accepts as a phone number. */
export const hasPhoneLengthForCheck = ({ digits }: PhoneDigitsWithExtensionFlag): boolean =>
  digits.length >= MIN_PHONE_DIGITS_OF_CHECK && digits.length <= MAX_DIGITS;

const GERMANY = '+49';
/** Maximum number of digits of a German national number (Bundesnetzagentur). The tables of libphonenumber contain none for Germany. */
const MAX_GERMAN_DIGITS = 11;

/**
 * Returns the number that a record most likely means: the first of the E.164 numbers of `normalisePhone`. Null for eleven German digits, because a
 * spreadsheet may have dropped the plus sign or the first zero: either is possible. Eleven digits that begin with 1 are taken for a German mobile number
 * without its zero.
 */
export function findLikeliestPhoneNumber([likeliest, other = '']: readonly string[]): string | null {
  const mayLackZero =
    likeliest === `${GERMANY}${other.slice(1)}` &&
    other.length === 1 + MAX_GERMAN_DIGITS &&
    !other.startsWith('+1');
  return mayLackZero ? null : (likeliest ?? null);
}

/** True if an E.164 number with its plus sign is neither too short nor too long. */
const hasValidLength = (number: string): boolean =>
  number.length > MIN_PHONE_DIGITS && number.length <= MAX_DIGITS + 1;

/** Converts digits that begin with a country code to E.164. Removes the 1 that Mexican mobiles had after +52 until 2020. */
function toInternational(digits: string): string {
  if (isInNumberingPlan(digits)) return `+${digits}`;
  if (digits.startsWith('521') && digits.length === 13) return `+52${digits.slice(3)}`;
  return (
    (mayLibphonenumberAcceptDigits(digits) ? parseWithLibrary(`+${digits}`, undefined) : undefined) ??
    `+${digits}`
  );
}

/** Returns all E.164 numbers that digits without a country code may mean, the most likely first. */
function readDomestic(digits: string, given: readonly string[]): string[] {
  const prefix = prefixLength(digits);
  if (prefix > 0) return [toInternational(digits.slice(prefix))];
  const regions = given.filter((region) => !isLocalNumber(digits, region));
  if (regions.length === 0) return [];
  for (const region of regions) {
    const readings =
      CALLING_CODE_BY_COUNTRY.get(region) === '1' ? readNorthAmerican(digits) : readNational(digits, region);
    if (readings.length > 0) return readings;
  }
  const number = toInternational(digits);
  if (isInNumberingPlan(number.slice(1))) return [number];
  const possible = findPossible(digits, regions);
  if (possible !== undefined) return [possible];
  return digits.length < NORTH_AMERICAN_LENGTH ? [] : [number];
}

/**
 * Number of digits up to which a number without the national prefix lacks its area code, even if it is valid: in `23125014`, the first digits may be an
 * area code that lost its zero in a spreadsheet, or digits of a number in Berlin. Countries that are not listed have `USUAL_LOCAL_DIGITS`.
 */
const MAX_LOCAL_DIGITS = new Map([
  ['BR', 9],
  ['CN', 8],
  ['DE', 8],
]);
const USUAL_LOCAL_DIGITS = 7;

/** True for digits that lack their area code in a region (ISO code), such as `555-0100`. */
function isLocalNumber(digits: string, region: string): boolean {
  const isLocalLength = digits.length <= (MAX_LOCAL_DIGITS.get(region) ?? USUAL_LOCAL_DIGITS);
  const mayBeLocal = digits.length <= USUAL_LOCAL_DIGITS + 1 && CALLING_CODE_BY_COUNTRY.get(region) !== '1';
  // The library is slow, and most numbers are longer.
  if (!isLocalLength && !mayBeLocal) return false;
  return (
    isTooShort(digits, region) ||
    (mayLackAreaCode(digits, region) && (isLocalLength || findValid(digits, region) === undefined))
  );
}

/** True for a phone number that no region can be read in, because it lacks its area code. */
export function isPhoneWithoutAreaCode(input: string, regions: readonly string[]): boolean {
  const digits = toAsciiDigits(input).replace(NOT_DIGIT, '');
  return (
    digits.length >= MIN_LOCAL_DIGITS &&
    !INTERNATIONAL.test(input) &&
    regions.every((region) => isLocalNumber(digits, region))
  );
}

const isTooShort = (digits: string, region: string): boolean =>
  CALLING_CODE_BY_COUNTRY.get(region) === '1'
    ? digits.length < NORTH_AMERICAN_LENGTH
    : CALLING_CODE_BY_COUNTRY.has(region) &&
      validatePhoneNumberLength(digits, region as CountryCode) === 'TOO_SHORT';

/**
 * Returns a number whose length is right for one of the regions, although no numbering plan contains it: it is fictional, or newer than the tables.
 * Undefined if there is none.
 */
function findPossible(digits: string, regions: readonly string[]): string | undefined {
  for (const region of regions) {
    if (digits.length < MIN_PHONE_DIGITS || isTooShort(digits, region)) continue;
    const plain = parseNationalNumber(digits, region);
    if (plain?.possible) return plain.possible;
    if (plain) continue;
    const number = parsePhoneNumberFromString(digits, region as CountryCode);
    if (number?.isPossible() === true) return number.number;
  }
  return undefined;
}

function readNorthAmerican(digits: string): string[] {
  if (digits.length === 11 && digits.startsWith('1')) return [`+${digits}`];
  if (!TEN_DIGITS.test(digits)) return [];
  const domestic = `+1${digits}`;
  if (!isInNumberingPlan(digits)) return [domestic];
  const isDomesticLikely = NORTH_AMERICAN.test(digits) && isAssignedAreaCode(digits.slice(0, 3));
  return isDomesticLikely ? [domestic, `+${digits}`] : [`+${digits}`, domestic];
}

function findValid(digits: string, region: string): string | undefined {
  const plain = parseNationalNumber(digits, region);
  return plain ? (plain.valid ?? undefined) : parseWithLibrary(digits, region);
}

function readNational(digits: string, region: string): string[] {
  const domestic = findValid(digits, region);
  if (domestic === undefined) return [];
  if (digits.startsWith('0')) return [domestic];
  // In "+49 (0)171 …", the country code is followed by the zero of the domestic number.
  const foreign = toInternational(digits);
  if (domestic === foreign) return [domestic];
  const hasTrunkZero = foreign.length === digits.length && isInNumberingPlan(foreign.slice(1));
  if (!hasTrunkZero && !isInNumberingPlan(digits)) return [domestic];
  const isTooLong = domestic.startsWith(GERMANY) && domestic.length > GERMANY.length + MAX_GERMAN_DIGITS;
  return hasTrunkZero || isTooLong ? [foreign, domestic] : [domestic, foreign];
}

/** True if a North American area code is in use. The result is cached, so that the library is called once per code. */
function isAssignedAreaCode(area: string): boolean {
  let assigned = ASSIGNED_AREAS.get(area);
  if (assigned === undefined) {
    assigned = parsePhoneNumberFromString(`+1${area}2345678`)?.isValid() ?? false;
    ASSIGNED_AREAS.set(area, assigned);
  }
  return assigned;
}

/** Returns the length of the international prefix: 2 for 00 (most countries), 3 for 011 (North America), 0 without one. */
function prefixLength(digits: string): number {
  if (digits.startsWith('011') && isInNumberingPlan(digits.slice(3))) return 3;
  if (digits.startsWith('00') && isInNumberingPlan(digits.slice(2))) return 2;
  return 0;
}

/**
 * Returns the E.164 number if libphonenumber finds it valid; otherwise undefined. The library removes the leading zero of national numbers, except in
 * Italy.
 */
function parseWithLibrary(text: string, region: string | undefined): string | undefined {
  const number = parsePhoneNumberFromString(text, region as CountryCode | undefined);
  return number?.isValid() === true ? number.number : undefined;
}
