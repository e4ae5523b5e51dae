import type {
  Address,
  PostalAddressContact,
  LookupKey,
  LookupKeyType,
  StandardAddress,
  TypoSearchData,
} from '../model.ts';
import { moveEastAsianPlaceFromStreetToCity } from './address/east-asian.ts';
import { moveZipFromCity, splitOneLineAddress } from './address/oneline.ts';
import { parseStreet, type StreetParts } from './address/parse.ts';
import {
  toComparableCity,
  toComparableState,
  toCountryCode,
  inferCountry,
  isUsPlace,
  parsePostcodeParts,
  findState,
} from './address/place.ts';
import { SHARED_UNIT_PART_PATTERN } from './address/unit.ts';
import { collapseSpaces, joinLinesWithCommas, PRINTABLE_ASCII_PATTERN, collapseAsciiSpaces } from './text.ts';

/**
 * Normalises one address of any country. `region` is the ISO code of the country that an address without a country is read as; only
 * postcodes depend on it. Returns null if every part is empty. An address of city and state alone has no keys.
 *
 * `standardized`: every part with single spaces and in upper case; a nine-digit US zip split into `zip` and `plus4`; states of the US,
 * Canada and Australia as codes; the country as its ISO code, inferred if state and postcode leave no doubt.
 *
 * Keys. A key is left out if a part that it needs is missing. "Place" is the postcode, or else the city, with its state if known. "Bare name" is the street
 * name without directionals and street type, with ordinals as digits. No key contains the country, because records often omit it.
 * - `address`: house number, whole street name and unit, at a place; for a street without number, its name at a place
 * - `premise`: the same without the unit
 * - `core` (one or two): digits of the house number, start or end of the bare name, postcode. A typing error in one half of the name leaves
 *   the other key equal
 * - `core_city` (one or two): digits of the house number, consonants of the bare name and of the city, without and with the state: for a
 *   missing or wrong postcode. For a street without number or postcode, the bare name and the city without the state
 * - `street`: digits of the house number and bare name, at any place. Only for claims without a place
 */
export function normaliseAddress(input: Address, region = 'US'): PostalAddressContact | null {
  const standardized = standardise(input, region);
  if (standardized === null) return null;
  const whole = splitOneLineAddress(moveEastAsianPlaceFromStreetToCity(standardized));
  const keys = buildKeys(whole, region);
  return {
    kind: 'address',
    input,
    standardized,
    keys,
    signature: addressSignature(whole),
  };
}

/**
 * Returns the ISO code of the country of an address, even if the country is only at the start or end of a one-line address (`…, London, UK`). Empty
 * if none is found.
 */
export function findAddressCountry(address: StandardAddress): string {
  const { country, state, zip } = address.country === '' ? splitOneLineAddress(address) : address;
  if (country === '' && isUsPlace(state, zip)) return 'US';
  return country.length === 2 ? country : '';
}

/**
 * Returns the data for finding addresses whose street name differs by a typing error; null for an address without house number or place, because both
 * must be equal.
 */
function addressSignature(address: Address): TypoSearchData | null {
  const number = /\d+/.exec(address.street)?.[0];
  const place = address.zip.slice(0, 5) || address.city;
  if (!number || !place) return null;
  return { kind: 'address', exactPart: `${number}|${place}`, text: address.street.toLowerCase() };
}

/** Countries that, like the US, have two-letter provinces and five-digit postcodes: `MI 20154` is Milan. */
const COUNTRIES_WITH_PROVINCES = new Set(['IT', 'ES', 'MX']);

function standardise(address: Address, region: string): StandardAddress | null {
  const street = toUpper(address.street);
  const street2 = toUpper(address.street2);
  const countryText = toUpper(address.country);
  const namedCountry = toCountryCode(countryText);
  const {
    city,
    state: stateText,
    zip: zipText,
  } = moveZipFromCity(
    {
      ...address,
      city: toUpper(address.city),
      state: toUpper(address.state),
      zip: toUpper(address.zip),
    },
    namedCountry,
  );
  if (
    street === '' &&
    street2 === '' &&
    city === '' &&
    stateText === '' &&
    zipText === '' &&
    countryText === ''
  ) {
    return null;
  }
  const isProvince =
    namedCountry === '' && COUNTRIES_WITH_PROVINCES.has(region) && /^[A-Z]{2}$/.test(stateText);
  const state = findState(stateText, isProvince ? region : namedCountry);
  const code = state?.code ?? stateText;
  const zip = parsePostcodeParts(
    zipText,
    namedCountry === '' && state === undefined && region !== 'US'
      ? region
      : namedCountry || (state?.country ?? ''),
    code,
  );
  const country = namedCountry || countryText || inferCountry(state?.country, zip.zip);
  return { street, street2, city, state: code, zip: zip.zip, plus4: zip.plus4, country };
}

function toUpper(text: string): string {
  if (text === '') return '';
  if (PRINTABLE_ASCII_PATTERN.test(text)) return collapseAsciiSpaces(text).toUpperCase();
  const shown = collapseSpaces(joinLinesWithCommas(text)).toUpperCase();
  // A few letters decompose into a letter and an accent only in upper case.
  return PRINTABLE_ASCII_PATTERN.test(shown) ? shown : collapseSpaces(shown);
}

function buildKeys(whole: Address, region: string): LookupKey[] {
  if (whole.street === '' && whole.street2 === '') return [];
  const { code: state, country } = findState(whole.state, whole.country) ?? {
    code: toComparableState(whole.state),
    country: whole.country,
  };
  const place = country === '' && region !== 'US' ? region : country;
  const zip = parsePostcodeParts(whole.zip, place, state).key;
  const parts = parseStreet(whole.street2 === '' ? whole.street : `${whole.street}, ${whole.street2}`, place);
  return buildStreetKeys(parts, { zip, city: toComparableCity(whole.city), state });
}

const ALL_DIGITS = /^\d+$/;

interface Place {
  zip: string;
  city: string;
  state: string;
}

function buildStreetKeys(parts: StreetParts, { zip, city, state }: Place): LookupKey[] {
  const { number, street, unit } = parts;
  const place = zip !== '' ? zip : city && `${city},${state}`;
  if (street.line === '') return [];
  // A street name that consists only of directionals and articles is its own bare name.
  const core = street.core || street.line;
  if (number === '') {
    if (place === '') return [];
    const exact = lookupKey('address', `|${street.line}|${unit}|${place}`);
    return zip === '' ? [exact, lookupKey('core_city', `|${core}|${city}|`)] : [exact];
  }
  const keys: LookupKey[] = [];
  const door = `${number}|${street.line}`;
  if (place !== '') {
    keys.push(lookupKey('address', `${door}|${unit}|${place}`), lookupKey('premise', `${door}|${place}`));
  }
  const digits = houseDigits(number);
  if (zip !== '')
    for (const key of parts.isPostBox ? [core] : coreKeys(core))
      keys.push(lookupKey('core', `${digits}|${key}|${zip}`));
  if (city !== '') {
    const cityPlace = `${digits}|${consonantSkeleton(core)}|${consonantSkeleton(city)}`;
    // Many addresses omit the state. The city identifies the place nearly as well, so one key has no state.
    keys.push(lookupKey('core_city', `${cityPlace}|`));
    if (state !== '') keys.push(lookupKey('core_city', `${cityPlace}|${state}`));
  }
  if (!parts.isPostBox) keys.push(lookupKey('street', `${digits}|${core}`));
  return keys;
}

const NUMBER_OR_LETTER = /\d|^[A-Z]$/;

/**
 * Returns the flat that the look-up keys of an address contain: its number or letter, otherwise its words (`REAR`). Empty if there is none. Leaves
 * out floors and buildings, because records often omit them.
 */
export function getFlatFromAddressKeys([exact]: readonly LookupKey[]): string {
  const unit = exact?.type === 'address' ? exact.text.split('|')[2] : '';
  if (!unit) return '';
  const parts = unit.split(' ').filter((part) => !SHARED_UNIT_PART_PATTERN.test(part));
  return parts.find((part) => NUMBER_OR_LETTER.test(part)) ?? parts.join(' ');
}

const lookupKey = (type: LookupKeyType, text: string): LookupKey => ({ type, text });

/** Returns the digits of a house number, without its letter or fraction: one house may be written 12A, 12 A or 12 unit A. */
function houseDigits(number: string): string {
  return ALL_DIGITS.test(number) ? number : (/^\d+/.exec(number)?.[0] ?? number);
}

const DIGIT = /\d/;
const SILENT = 'AEIOUYH';
const DOUBLED = /(.)\1+/g;

/**
 * Returns the first letter and the consonants of a word, so that wrong vowels and doubled letters do not matter. Returns the whole word if it has
 * digits or would keep fewer than three letters.
 */
function consonantSkeleton(word: string): string {
  if (word === '' || DIGIT.test(word)) return word;
  let key = word[0] ?? '';
  let last = key;
  for (let index = 1; index < word.length; index += 1) {
    const letter = word[index] ?? '';
    if (letter === last || SILENT.includes(letter)) continue;
    key += letter;
    last = letter;
  }
  return key.length < 3 ? word.replace(DOUBLED, '$1') : key;
}

/**
 * Returns one or two look-up keys of a street name without street type and directionals: one for the letters of its start, one for those of its end.
 * The letters of a key are sorted, so that swapped letters do not matter. A name with digits has one exact key, because another digit is another
 * street.
 */
function coreKeys(name: string): string[] {
  if (DIGIT.test(name) || name.length < 3) return [name];
  const word = name.replace(DOUBLED, '$1');
  const length = word.length < 6 ? 3 : 4;
  const start = sortLetters(word.slice(0, length));
  const end = sortLetters(word.slice(-length));
  return word.length <= 4 && start === end ? [`^${start}`] : [`^${start}`, `${end}$`];
}

/** Sorts the letters of a text by insertion sort. `Array.sort` would take longer than the rest of the key's computation. */
function sortLetters(text: string): string {
  let sorted = '';
  for (const letter of text) {
    let at = sorted.length;
    while (at > 0 && (sorted[at - 1] ?? '') > letter) at -= 1;
    sorted = sorted.slice(0, at) + letter + sorted.slice(at);
  }
  return sorted;
}
