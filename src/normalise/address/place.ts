import countries from '../../../data/addresses/countries.json' with { type: 'json' };
import regions from '../../../data/addresses/regions.json' with { type: 'json' };
import { foldToAscii } from '../text.ts';
import { CITY_WORDS, spellings } from './words.ts';
import type { StandardAddress } from '../../model.ts';

const { origin: _origin, ...countryNames } = countries;
const COUNTRIES = spellings(countryNames, '|');
/** A state or province: its postal code, and the country it is in. */
interface State {
  readonly code: string;
  readonly country: string;
}
/** By country, every spelling of each of its states. */
const STATES = (['US', 'CA', 'AU'] as const).map((country) => ({
  country: country as string,
  states: new Map<string, State>(
    [...spellings(regions[country], '|')].map(([spelling, code]) => [spelling, { code, country }]),
  ),
}));
const FIVE_DIGITS = /^\d{5}$/;
const US_ZIP = /^(\d{5})(?:[- ]?(\d{4}))?$/;
const CA_ZIP = /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/;
/** States whose zip codes start with 0, the digit that spreadsheets lose. */
const ZERO_STATES = new Set(['CT', 'MA', 'ME', 'NH', 'NJ', 'RI', 'VT', 'PR', 'VI']);
const ONE_WORD = /^[A-Z0-9]+$/;
const NOT_UPPER = /[^A-Z0-9]+/;
const NOT_WORD = /[^a-z0-9]+/g;

/** ISO 3166 code of a country's name or code in any case; the empty string where it is not known. */
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
 * Postal code of a state's or province's name or code, and its country. Without a country the US are tried
 * first, then Canada, then Australia.
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

/** A postcode split: `zip` as shown, `plus4` where it is a nine-digit US one, `key` as compared. */
interface Zip {
  zip: string;
  plus4: string;
  key: string;
}

/** Reads a postcode, already uppercased. A US one of four digits gets its lost zero back where its state says so. */
export function parsePostcode(text: string, country: string, state: string): Zip {
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

/** The country that state and postcode give away, where none was said. */
export function inferCountry(stateCountry: string | undefined, zip: string): string {
  if (stateCountry === 'US' && US_ZIP.test(zip)) return 'US';
  if (CA_ZIP.test(zip) && stateCountry !== 'US') return 'CA';
  return '';
}

/** A city's name for comparing: folded, usual abbreviations, no spaces (`Saint Paul` and `St. Paul` → `STPAUL`). */
export function cityKey(text: string): string {
  if (ONE_WORD.test(text)) return CITY_WORDS.get(text) ?? text;
  let key = '';
  for (const word of foldToAscii(text).toUpperCase().replaceAll("'", '').split(NOT_UPPER))
    key += CITY_WORDS.get(word) ?? word;
  return key;
}

/** A postcode for comparing. */
interface Postcode {
  /** Letters and digits alone; of an American one the five digits. Empty where there is none. */
  code: string;
  /** The code of the district that it lies in; empty where the code itself is one. */
  district: string;
  /** The code means a street or less. */
  street: boolean;
}

interface System {
  countries: string[];
  /** How a whole code looks without blanks and hyphens. */
  form: RegExp;
  /** How many characters of it are the district's; less than none: all but so many. */
  district: number;
  /** Codes of that form that mean a town all the same. */
  town?: RegExp;
  /** No other country has codes of this form: it tells the country. */
  unmistakable: boolean;
}

/** The countries whose postcodes mean a street, a side of it or a building. */
const SYSTEMS: System[] = [
  {
    countries: ['GB', 'JE', 'GG', 'IM', 'GI'],
    form: /^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/,
    district: -3,
    town: /^GX/,
    unmistakable: true,
  },
  { countries: ['CA'], form: /^[A-Z]\d[A-Z]\d[A-Z]\d$/, district: 3, town: /^[A-Z]0/, unmistakable: true },
  { countries: ['NL'], form: /^[1-9]\d{3}[A-Z]{2}$/, district: 4, unmistakable: true },
  { countries: ['IE'], form: /^[A-Z]\d[\dW][A-Z\d]{4}$/, district: 3, unmistakable: true },
  { countries: ['AR'], form: /^[A-Z]\d{4}[A-Z]{3}$/, district: 5, unmistakable: true },
  { countries: ['MT'], form: /^[A-Z]{3}\d{4}$/, district: 3, unmistakable: true },
  { countries: ['PT'], form: /^\d{7}$/, district: 4, unmistakable: false },
  { countries: ['BR'], form: /^\d{8}$/, district: 5, town: /000$/, unmistakable: false },
  { countries: ['SG'], form: /^\d{6}$/, district: 2, unmistakable: false },
];

const STARTS_WITH_FIVE_DIGITS = /^\d{5}(?!\d)/;

/** Takes a postcode apart. Without a country, the form tells it where it can. */
export function classifyPostcode({ zip, country, state }: StandardAddress): Postcode {
  const code = parsePostcode(zip, country, state).key;
  const known = country.length === 2;
  const system = SYSTEMS.find(
    ({ countries, form, unmistakable }) =>
      (known ? countries.includes(country) : unmistakable) && form.test(code),
  );
  if (!system) return { code: STARTS_WITH_FIVE_DIGITS.exec(zip)?.[0] ?? code, district: '', street: false };
  const { district, town } = system;
  return { code, district: code.slice(0, district), street: town?.test(code) !== true };
}
