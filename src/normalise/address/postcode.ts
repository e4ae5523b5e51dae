import type { StandardAddress } from '../../model.ts';
import { parsePostcode } from './place.ts';

/** A postcode for comparing. */
export interface Postcode {
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

const FIVE_DIGITS = /^\d{5}(?!\d)/;

/** Takes a postcode apart. Without a country, the form tells it where it can. */
export function classifyPostcode({ zip, country, state }: StandardAddress): Postcode {
  const code = parsePostcode(zip, country, state).key;
  const known = country.length === 2;
  const system = SYSTEMS.find(
    ({ countries, form, unmistakable }) =>
      (known ? countries.includes(country) : unmistakable) && form.test(code),
  );
  if (!system) return { code: FIVE_DIGITS.exec(zip)?.[0] ?? code, district: '', street: false };
  const { district, town } = system;
  return { code, district: code.slice(0, district), street: town?.test(code) !== true };
}
