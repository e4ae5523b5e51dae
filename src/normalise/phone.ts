import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { NormalisedValue } from '../model.ts';
import { CALLING_CODES, isKnownNumber, mayBeKnownNumber, parseNationalNumber } from './numbering.ts';
import { toAsciiDigits } from './text.ts';

const MIN_DIGITS = 7;
const MAX_DIGITS = 15;
/** Longest of the prefixes that may stand in front: `011`, and a carrier's two digits. */
const MAX_PREFIX = 5;
/** Ten digits as North America writes them, and the stricter rule that area code and exchange both start with 2-9. */
const TEN_DIGITS = /^[2-9]\d{9}$/;
const NORTH_AMERICAN = /^[2-9]\d{2}[2-9]\d{6}$/;
const NOT_DIGIT = /[^0-9]+/g;
const PLAIN_DIGITS = /^[0-9]+$/;
/** `x12`, `ext. 12`, `#12`, `;ext=12` and what follows: the way to a desk, not part of the line's number. */
const EXTENSION = /(?:;|,|\s)*(?:\bext(?:ension|n)?\b|(?<=\d\s*)x(?=[\s.]*\d)|#|доб)[\s.:=#]*\d*\s*$/iu;
const LONGEST_END = 100;
/** The plus sign in its ASCII, full-width and small forms, perhaps in front of it "tel:" or an opening bracket. */
const INTERNATIONAL = /^[^0-9+＋﹢]*[+＋﹢]/;

const ASSIGNED_AREAS = new Map<string, boolean>();

/**
 * Reads one phone number: formatted text as records hold it, or the bare digits of a claim.
 *
 * `standardized` and the form `phone` are E.164 (`+14155550100`). A number with neither `+` nor an international
 * prefix (`00`, `011`) is read in the default region (ISO code), or in the first of several regions that it fits. Bare digits whose `+` may have been stripped can be two numbers,
 * one at home and one abroad (`6561234567`): the home reading comes first, the other is a second `phone` form.
 * Extensions are dropped. Digits that no numbering plan knows still give `+digits`.
 *
 * @returns null where the number, country code included, has fewer than 7 digits or more than 15.
 */
export function normalisePhone(
  text: string,
  region: string | readonly string[] = 'US',
): NormalisedValue<string> | null {
  let digits = text;
  let international = false;
  if (!PLAIN_DIGITS.test(text)) {
    const written = removeExtension(toAsciiDigits(text).trim());
    international = INTERNATIONAL.test(written);
    digits = written.replace(NOT_DIGIT, '');
  }
  if (digits.length > MAX_DIGITS + MAX_PREFIX) return null;
  const readings = international
    ? [abroad(digits)]
    : atHome(digits, typeof region === 'string' ? [region] : region);
  const numbers = readings.filter(isOfLength);
  const [first] = numbers;
  if (first === undefined) return null;
  return { standardized: first, keys: numbers.map((number) => ({ type: 'phone', text: number })) };
}

/** A number as it was written, without the way to a desk behind it. Only the end is searched: the pattern takes quadratic time. */
export function removeExtension(text: string): string {
  return text.slice(0, -LONGEST_END) + text.slice(-LONGEST_END).replace(EXTENSION, '');
}

const GERMANY = '+49';
/** No longer number is handed out in Germany (Bundesnetzagentur), though the table that numbers are read by has no end there. */
const LONGEST_GERMAN = 11;

/**
 * The reading of a number that a record is taken to mean: the first, but for a German one that is too long, as of `491712345678`: spreadsheets
 * take the plus sign from what says its country. Null where it may as well be a number that has lost its first zero.
 *
 * @param readings E.164, the likeliest first; see `normalisePhone`
 */
export function likeliestNumber([home, abroad]: readonly string[]): string | null {
  if (home === undefined || abroad === undefined || home !== `${GERMANY}${abroad.slice(1)}`)
    return home ?? null;
  const digits = abroad.length - 1;
  if (digits > LONGEST_GERMAN) return abroad;
  // Those of mobiles begin with 1, and are as long.
  return digits === LONGEST_GERMAN && !abroad.startsWith('+1') ? null : home;
}

/** Whether a number, its plus sign counted too, is neither too short nor too long. */
const isOfLength = (number: string): boolean => number.length > MIN_DIGITS && number.length <= MAX_DIGITS + 1;

/** A number that says its country. Old Mexican mobiles carried a 1 after +52 until 2020: the same line without it. */
function abroad(digits: string): string {
  if (isKnownNumber(digits)) return `+${digits}`;
  if (digits.startsWith('521') && digits.length === 13) return `+52${digits.slice(3)}`;
  return (mayBeKnownNumber(digits) ? parse(`+${digits}`, undefined) : undefined) ?? `+${digits}`;
}

/** Every reading of digits that do not say their country, the likeliest first. */
function atHome(digits: string, regions: readonly string[]): string[] {
  const prefix = internationalPrefix(digits);
  if (prefix > 0) return [abroad(digits.slice(prefix))];
  for (const region of regions) {
    const readings = CALLING_CODES.get(region) === '1' ? northAmerican(digits) : national(digits, region);
    if (readings.length > 0) return readings;
  }
  const number = abroad(digits);
  if (isKnownNumber(number.slice(1))) return [number];
  return [possible(digits, regions) ?? number];
}

/** Of the right length for a region, though no plan hands it out: numbers kept for fiction, or newer than the table. */
function possible(digits: string, regions: readonly string[]): string | undefined {
  for (const region of regions) {
    const plain = parseNationalNumber(digits, region);
    if (plain?.possible) return plain.possible;
    if (plain) continue;
    const number = parsePhoneNumberFromString(digits, region as CountryCode);
    if (number?.isPossible() === true) return number.number;
  }
  return undefined;
}

function northAmerican(digits: string): string[] {
  if (digits.length === 11 && digits.startsWith('1')) return [`+${digits}`];
  if (!TEN_DIGITS.test(digits)) return [];
  const home = `+1${digits}`;
  if (!isKnownNumber(digits)) return [home];
  const likely = NORTH_AMERICAN.test(digits) && isAssigned(digits.slice(0, 3));
  return likely ? [home, `+${digits}`] : [`+${digits}`, home];
}

function national(digits: string, region: string): string[] {
  const plain = parseNationalNumber(digits, region);
  const home = plain ? plain.valid : parse(digits, region);
  if (!home) return [];
  return isKnownNumber(digits) && home !== `+${digits}` ? [home, `+${digits}`] : [home];
}

/** Whether a North American area code is in use; the library is asked once for each. */
function isAssigned(area: string): boolean {
  let assigned = ASSIGNED_AREAS.get(area);
  if (assigned === undefined) {
    assigned = parsePhoneNumberFromString(`+1${area}2345678`)?.isValid() ?? false;
    ASSIGNED_AREAS.set(area, assigned);
  }
  return assigned;
}

/** Length of a dialling prefix that says "abroad": 00 nearly everywhere, 011 from North America. */
function internationalPrefix(digits: string): number {
  if (digits.startsWith('011') && isKnownNumber(digits.slice(3))) return 3;
  if (digits.startsWith('00') && isKnownNumber(digits.slice(2))) return 2;
  return 0;
}

/** What the library makes of it, where it is sure; it drops trunk zeros and keeps Italy's. */
function parse(text: string, region: string | undefined): string | undefined {
  const number = parsePhoneNumberFromString(text, region as CountryCode | undefined);
  return number?.isValid() === true ? number.number : undefined;
}
