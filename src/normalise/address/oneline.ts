import type { Address } from '../../model.ts';
import { foldToAscii, toAsciiDigits } from '../text.ts';
import { findState, isUsPlace, toCountryCode } from './place.ts';
import { areUnitsStartingWithHousePart, isUnitWord } from './unit.ts';
import {
  DIRECTIONALS,
  STREET_TYPE_PREFIXES,
  STREET_TYPE_SUFFIXES,
  UNIT_MARKS,
  UNIT_MARKS_AFTER_NUMBER,
  UNIT_WORDS_AFTER_NUMBER,
} from './words.ts';

const TRAILING_ZIP = /[ ,]+(\d{5}(?:-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z0-9]? ?\d[A-Z]{2})$/;
/** Matches a postcode before a city: `56422 Dusseldorf`, `FL-2198 Triesen`, `1012 AB Amsterdam`. */
const LEADING_ZIP = /^(?:[A-Z]{1,2}-)?(\d{4,6}(?: [A-Z]{2})?) (\D{2,})$/;

/** Matches a part that is only a postcode: `10115`, `02139-4307`, `1012 AB`, `00-950`, `111 22`, `1000-205`, `M5K 1A2`, `SW1A 1AA`. */
const LONE_ZIP =
  /^(?:[A-Z]{1,2}-)?(?:\d{5}(?:-\d{3,4})?|\d{4}(?:-\d{3}| [A-Z]{2})?|\d{6}|\d{2}-\d{3}|\d{3} \d{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z0-9]? ?\d[A-Z]{2})$/;
/** Matches a city with its postcode, which may also come before a street: `10115 BERLIN`, `01650 WORCESTER MA`, `WORCESTER MA 01650`. */
const PLACE_WITH_ZIP = /^(?:(?:[A-Z]{1,2}-)?\d{4,6} \D+|\D+ \d{4,6})$/;
/** Matches postcodes whose form no other number before a city has: `1012 AB`, `00-950`, `111 22`, `1000-205`, `M5K 1A2`, `SW1A 1AA`. */
const DISTINCT_ZIP =
  /^(?:\d{4}(?:-\d{3}| [A-Z]{2})|\d{2}-\d{3}|\d{5}-\d{3}|\d{3} \d{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z0-9]? ?\d[A-Z]{2})$/;
const US_ZIP = /^\d{5}(?:-\d{4})?$/;
/**
 * Patterns of postcodes by country, without a prefix such as `A-`. If a country has the code of a US state, its pattern excludes the zip codes of
 * that state: those of Delaware (DE) begin with 197 to 199.
 */
const ZIP_OF_COUNTRY = new Map<string, RegExp>(
  (
    [
      ['AT AU BE BG CH DK HU LI LU NO NZ SI ZA', /^\d{4}$/],
      ['EE ES FI FR HR IT LT MX TR UA', /^\d{5}$/],
      ['CZ GR SE SK', /^\d{3} ?\d{2}$/],
      ['AR', /^[A-Z]?\d{4}(?:[A-Z]{3})?$/],
      ['BR', /^\d{5}-?\d{3}$/],
      ['CA', /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/],
      ['DE', /^(?!19[7-9])\d{5}$/],
      ['GB', /^[A-Z]{1,2}\d[A-Z0-9]? ?\d[A-Z]{2}$/],
      ['IE', /^[A-Z]\d[\dW] ?[A-Z\d]{4}$/],
      ['IN', /^\d{3} ?\d{3}$/],
      ['JP', /^\d{3}-\d{4}$/],
      ['NL', /^\d{4} ?[A-Z]{2}$/],
      ['PL', /^\d{2}-\d{3}$/],
      ['PT', /^\d{4}-\d{3}$/],
      ['RO SG', /^\d{6}$/],
      ['US', US_ZIP],
    ] as const
  ).flatMap(([codes, pattern]) => codes.split(' ').map((code) => [code, pattern] as const)),
);
const STREET_WITH_NUMBER = /^(?=.*\d).*[^\W\d_]{3}/;

/**
 * Splits an address on one line (`123 Main Street, Las Vegas NV 89132`) into its parts. The address must be in upper case. Fills only missing parts,
 * and returns an address that has a city unchanged. City, postcode and state may be in any order; the street may come last.
 */
export function splitOneLineAddress(address: Address): Address {
  if (address.city !== '' || address.street === '') return address;
  const split = { ...address };
  const parts = toAsciiDigits(address.street)
    .split(/ *[,;،、\n] */)
    .filter((part) => part !== '');
  if (parts.length > 1 && split.country === '') takeCountry(parts, split);
  const isZipTaken = takeZipOfCountry(parts, split);
  moveStreetToFront(parts, split);
  if (!isZipTaken && !takeLoneZip(parts, split)) takeZip(parts, split);
  if (split.zip !== '') moveStateToEnd(parts, split);
  const stated = takeState(parts, split);
  if (parts.length > 1) takeCity(parts, split, stated);
  else if (stated) takeCityAfterSuffix(parts, split);
  split.street = parts.join(', ');
  return split;
}

/** Matches a postcode of digits. Such a number in the city of an address without a country is taken for its postcode. */
const ZIP_OF_DIGITS = /^\d{4,6}(?:-\d{4})?$/;

/**
 * Moves a postcode in the field `city` to the field `zip`, and a state beside it to `state`: `04107 LEIPZIG`, `MADRID 28013`, `SPRINGFIELD, IL
 * 62701`. Returns the address unchanged if its `zip` is another postcode. The address must be in upper case. `code` is the ISO code of its country,
 * or empty.
 */
export function moveZipFromCity(address: Address, code: string): Address {
  const { city, zip } = address;
  if (!/\d/.test(city)) return address;
  const pattern = ZIP_OF_COUNTRY.get(code);
  const found = pattern
    ? splitZip(city, pattern)
    : (splitZip(city, DISTINCT_ZIP) ?? splitZip(city, ZIP_OF_DIGITS));
  if (!found || found.rest === '') return address;
  if (zip !== '' && zip.replaceAll(' ', '') !== found.zip.replaceAll(' ', '')) return address;
  const moved = { ...address, city: found.rest.replace(/,$/, ''), zip: zip || found.zip };
  return moveStateFromCity(moved, code);
}

/**
 * Moves a state code at the end of the field `city` to the field `state`, if the postcode is one of the state's country, or in the US one of the
 * state.
 */
function moveStateFromCity(address: Address, code: string): Address {
  const words = address.city.split(/[ ,]+/);
  const state = address.state === '' && words.length > 1 ? findState(words.at(-1) ?? '', code) : undefined;
  if (!state || state.code !== words.at(-1)) return address;
  const isPlace =
    state.country === 'US'
      ? isUsPlace(state.code, address.zip)
      : ZIP_OF_COUNTRY.get(state.country)?.test(address.zip) === true;
  return isPlace ? { ...address, city: words.slice(0, -1).join(' '), state: state.code } : address;
}

/** Moves the country from `parts` to `split`: the last part, or the first one if other parts have a city and a postcode of this country. */
function takeCountry(parts: string[], split: Address): void {
  for (const index of [parts.length - 1, 0]) {
    const text = parts[index] ?? '';
    const others = parts.toSpliced(index, 1);
    const code = toCountryCode(text);
    const isState = text.length <= 3 && findState(text, '') !== undefined;
    // GE may be the state or the country Georgia. The country counts only in its own field.
    if (code === '' || code === 'GE') continue;
    if ((isState || index === 0) && !isPlaceOfCountry(others, code)) continue;
    split.country = code;
    parts.splice(index, 1);
    return;
  }
}

/**
 * True if one part has a postcode of the country and another part is a place. False if the parts have a US state with its zip code instead: `MEXICO,
 * MO 65265`.
 */
function isPlaceOfCountry(parts: readonly string[], country: string): boolean {
  const pattern = ZIP_OF_COUNTRY.get(country);
  if (pattern === undefined || (country !== 'US' && hasUsStateAndZip(parts))) return false;
  const isZipOf = (part: string, index: number) => {
    const found = splitZip(part, pattern);
    return found !== null && (found.rest === '' || index > 0 || isStreet(parts.at(-1) ?? ''));
  };
  return parts.some(isZipOf) && parts.some((part) => !/\d/.test(part) || splitZip(part, pattern)?.rest);
}

/** True if the parts contain a US state and one of its zip codes, in the same part or in two parts. */
function hasUsStateAndZip(parts: readonly string[]): boolean {
  const found = parts.map((part) => splitZip(part, US_ZIP) ?? { zip: '', rest: part });
  return found.some(({ rest }) => {
    const state = findState(rest, 'US');
    return state !== undefined && found.some(({ zip }) => isUsPlace(state.code, zip));
  });
}

const hasStreetWithNumber = (part: string): boolean => STREET_WITH_NUMBER.test(foldToAscii(part));

const toUpperCaseAscii = (part: string): string => foldToAscii(part).toUpperCase();

/** Returns the first word of an upper-case ASCII text, without the full stop: `KV` of `KV. 3`. */
const getFirstWord = (text: string): string => /^[A-Z#-]+/.exec(text)?.[0] ?? '';

/** True for a part that begins with the mark of a unit (`ESC. B`, `КВ. 3`), or names a part of a house (`EG LINKS`, `ST. TV`). */
function isUnit(part: string): boolean {
  const text = toUpperCaseAscii(part);
  const word = getFirstWord(text);
  if (UNIT_MARKS.has(word)) return true;
  const words = text.split(/[ .]+/);
  if (areUnitsStartingWithHousePart(words.filter((one) => one !== ''))) return true;
  const [, door = ''] = words;
  const isDoor = /^[A-Z]$/.test(door) || UNIT_WORDS_AFTER_NUMBER.has(door);
  return isDoor && (word === 'ST' || UNIT_MARKS_AFTER_NUMBER.has(word) || UNIT_WORDS_AFTER_NUMBER.has(word));
}

const isStreet = (part: string): boolean =>
  hasStreetWithNumber(part) && !LONE_ZIP.test(part) && !isUnit(part);

/**
 * Splits a part with a postcode at its start or end into the postcode, without its prefix, and the city: `10115 BERLIN`, `WIEN 1010`. The city is
 * empty if the part is only a postcode. Null if the part has no postcode, or a street or another number beside it.
 */
function splitZip(
  part: string,
  pattern: RegExp,
  atEnd = true,
): { zip: string; rest: string; isFirst: boolean } | null {
  const words = part.split(' ');
  for (const count of [1, 2])
    for (const isFirst of atEnd ? [true, false] : [true]) {
      const cut = isFirst ? count : -count;
      const [head, tail] = [words.slice(0, cut), words.slice(cut)];
      const [written, rest] = isFirst ? [head, tail] : [tail, head];
      const zip = written.join(' ').replace(/^[A-Z]{1,2}-/, '');
      if (!pattern.test(zip) || rest.some((word) => /\d/.test(word))) continue;
      if (!UNIT_MARKS.has(rest[0] ?? '') && !STREET_TYPE_SUFFIXES.has(rest.at(-1) ?? ''))
        return { zip, rest: rest.join(' '), isFirst };
    }
  return null;
}

/**
 * Moves a postcode from `parts` to `split`. The postcode is a whole part, or stands beside the city in a part. It must have the form of the country;
 * without a country, only an unmistakable postcode before a city is moved. Returns true if a postcode was moved.
 */
function takeZipOfCountry(parts: string[], split: Address): boolean {
  const pattern = split.country === '' ? DISTINCT_ZIP : ZIP_OF_COUNTRY.get(split.country);
  if (split.zip !== '' || split.country === 'US' || pattern === undefined) return false;
  const found = parts.map((part) => splitZip(part, pattern, split.country !== ''));
  const index = found.findLastIndex(
    (one, i) =>
      one !== null &&
      parts.some((part, other) => other !== i && (isStreet(part) || beginsWithStreetType(part))),
  );
  const one = found[index];
  if (!one) return false;
  split.zip = /^\d/.test(one.zip) ? one.zip.replace(' ', '') : one.zip;
  // With a state, the rules for states find the city.
  const hasState = [...parts, one.rest.split(' ').at(-1) ?? ''].some(
    (text) => text.length <= 3 && findState(text, split.country) !== undefined,
  );
  const isCity = one.isFirst && !hasState;
  if (isCity) split.city = one.rest;
  parts.splice(index, 1, ...(isCity || one.rest === '' ? [] : [one.rest]));
  return true;
}

/**
 * Moves a street that follows its place to the front: `Berlin, 10115, Hauptstr. 5`, `г. Москва, ул. Ленина, д. 12, кв. 3`. The place must have a
 * postcode, or the street begin with its street type.
 */
function moveStreetToFront(parts: string[], { zip }: Address): void {
  const isZip = (part: string) => LONE_ZIP.test(part) || PLACE_WITH_ZIP.test(part);
  let start = parts.findIndex(
    (part, index) =>
      beginsWithStreetType(part) ||
      (/^\d{1,4}$/.test(part) && beginsWithStreetType(parts[index + 1] ?? '')) ||
      (index > 0 && hasStreetWithNumber(part) && !isZip(part) && !isUnit(part)),
  );
  while (start > 1 && isUnit(parts[start - 1] ?? '')) start -= 1;
  const place = parts.slice(0, start);
  const street = parts.slice(start);
  if (start < 1 || !place.every((part) => !isUnit(part) && (!/\d/.test(part) || isZip(part)))) return;
  if (zip === '' && !place.some(isZip) && !street.some(beginsWithStreetType)) return;
  if (
    !hasStreetWithNumber(street.join(' ')) ||
    !street.every((part) => isStreetOrUnit(part) || beginsWithStreetType(part))
  )
    return;
  parts.splice(0, parts.length, ...street, ...place);
}

/** True for a part of a street line: it has a digit, or is a unit such as `ESC. B`. */
const isStreetOrUnit = (part: string): boolean => /\d/.test(part) || isUnit(part);

const beginsWithStreetType = (part: string): boolean => {
  const word = getFirstWord(toUpperCaseAscii(part));
  return (
    /^\S+[ /.]/.test(part) &&
    (word.length > 1 || /[/.]/.test(part[1] ?? '')) &&
    STREET_TYPE_PREFIXES.has(word)
  );
};

/**
 * Moves a postcode from `parts` to `split`: one that is a part of its own, or that precedes the city and is not at the end. Returns true if one was
 * moved.
 */
function takeLoneZip(parts: string[], split: Address): boolean {
  if (parts.length < 3 || split.zip !== '') return false;
  const end = parts.length - 1;
  const index = parts.findLastIndex(
    (part, i) =>
      i > 0 &&
      (LONE_ZIP.test(part) || (i < end && LEADING_ZIP.test(part))) &&
      parts.slice(0, i).some((before) => /\d/.test(before)) &&
      !parts.slice(i).some((after) => STREET_TYPE_SUFFIXES.has(after.split(' ').at(-1) ?? '')),
  );
  const part = parts[index] ?? '';
  // The rules for the usual order read a postcode at the end.
  if (index < 0 || (index === end && TRAILING_ZIP.test(` ${part}`))) return false;
  const [, zip = part, city] = LONE_ZIP.test(part) ? [] : (LEADING_ZIP.exec(part) ?? []);
  split.zip = /^\d/.test(zip) ? zip.replace(' ', '') : zip;
  parts.splice(index, 1, ...(city === undefined ? [] : [city]));
  return true;
}

/** Moves a state code that precedes the city to the end of the parts: `123 Main St, MA, Worcester`. */
function moveStateToEnd(parts: string[], { country }: Address): void {
  const isState = (part: string) => /^[A-Z]{2,3}$/.test(part) && findState(part, country) !== undefined;
  const index = parts.findIndex((part, i) => i > 0 && isState(part));
  if (index > 0 && !parts.slice(index + 1).some(isState)) parts.push(...parts.splice(index, 1));
}

function takeZip(parts: string[], split: Address): void {
  const last = parts.at(-1) ?? '';
  const match = TRAILING_ZIP.exec(` ${last}`);
  if (match !== null) {
    const rest = ` ${last}`.slice(0, match.index).trim();
    // The last number of a single line may be the house number. It is a postcode only if a house number comes before it.
    if (parts.length === 1 && !/^\S*\d/.test(rest)) return;
    if (split.zip === '') split.zip = match[1] ?? '';
    parts[parts.length - 1] = rest;
    if (rest === '') parts.pop();
    return;
  }
  const european = parts.length > 1 ? LEADING_ZIP.exec(last) : null;
  if (european === null || (european[2] ?? '').split(' ').some((word) => STREET_TYPE_SUFFIXES.has(word)))
    return;
  if (split.zip === '') split.zip = (european[1] ?? '').replace(' ', '');
  split.city = european[2] ?? '';
  parts.pop();
}

/**
 * Moves the state at the end of `parts` to `split`: the whole last part, or its last one to three words. Returns true if the address then has a
 * state.
 */
function takeState(parts: string[], split: Address): boolean {
  const last = parts.at(-1);
  if (last === undefined || split.state !== '' || split.city !== '') return split.state !== '';
  const words = last.split(' ');
  for (let count = Math.min(3, words.length); count > 0; count -= 1) {
    const written = words.slice(-count).join(' ');
    const state = findState(written, split.country);
    if (state === undefined) continue;
    // In "12 Main Ct", CT is a street type: without a postcode there is no sign of a state.
    if (
      parts.length === 1 &&
      split.zip === '' &&
      (count < words.length - 4 || STREET_TYPE_SUFFIXES.has(written))
    )
      return false;
    split.state = state.code;
    words.splice(-count);
    if (words.length > 0) parts[parts.length - 1] = words.join(' ');
    else parts.pop();
    return true;
  }
  return false;
}

/** Matches a region's code of two letters, with or without a postcode. */
const REGION = /^[A-Z]{2}(?: \d{5,6})?$/;

function takeCity(parts: string[], split: Address, stated: boolean): void {
  if (split.city !== '' || parts.length === 0) return;
  const last = parts.at(-1) ?? '';
  // "Level Green, PA" and "Casa Grande, AZ" are towns.
  const isTownWithState = stated && /^\D+$/.test(last) && !last.split(' ').every(isUnitWord);
  // In "…, Loughborough, Leicestershire, LE11 1UU", the part after the street is the town, and a county follows it.
  const street = parts.findIndex((part) => /\d/.test(part));
  const town = parts.findIndex(
    (part, index) =>
      index > Math.max(street, 0) &&
      /^\D+$/.test(part) &&
      (!isUnit(part) || (isTownWithState && index === parts.length - 1)) &&
      !beginsWithStreetType(part),
  );
  // PB is a floor in Spain, and after a town a state of Brazil.
  const isRegion = town >= 0 && REGION.test(last);
  if (parts.length === 1 || /^[\d#]/.test(last) || (isUnit(last) && !isRegion && !isTownWithState)) {
    if (stated || split.zip !== '') takeCityAfterSuffix(parts, split);
    return;
  }
  if (town >= 0) [split.city = ''] = parts.splice(town);
}

/**
 * Moves the city at the end of a street line without commas to `split`: the words after the street type, directional and unit (`9304 W 15th St La
 * Blanca`).
 */
function takeCityAfterSuffix(parts: string[], split: Address): void {
  const words = (parts.at(-1) ?? '').split(' ');
  let at = words.findLastIndex(
    (word, index) => index > 1 && index < words.length - 1 && STREET_TYPE_SUFFIXES.has(word.replace('.', '')),
  );
  if (at < 0) return;
  while (
    at + 1 < words.length - 1 &&
    DIRECTIONALS.has(words[at + 1] ?? '') &&
    (words[at + 1] ?? '').length <= 2
  )
    at += 1;
  const cityStart =
    words[at + 1] === '#' || UNIT_MARKS.has(words[at + 1] ?? '')
      ? at + 3
      : (words[at + 1] ?? '').startsWith('#')
        ? at + 2
        : at + 1;
  const city = words.slice(cityStart);
  if (city.length === 0 || city.some((word) => /[\d#]/.test(word) || UNIT_MARKS.has(word))) return;
  split.city = city.join(' ');
  parts[parts.length - 1] = words.slice(0, cityStart).join(' ');
}
