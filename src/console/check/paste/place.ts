// What the pieces of a pasted address are, as North America and Europe write them.
import type { Address } from '../request.ts';

const WORD = String.raw`\p{L}[\p{L}.'’-]*`;
const WORDS = `${WORD}(?: ${WORD})*?`;
/** Five digits and four more, a letter for the country, six digits, a British one, a Canadian one. */
const ZIP = String.raw`(?:[A-Z]{1,2}-)?\d{4,6}(?:-\d{3,4})?|\d{3} \d{2}|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d`;
const ZIP_LAST = new RegExp(
  `^(?:(?<city>${WORDS})(?: |$))??(?:(?<state>[A-Za-z]{2}|[A-Z]{3})\\.? )?(?<zip>${ZIP})$`,
  'u',
);
const ZIP_FIRST = new RegExp(`^(?<zip>${ZIP}) (?<city>${WORDS})(?: (?<state>[A-Z]{2,3}))?$`, 'u');

const STREETS =
  'street|st|road|rd|avenue|ave|boulevard|blvd|drive|dr|lane|ln|court|ct|place|pl|way|terrace|circle|cir|highway|hwy|parkway|pkwy|square|sq|trail|trl|crescent|close|mews';
const STREET = new RegExp(
  String.raw`\b(?:${STREETS})\b\.?|(?:stra(?:ß|ss)e|str\.|weg|platz|allee|gasse|damm|ufer|straat|laan)(?![\p{L}])|^(?:rue|avenue|via|calle|rua|ul\.)\s|\s(?:rue|via)\s`,
  'iu',
);
/** House number, street, and what was written on behind them without a comma. */
const ONE_LINE = new RegExp(
  String.raw`^(?<before>[^\d]*?)\s*(?<street>\d+\S* \S+(?: \S+)*? ?\b(?:${STREETS})\b\.?)(?: (?<unit>(?:apt|unit|flat|suite|ste)\.? \S+|#\S+))?(?: (?<after>.*))?$`,
  'iu',
);
const TOWN = new RegExp(
  `^(?<town>${WORDS} [A-Z]{2} \\d{5}(?:-\\d{4})?|\\d{5}(?:-\\d{4})? ${WORDS} [A-Z]{2})(?: (?<after>.+))?$`,
  'u',
);

const STATES = new Set(
  'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR AB BC MB NB NL NS ON PE QC SK NSW VIC QLD TAS ACT'.split(
    ' ',
  ),
);

export const isState = (text: string): boolean => STATES.has(text.replaceAll('.', ''));

export const isStreet = (text: string): boolean => /\d/.test(text) && STREET.test(text);

let countries: ReadonlySet<string> | undefined;

/** By its name in English, in the language of the browser, or by what it is called for short. */
export function isCountry(text: string): boolean {
  countries ??= new Set([
    ...namesOfCountries(),
    'usa',
    'us',
    'uk',
    'england',
    'scotland',
    'wales',
    'deutschland',
  ]);
  return countries.has(text.replaceAll('.', '').toLowerCase());
}

function* namesOfCountries(): Generator<string> {
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));
  for (const locales of [['en'], []]) {
    const names = new Intl.DisplayNames(locales, { type: 'region', fallback: 'none' });
    for (const first of letters)
      for (const second of letters) yield names.of(first + second)?.toLowerCase() ?? '';
  }
}

/** The parts of a piece in which more than one thing stands without a comma: `Bob Hale 418 Alder Rd Portland OR 97219`. */
export function partsOf(piece: string): string[] {
  const { before = '', street, unit = '', after = '' } = ONE_LINE.exec(piece)?.groups ?? {};
  if (street !== undefined) return [before, street, unit, ...townOf(after)].filter((part) => part !== '');
  return townOf(piece);
}

function townOf(piece: string): string[] {
  const { town, after } = TOWN.exec(piece)?.groups ?? {};
  return town !== undefined && after !== undefined ? [town, after] : [piece];
}

/**
 * City, state and postcode of a piece that has a postcode. Where no street is told, four digits before words are a house number rather.
 */
export function placeIn(piece: string, hasStreet: boolean): Partial<Address> | null {
  if (isStreet(piece)) return null;
  const groups = (ZIP_LAST.exec(piece) ?? ZIP_FIRST.exec(piece))?.groups;
  if (!groups) return null;
  if (!hasStreet && /^\d{4} /.test(piece)) return null;
  return Object.fromEntries(Object.entries(groups).filter(([, part]) => part !== undefined));
}
