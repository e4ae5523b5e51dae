import type { Address } from '../../model.ts';
import { toCountryCode, findState } from './place.ts';
import { DIRECTIONALS, STREET_TYPE_SUFFIXES, UNIT_DESIGNATORS } from './words.ts';

const TRAILING_ZIP = /[ ,]+(\d{5}(?:-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z0-9]? ?\d[A-Z]{2})$/;
/** Matches a postcode before a city: `56422 Dusseldorf`, `FL-2198 Triesen`, `1012 AB Amsterdam`. */
const LEADING_ZIP = /^(?:[A-Z]{1,2}-)?(\d{4,6}(?: [A-Z]{2})?) (\D{2,})$/;

/** Matches a part that is only a postcode: `10115`, `02139-4307`, `1012 AB`, `00-950`, `111 22`, `1000-205`, `M5K 1A2`, `SW1A 1AA`. */
const LONE_ZIP =
  /^(?:[A-Z]{1,2}-)?(?:\d{5}(?:-\d{3,4})?|\d{4}(?:-\d{3}| [A-Z]{2})?|\d{6}|\d{2}-\d{3}|\d{3} \d{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z0-9]? ?\d[A-Z]{2})$/;
/** Matches a place before a street: `10115 BERLIN`, `01650 WORCESTER MA`, `WORCESTER MA 01650`. */
const PLACE_WITH_ZIP = /^(?:(?:[A-Z]{1,2}-)?\d{4,6} \D+|\D+ \d{4,6})$/;
const ZIP_BESIDE_CITY = /^(?:(\d{4,6}(?: [A-Z]{2})?) \D{2,}|\D{2,} (\d{5,6}))$/;
/** Postcodes of countries whose code is also that of a state. The postcodes of Delaware (DE) begin with 197 to 199. */
const ZIP_OF_COUNTRY = new Map([
  ['AR', /^[A-Z]?\d{4}(?:[A-Z]{3})?$/],
  ['CA', /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/],
  ['DE', /^(?!19[7-9])\d{5}$/],
  ['IN', /^\d{6}$/],
  ['NL', /^\d{4} ?[A-Z]{2}$/],
]);
const STREET_WITH_NUMBER = /^(?=.*\d).*[^\W\d_]{3}/;

/**
 * Splits an address that is written on one line (`123 Main Street, Las Vegas NV 89132`). The address must be in upper case. Fills only missing
 * parts; an address that has a city is returned unchanged. City, postcode and state may be in any order, and the street may come last.
 */
export function splitOneLineAddress(address: Address): Address {
  if (address.city !== '' || address.street === '') return address;
  const split = { ...address };
  const parts = address.street.split(/ *[,;\n] */).filter((part) => part !== '');
  if (parts.length > 1 && split.country === '') takeCountry(parts, split);
  moveStreetToFront(parts);
  if (!takeLoneZip(parts, split)) takeZip(parts, split);
  if (split.zip !== '') moveStateToEnd(parts, split);
  const stated = takeState(parts, split);
  if (parts.length > 1) takeCity(parts, split, stated);
  else if (stated) takeCityAfterSuffix(parts, split);
  split.street = parts.join(', ');
  return split;
}

function takeCountry(parts: string[], split: Address): void {
  const last = parts.at(-1) ?? '';
  const isState = findState(last, '') !== undefined && last.length <= 3 && !isCountryAfterZip(parts);
  const code = isState ? '' : toCountryCode(last);
  // GE may be the state or the country Georgia. The country counts only in its own field.
  if (code === '' || code === 'GE') return;
  split.country = code;
  parts.pop();
}

/** True if the last part is the code of a state and of a country, and the postcode before it is one of the country. */
function isCountryAfterZip(parts: readonly string[]): boolean {
  const pattern = ZIP_OF_COUNTRY.get(parts.at(-1) ?? '');
  const toZip = (part: string) =>
    LONE_ZIP.test(part) ? part : ZIP_BESIDE_CITY.exec(part)?.slice(1).join('');
  return pattern !== undefined && parts.slice(1, -1).some((part) => pattern.test(toZip(part) ?? ''));
}

/** Moves a street that follows its place to the front: `Berlin, 10115, Hauptstr. 5`. */
function moveStreetToFront(parts: string[]): void {
  const [first = '', ...others] = parts;
  const street = others.pop() ?? '';
  const isPlace = (part: string) => !/\d/.test(part) || LONE_ZIP.test(part) || PLACE_WITH_ZIP.test(part);
  const hasZip = [first, ...others].some((part) => LONE_ZIP.test(part) || PLACE_WITH_ZIP.test(part));
  if (!hasZip || ![first, ...others].every(isPlace)) return;
  if (!STREET_WITH_NUMBER.test(street) || LONE_ZIP.test(street) || PLACE_WITH_ZIP.test(street)) return;
  parts.unshift(street);
  parts.pop();
}

/** Moves a postcode that is a part of its own, or stands before the city and not at the end, to the address. Returns true if there is one. */
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

/** Moves a state's code that stands before the city to the end: `123 Main St, MA, Worcester`. */
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
 * Moves the state from the end of the parts to the address. It may be a whole part, or the last one to three words. Returns true if the address
 * then has a state.
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

function takeCity(parts: string[], split: Address, stated: boolean): void {
  if (split.city !== '' || parts.length === 0) return;
  const last = parts.at(-1) ?? '';
  if (parts.length === 1 || /^[\d#]/.test(last) || UNIT_DESIGNATORS.has(last.split(' ')[0] ?? '')) {
    if (stated || split.zip !== '') takeCityAfterSuffix(parts, split);
    return;
  }
  // In "…, Loughborough, Leicestershire, LE11 1UU", the part after the street is the town, and a county follows it.
  const street = parts.findIndex((part) => /\d/.test(part));
  const town = parts.findIndex(
    (part, index) =>
      index > Math.max(street, 0) && /^\D+$/.test(part) && !UNIT_DESIGNATORS.has(part.split(' ')[0] ?? ''),
  );
  if (town < 0) return;
  split.city = parts[town] ?? '';
  parts.splice(town);
}

/**
 * Finds the city at the end of a street line without commas and stores it in the address. The city is what follows the street type, directional and unit (`9304 W 15th St La Blanca`).
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
    words[at + 1] === '#' || UNIT_DESIGNATORS.has(words[at + 1] ?? '')
      ? at + 3
      : (words[at + 1] ?? '').startsWith('#')
        ? at + 2
        : at + 1;
  const city = words.slice(cityStart);
  if (city.length === 0 || city.some((word) => /[\d#]/.test(word) || UNIT_DESIGNATORS.has(word))) return;
  split.city = city.join(' ');
  parts[parts.length - 1] = words.slice(0, cityStart).join(' ');
}
