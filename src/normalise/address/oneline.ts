import type { Address } from '../../model.ts';
import { toCountryCode, findState } from './place.ts';
import { DIRECTIONALS, STREET_TYPE_SUFFIXES, UNIT_DESIGNATORS } from './words.ts';

const TRAILING_ZIP = /[ ,]+(\d{5}(?:-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z0-9]? ?\d[A-Z]{2})$/;
/** Matches a postcode before a city: `56422 Dusseldorf`, `FL-2198 Triesen`, `1012 AB Amsterdam`. */
const LEADING_ZIP = /^(?:[A-Z]{1,2}-)?(\d{4,6}(?: [A-Z]{2})?) (\D{2,})$/;

/**
 * Splits an address that is written on one line (`123 Main Street, Las Vegas NV 89132`). The address must be in upper case. Fills only missing
 * parts; an address that has a city is returned unchanged.
 */
export function splitOneLineAddress(address: Address): Address {
  if (address.city !== '' || address.street === '') return address;
  const split = { ...address };
  const parts = address.street.split(/ *[,;\n] */).filter((part) => part !== '');
  if (parts.length > 1 && split.country === '') takeCountry(parts, split);
  takeZip(parts, split);
  const stated = takeState(parts, split);
  if (parts.length > 1) takeCity(parts, split, stated);
  else if (stated) takeCityAfterSuffix(parts, split);
  split.street = parts.join(', ');
  return split;
}

function takeCountry(parts: string[], split: Address): void {
  const last = parts.at(-1) ?? '';
  const code = findState(last, '') === undefined || last.length > 3 ? toCountryCode(last) : '';
  // GE may be the state or the country Georgia. The country counts only in its own field.
  if (code === '' || code === 'GE') return;
  split.country = code;
  parts.pop();
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
