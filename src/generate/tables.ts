// Tables of data/generate: parsers for the countries and the names from which a world is generated.
import { type WeightedChoices, createWeightedChoices, type Random } from './random.ts';

export interface City {
  name: string;
  /** Short and long form of the state; both empty if the country's addresses have none. */
  state: [short: string, long: string];
  /** Pattern of the postcode, in which # is a digit and @ a letter. */
  zip: string;
}

/** Range of national phone numbers: the digits of `prefix`, followed by `free` more digits. */
interface PhoneNumberRange {
  prefix: string;
  free: number;
}

export interface PhoneNumberPlan {
  /** Ranges of numbers in the order of use, weighted by their sizes. */
  ranges: WeightedChoices<PhoneNumberRange>;
  /** Number of phone numbers that the country reserves for fiction. */
  fiction: number;
}

export interface Country {
  code: string;
  share: number;
  names: string[];
  origins: WeightedChoices<NameOrigin>;
  dial: string;
  mobile: PhoneNumberPlan;
  landline: PhoneNumberPlan;
  phoneFormats: string[];
  cities: City[];
  streets: { listed: WeightedChoices<string>; parts: [left: string[], right: string[]] };
  /** Long and short form of each street type (street, avenue …), the most frequent first. */
  types: WeightedChoices<[long: string, short: string]>;
  /** Pattern of the street line: n is the house number, w the street name, t the street type. */
  line: string;
  highestNumber: number;
  units: string[];
  mail: WeightedChoices<string>;
}

/** Parses the places table into countries by ISO code. @param origins the parsed names table */
export function parseCountries(text: string, origins: Map<string, NameOrigin>): Map<string, Country> {
  const countries = new Map<string, Country>();
  for (const [code, lines] of parseKeyValueSections(text))
    countries.set(code, parseCountry(code, lines, origins));
  return countries;
}

function parseCountry(code: string, lines: Map<string, string>, origins: Map<string, NameOrigin>): Country {
  const get = (key: string) => lines.get(key) ?? '';
  const shares = (key: string) => words(get(key)).map((pair) => split(pair, '='));
  const areas = words(get('areas'));
  const mobile = parseNumbers(get('mobile'), areas);
  const [left = [], right = []] = get('street+')
    .split('|')
    .map((part) => words(part).map(spaced));
  return {
    code,
    share: Number(get('share')),
    names: get('names').split('/'),
    origins: createWeightedChoices(
      shares('origins').map(([id, share]) => [getTableRowById(origins, id), Number(share)]),
    ),
    dial: get('code'),
    mobile,
    landline: lines.has('landline') ? parseNumbers(get('landline'), areas) : mobile,
    phoneFormats: get('formats').split(';'),
    cities: get('cities').split(';').map(parseCity),
    streets: { listed: zipf(words(get('streets')).map(spaced)), parts: [left, right] },
    types: zipf(words(get('types')).map(parseType)),
    line: get('line'),
    highestNumber: Number(get('numbers')),
    units: get('units').split(';'),
    mail: createWeightedChoices(shares('mail').map(([domain, share]) => [domain, Number(share)])),
  };
}

/** Parses a street type such as `Street/St`. A short form may contain a slash, as in Spain's `Calle/C/`. */
function parseType(text: string): [string, string] {
  const [long, short] = split(text, '/');
  return [long, short || long];
}

function parseCity(text: string): City {
  const [name = '', states = '', zip = ''] = text.split('|');
  const [short, long] = split(states, '/');
  return { name, state: [short, long], zip };
}

/** Parses phone number ranges such as `555*4 then 7*6`. If the country has area codes, the ranges apply to each. */
function parseNumbers(text: string, areas: string[]): PhoneNumberPlan {
  const [fiction, more] = text.startsWith('then ') ? ['', text.slice(5)] : split(text, ' then ');
  const read = (part: string) => words(part).flatMap((range) => parseRange(range, areas));
  const kept = read(fiction);
  const holding = (ranges: PhoneNumberRange[]) =>
    createWeightedChoices(ranges.map((range) => [range, 10 ** range.free]));
  return { ranges: holding([...kept, ...read(more)]), fiction: holding(kept).sums.at(-1) ?? 0 };
}

function parseRange(text: string, areas: string[]): PhoneNumberRange[] {
  const [prefix, free] = split(text, '*');
  const [, before = '', from = '', to = ''] = /^(\d*)\[(\d+)-(\d+)\]$/.exec(prefix) ?? [];
  const count = from === '' ? 1 : Number(to) - Number(from) + 1;
  const prefixes = Array.from({ length: count }, (_, i) =>
    from === '' ? prefix : `${before}${String(Number(from) + i).padStart(from.length, '0')}`,
  );
  return (areas.length > 0 ? areas : ['']).flatMap((area) =>
    prefixes.map((digits) => ({ prefix: `${area}${digits}`, free: Number(free) })),
  );
}

/** Part of a name: one word, or several words that belong together. */
export interface NameWord {
  /** Spelling in Latin letters with accents. */
  text: string;
  spellings: string[];
  /** Short forms and pet names of the name. */
  shorts: string[];
  /** Spelling in the original script; empty if it is Latin. */
  native: string;
}

/** Names of one type: listed names, the most frequent first, and parts from which rarer names are joined. */
export interface WeightedNames {
  listed: WeightedChoices<NameWord>;
  /** Share (0-1) of people whose name is one of the listed names. */
  head: number;
  parts: [left: NameWord[], right: NameWord[], ends: string[]];
}

export interface NameOrigin {
  id: string;
  male: WeightedNames;
  female: WeightedNames;
  family: WeightedNames;
}

/** Parses a text with `[section]` headers and `key: value` lines. Lines that begin with # are comments. */
export function parseKeyValueSections(text: string): Map<string, Map<string, string>> {
  const sectionNames = new Map<string, Map<string, string>>();
  let section = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const header = /^\[(.+)\]$/.exec(line)?.[1];
    if (header !== undefined) sectionNames.set(header, (section = new Map()));
    const [key, value] = split(line, ': ');
    if (header === undefined) section.set(key, value);
  }
  return sectionNames;
}

/** Splits a text at the first separator. */
function split(text: string, separator: string): [string, string] {
  const place = text.indexOf(separator);
  return place < 0 ? [text, ''] : [text.slice(0, place), text.slice(place + separator.length)];
}

const words = (text = ''): string[] => text.split(' ').filter((word) => word !== '');
const spaced = (text: string): string => text.replaceAll('_', ' ');

export function parseNameOrigins(text: string): Map<string, NameOrigin> {
  const origins = new Map<string, NameOrigin>();
  for (const [id, lines] of parseKeyValueSections(text)) {
    const head = new Map(words(lines.get('head')).map((pair) => split(pair, '=')));
    const names = (sort: string): WeightedNames => ({
      listed: zipf(words(lines.get(sort)).map(parseWord)),
      head: Number(head.get(sort)),
      parts: parseParts(lines.get(`${sort}+`) ?? ''),
    });
    origins.set(id, { id, male: names('male'), female: names('female'), family: names('family') });
  }
  return origins;
}

/** Parses a name in the format `native=Spelling/Other>Short/Other`. */
function parseWord(text: string): NameWord {
  const [native, latin] = text.includes('=') ? split(text, '=') : ['', text];
  const [spellings, shorts] = split(latin, '>');
  const [first = '', ...others] = spellings.split('/').map(spaced);
  return {
    text: first,
    spellings: others,
    shorts: shorts === '' ? [] : shorts.split('/').map(spaced),
    native: spaced(native),
  };
}

function parseParts(text: string): WeightedNames['parts'] {
  const [left = [], right = [], ends = []] = text.split('|').map(words);
  return [left.map(parseWord), right.map(parseWord), ends.map((end) => (end === '-' ? '' : end))];
}

/** Creates choices whose weights fall with the rank, like the frequencies of real names. */
function zipf<T>(items: T[]): WeightedChoices<T> {
  return createWeightedChoices(items.map((item, rank) => [item, 1 / (rank + 3) ** 0.8]));
}

/** Draws a name: a listed one, or one that is joined from parts. Items at the start of each list are more likely. */
export function drawName(names: WeightedNames, random: Random): NameWord {
  const [left, right, ends] = names.parts;
  if (left.length === 0 || random.chance(names.head)) return random.pickWeighted(names.listed);
  return joinParts([random.pickEarly(left, 1.5), random.pickEarly(right, 1.3)], ends, random);
}

function joinParts([a, b]: [NameWord, NameWord], ends: string[], random: Random): NameWord {
  const end = ends.length > 0 ? random.pick(ends) : '';
  // A prefix such as Al- or Van keeps the capital of the second part (Al-Harbi); other parts do not (Ashford).
  const second = a.text.endsWith('-') || a.text.endsWith(' ') ? b.text : lowerFirst(b.text);
  const native = a.native === '' ? '' : `${a.native}${b.native}`;
  return { text: `${a.text}${second}${end}`, spellings: [], shorts: [], native };
}

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

export function getTableRowById<T>(rows: Map<string, T>, id: string): T {
  const row = rows.get(id);
  if (row === undefined) throw new Error(`the generator's tables have no row ${id}`);
  return row;
}
