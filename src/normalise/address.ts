import type { Address, LookupKey, LookupKeyType, NormalisedValue, StandardAddress } from '../model.ts';
import { splitOneLine } from './address/oneline.ts';
import { parseStreet, type StreetParts } from './address/parse.ts';
import { cityKey, toCountryCode, inferCountry, parsePostcode, findState } from './address/place.ts';
import { collapseSpaces, joinLines, PRINTABLE_ASCII, collapseAsciiSpaces } from './text.ts';

/**
 * Reads one address of any country.
 *
 * `standardized`: every part tidied and uppercased; a nine-digit US zip split into `zip` and `plus4`; states of the US,
 * Canada and Australia as codes, the country as its ISO code, inferred where state and postcode leave no doubt.
 *
 * Forms, each left out where a part that it needs is missing ("place" is the postcode, or else city and state):
 * - `address`: house number, whole street name and unit, at a place; for a street without number, its name at a place
 * - `premise`: the same without the unit
 * - `core` (one or two): house number (digits), the start or the end of the bare street name, postcode. A typo in one half of the name
 *   leaves the other half's form in common
 * - `core_city` (one or two): house number, consonants of the bare street name and of the city, without and with the state: for a missing
 *   or wrong postcode
 * - `street`: house number and bare street name, wherever that is. Look it up only for a claim that names no place
 *
 * "Bare" is without directionals and street type, ordinals as digits. The country is in no form: one record says it
 * and another does not, and postcode or city tell as much.
 *
 * @param region ISO code of the country that an address without one is read as; only the US reading of postcodes depends on it.
 * @returns null where every part is empty. An address of city and state alone is fine and has no keys.
 */
export function normaliseAddress(address: Address, region = 'US'): NormalisedValue<StandardAddress> | null {
  const standardized = standardise(address, region);
  if (standardized === null) return null;
  return { standardized, keys: keysOf(standardized, region) };
}

/** Countries whose provinces are written in two letters before five digits, as states of the US are: `MI 20154` is Milan. */
const OWN_PROVINCES = new Set(['IT', 'ES', 'MX']);

function standardise(address: Address, region: string): StandardAddress | null {
  const street = upper(address.street);
  const street2 = upper(address.street2);
  const city = upper(address.city);
  const stateText = upper(address.state);
  const zipText = upper(address.zip);
  const countryText = upper(address.country);
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
  const said = toCountryCode(countryText);
  const isProvince = said === '' && OWN_PROVINCES.has(region) && /^[A-Z]{2}$/.test(stateText);
  const state = findState(stateText, isProvince ? region : said);
  const code = state?.code ?? stateText;
  const zip = parsePostcode(
    zipText,
    said === '' && state === undefined && region !== 'US' ? region : said || (state?.country ?? ''),
    code,
  );
  const country = said || countryText || inferCountry(state?.country, zip.zip);
  return { street, street2, city, state: code, zip: zip.zip, plus4: zip.plus4, country };
}

function upper(text: string): string {
  if (text === '') return '';
  if (PRINTABLE_ASCII.test(text)) return collapseAsciiSpaces(text).toUpperCase();
  const shown = collapseSpaces(joinLines(text)).toUpperCase();
  // A few letters only decompose once they are upper case.
  return PRINTABLE_ASCII.test(shown) ? shown : collapseSpaces(shown);
}

function keysOf(standard: StandardAddress, region: string): LookupKey[] {
  const whole = splitOneLine(standard);
  if (whole.street === '' && whole.street2 === '') return [];
  const parts = parseStreet(whole.street2 === '' ? whole.street : `${whole.street}, ${whole.street2}`);
  const { code: state, country } = findState(whole.state, whole.country) ?? {
    code: whole.state,
    country: whole.country,
  };
  const zip = parsePostcode(whole.zip, country === '' && region !== 'US' ? region : country, state).key;
  return streetKeys(parts, { zip, city: cityKey(whole.city), state });
}

const ALL_DIGITS = /^\d+$/;

interface Place {
  zip: string;
  city: string;
  state: string;
}

function streetKeys(parts: StreetParts, { zip, city, state }: Place): LookupKey[] {
  const { number, street, unit } = parts;
  const place = zip !== '' ? zip : city === '' || state === '' ? '' : `${city},${state}`;
  if (street.line === '') return [];
  // A street of nothing but directions and articles is known by them.
  const core = street.core || street.line;
  if (number === '') return place === '' ? [] : [lookupKey('address', `|${street.line}|${unit}|${place}`)];
  const keys: LookupKey[] = [];
  const door = `${number}|${street.line}`;
  if (place !== '') {
    keys.push(lookupKey('address', `${door}|${unit}|${place}`), lookupKey('premise', `${door}|${place}`));
  }
  const digits = coreNumber(number);
  if (zip !== '')
    for (const key of parts.box ? [core] : coreKeys(core))
      keys.push(lookupKey('core', `${digits}|${key}|${zip}`));
  if (city !== '') {
    const there = `${digits}|${skeleton(core)}|${skeleton(city)}`;
    // Once without the state: many leave it out, and the city tells nearly as much.
    keys.push(lookupKey('core_city', `${there}|`));
    if (state !== '') keys.push(lookupKey('core_city', `${there}|${state}`));
  }
  if (!parts.box) keys.push(lookupKey('street', `${digits}|${core}`));
  return keys;
}

/** Parts of a unit that several flats have in common. */
const OF_MANY = /^(?:FL|BL)/;
const NUMBERED = /\d|^[A-Z]$/;

/**
 * The flat that an address names, by its keys: its number or letter, or else its words (`REAR`); empty where it names none. Floors and
 * buildings are left out, since one record tells them and another does not.
 */
export function unitFromKeys([exact]: readonly LookupKey[]): string {
  if (exact?.type !== 'address') return '';
  const parts = (exact.text.split('|')[2] ?? '').split(' ').filter((part) => !OF_MANY.test(part));
  return parts.find((part) => NUMBERED.test(part)) ?? parts.join(' ');
}

const lookupKey = (type: LookupKeyType, text: string): LookupKey => ({ type, text });

/** The number without letter or fraction: people write 12A, 12 A and 12 unit A for one door. */
function coreNumber(number: string): string {
  return ALL_DIGITS.test(number) ? number : (/^\d+/.exec(number)?.[0] ?? number);
}

const DIGIT = /\d/;
const SILENT = 'AEIOUYH';
const DOUBLED = /(.)\1+/g;

/**
 * A word's consonants in order, the first letter always kept, doubled ones once: vowel typos and doubled letters
 * vanish. Names of fewer than three such letters, and those with digits, stay whole.
 */
function skeleton(word: string): string {
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
 * One or two keys of a street's bare name: letters of its start and of its end, each set in alphabetical order
 * so that swapped neighbours meet. Names with digits, where one digit is another street, have one exact key.
 */
function coreKeys(name: string): string[] {
  if (DIGIT.test(name) || name.length < 3) return [name];
  const word = name.replace(DOUBLED, '$1');
  const length = word.length < 6 ? 3 : 4;
  const start = letters(word.slice(0, length));
  const end = letters(word.slice(-length));
  return word.length <= 4 && start === end ? [`^${start}`] : [`^${start}`, `${end}$`];
}

/** Letters in alphabetical order; a small insertion sort, because a call of `sort` costs more than all the rest. */
function letters(text: string): string {
  let sorted = '';
  for (const letter of text) {
    let at = sorted.length;
    while (at > 0 && (sorted[at - 1] ?? '') > letter) at -= 1;
    sorted = sorted.slice(0, at) + letter + sorted.slice(at);
  }
  return sorted;
}
