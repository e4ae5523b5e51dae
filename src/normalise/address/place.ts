import { toShortEastAsianCity } from './east-asian.ts';
import countries from '../../../data/addresses/countries.json' with { type: 'json' };
import regions from '../../../data/addresses/regions.json' with { type: 'json' };
import { foldToAscii } from '../text.ts';
import { ABBREVIATION_BY_CITY_WORD, parseSpellings } from './words.ts';
import type { StandardAddress } from '../../model.ts';

const { origin: _origin, ...countryNames } = countries;
const COUNTRIES = parseSpellings(countryNames, '|');
interface State {
  readonly code: string;
  readonly country: string;
}
const STATES = (['US', 'CA', 'AU'] as const).map((country) => ({
  country: country as string,
  states: new Map<string, State>(
    [...parseSpellings(regions[country], '|')].map(([spelling, code]) => [spelling, { code, country }]),
  ),
}));
const AREA_PREFIXES = new Set(regions.areaWords.prefixes.split('|'));
const AREA_SUFFIXES = new Set(regions.areaWords.suffixes.split('|'));
const EAST_ASIAN_AREA = new RegExp(`^(\\p{L}{2,})[${regions.areaWords.eastAsian}]$`, 'u');
const FIVE_DIGITS = /^\d{5}$/;
const US_ZIP = /^(\d{5})(?:[- ]?(\d{4}))?$/;
const CA_ZIP = /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/;
/** Codes of the states whose zip codes begin with 0. Spreadsheets drop this digit. */
const ZERO_STATES = new Set(['CT', 'MA', 'ME', 'NH', 'NJ', 'RI', 'VT', 'PR', 'VI']);
const ONE_WORD = /^[A-Z0-9]+$/;
const NOT_UPPER = /[^A-Z0-9]+/;
const NOT_WORD = /[^a-z0-9]+/g;

/** Returns the ISO 3166 code of a country from its name or code in any letter case. Empty if the country is unknown. */
export function toCountryCode(text: string): string {
  if (text === '') return '';
  const upper = text.toUpperCase();
  if (upper.length === 2 && COUNTRIES.has(upper)) return upper;
  const key = foldToAscii(text)
    .replace(NOT_WORD, ' ')
    .replace(/\b(?:and|the)\b/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
  return COUNTRIES.get(key) ?? '';
}

/**
 * Finds a state or province by its name or code; undefined if there is none. Without a country, the US is tried first, then Canada, then Australia.
 */
export function findState(text: string, country: string): State | undefined {
  if (text === '') return undefined;
  const upper = text.toUpperCase();
  const key = upper.length < 3 ? upper : foldToAscii(text).replace(NOT_WORD, ' ').trim();
  for (const { country: owner, states } of STATES) {
    if (country !== '' && country !== owner) continue;
    const state = states.get(upper) ?? states.get(key);
    if (state !== undefined) return state;
  }
  return undefined;
}

/**
 * Converts the name of a state to a form for comparison: upper-case letters, without the words for county, province and state. `Co. Donegal` and
 * `County Donegal` become `DONEGAL`, `Stockholms län` becomes `STOCKHOLM`, `神奈川県` becomes `神奈川`. At least one word stays.
 */
export function toComparableState(text: string): string {
  if (ONE_WORD.test(text)) return text;
  const words = foldToAscii(text.replace(EAST_ASIAN_AREA, '$1')).replace(NOT_WORD, ' ').trim().split(' ');
  for (let count = Math.min(3, words.length - 1); count > 0; count -= 1)
    if (AREA_PREFIXES.has(words.slice(0, count).join(' '))) {
      words.splice(0, count);
      break;
    }
  const last = words.at(-1) ?? '';
  if (words.length > 1 && AREA_SUFFIXES.has(last)) {
    words.pop();
    // Swedish names of counties have a genitive: "Stockholms län".
    if (last === 'lan') words.push((words.pop() ?? '').replace(/s$/, ''));
  }
  return words.join('').toUpperCase();
}

/** Parts of a postcode: `zip` is shown, `plus4` is the end of a nine-digit US zip code, `key` is for comparison. */
interface PostcodeParts {
  zip: string;
  plus4: string;
  key: string;
}

/** Parses a postcode in upper case. Puts the zero back that a spreadsheet dropped from a US zip code, if the zip codes of the state begin with 0. */
export function parsePostcodeParts(text: string, country: string, state: string): PostcodeParts {
  if (text === '') return { zip: '', plus4: '', key: '' };
  const american = country === '' || country === 'US' || country === 'PR';
  if (american && FIVE_DIGITS.test(text)) return { zip: text, plus4: '', key: text };
  const parts = american ? US_ZIP.exec(text) : null;
  if (parts !== null) return { zip: parts[1] ?? '', plus4: parts[2] ?? '', key: parts[1] ?? '' };
  if (american && /^\d{4}$/.test(text) && ZERO_STATES.has(state)) {
    return { zip: `0${text}`, plus4: '', key: `0${text}` };
  }
  return {
    zip: text,
    plus4: '',
    key: foldToAscii(text)
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, ''),
  };
}

/** Returns the country that the state and the postcode of an address determine; empty if they do not. */
export function inferCountry(stateCountry: string | undefined, zip: string): string {
  if (stateCountry === 'US' && US_ZIP.test(zip)) return 'US';
  if (CA_ZIP.test(zip) && stateCountry !== 'US') return 'CA';
  return '';
}

/** First digits of the zip codes of each US state, as the United States Postal Service assigns them (public facts). */
const ZIPS_OF_STATE = new Map(
  (
    'AL 35 36,AK 99,AZ 85 86,AR 71 72,CA 90 91 92 93 94 95 96,CO 80 81,CT 06,DC 20,DE 197 198 199,FL 32 33 34,GA 30 31 39,HI 96,' +
    'IA 50 51 52,ID 83,IL 60 61 62,IN 46 47,KS 66 67,KY 40 41 42,LA 70 71,MA 01 02,MD 20 21,ME 03 04,MI 48 49,MN 55 56,' +
    'MO 63 64 65,MS 38 39,MT 59,NC 27 28,ND 58,NE 68 69,NH 03,NJ 07 08,NM 87 88,NV 88 89,NY 10 11 12 13 14,OH 43 44 45,' +
    'OK 73 74,OR 97,PA 15 16 17 18 19,RI 028 029,SC 29,SD 57,TN 37 38,TX 75 76 77 78 79 885,UT 84,VA 201 22 23 24,' +
    'VT 05,WA 98 99,WI 53 54,WV 24 25 26,WY 82 83'
  )
    .split(',')
    .map((line) => line.split(' '))
    .map(([state = '', ...starts]) => [state, starts] as const),
);

/** First digits of the postcodes of Trento in Italy. This province has the code TN and postcodes that begin with 38, like Tennessee. */
const ZIPS_OF_TRENTO = ['380', '38100', '38121', '38122', '38123'];

/** True if the postcode is one of this US state. False for TN with a postcode of Trento in Italy. */
export const isUsPlace = (state: string, zip: string): boolean =>
  US_ZIP.test(zip) &&
  (ZIPS_OF_STATE.get(state)?.some((start) => zip.startsWith(start)) ?? false) &&
  !(state === 'TN' && zip.length === 5 && ZIPS_OF_TRENTO.some((start) => zip.startsWith(start)));

/** Matches the Russian and Ukrainian word for "city" before its name: `г. Москва`, `м. Київ`. */
const CITY_MARK = /^(?:Г|ГОР|ГОРОД|М|МІСТО)(?:\.|\s)\s*/iu;

/**
 * Converts the name of a city to a form for comparison: upper-case letters, with the usual abbreviations and no spaces. `Saint Paul` and `St. Paul`
 * become `STPAUL`.
 */
export function toComparableCity(text: string): string {
  if (ONE_WORD.test(text)) return ABBREVIATION_BY_CITY_WORD.get(text) ?? text;
  let key = '';
  for (const word of foldToAscii(toShortEastAsianCity(text).replace(CITY_MARK, ''))
    .toUpperCase()
    .replaceAll("'", '')
    .split(NOT_UPPER))
    key += ABBREVIATION_BY_CITY_WORD.get(word) ?? word;
  return key;
}

interface Postcode {
  /** Letters and digits of the postcode; for a US zip code only the first five digits. Empty without a postcode. */
  code: string;
  /** Code of the district that contains the postcode. Empty if the postcode itself covers a whole district. */
  district: string;
  /** True if the postcode covers at most one street. */
  isStreetLevel: boolean;
}

interface PostcodeSystem {
  countries: string[];
  /** Pattern of a complete postcode, without spaces and hyphens. */
  pattern: RegExp;
  /** Number of characters of the postcode that name the district; a negative number leaves out that many at the end. */
  district: number;
  /** Pattern of those postcodes that cover a whole town. */
  town?: RegExp;
  /** True if only this country has postcodes of this pattern, so that a postcode reveals the country. */
  isUnique: boolean;
}

/** Countries whose postcodes cover a street, one side of a street or a building. */
const STREET_LEVEL_SYSTEMS: PostcodeSystem[] = [
  {
    countries: ['GB', 'JE', 'GG', 'IM', 'GI'],
    pattern: /^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/,
    district: -3,
    town: /^GX/,
    isUnique: true,
  },
  { countries: ['CA'], pattern: /^[A-Z]\d[A-Z]\d[A-Z]\d$/, district: 3, town: /^[A-Z]0/, isUnique: true },
  { countries: ['NL'], pattern: /^[1-9]\d{3}[A-Z]{2}$/, district: 4, isUnique: true },
  { countries: ['IE'], pattern: /^[A-Z]\d[\dW][A-Z\d]{4}$/, district: 3, isUnique: true },
  { countries: ['AR'], pattern: /^[A-Z]\d{4}[A-Z]{3}$/, district: 5, isUnique: true },
  { countries: ['MT'], pattern: /^[A-Z]{3}\d{4}$/, district: 3, isUnique: true },
  { countries: ['PT'], pattern: /^\d{7}$/, district: 4, isUnique: false },
  { countries: ['BR'], pattern: /^\d{8}$/, district: 5, town: /000$/, isUnique: false },
  { countries: ['SG'], pattern: /^\d{6}$/, district: 2, isUnique: false },
];

const STARTS_WITH_FIVE_DIGITS = /^\d{5}(?!\d)/;

/**
 * Returns the postcode of an address with its district. If the address has no country, but only one country uses this form of postcode, the postcode
 * is read as one of that country.
 */
export function getPostcodeAndDistrict({ zip, country, state }: StandardAddress): Postcode {
  const code = parsePostcodeParts(zip, country, state).key;
  const known = country.length === 2;
  const system = STREET_LEVEL_SYSTEMS.find(
    ({ countries, pattern, isUnique }) =>
      (known ? countries.includes(country) : isUnique) && pattern.test(code),
  );
  if (!system)
    return { code: STARTS_WITH_FIVE_DIGITS.exec(zip)?.[0] ?? code, district: '', isStreetLevel: false };
  const { district, town } = system;
  return { code, district: code.slice(0, district), isStreetLevel: town?.test(code) !== true };
}
