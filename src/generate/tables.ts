// Countries as the places table describes them.
import { type WeightedChoices, createWeightedChoices, type Random } from './random.ts';

export interface City {
  name: string;
  /** Short and long form; both empty where a country writes none. */
  state: [short: string, long: string];
  /** A postcode's form: # is a digit, @ a letter. */
  zip: string;
}

/** National numbers that begin with these digits and have `free` more. */
export interface NumberRange {
  prefix: string;
  free: number;
}

export interface PhoneNumberPlan {
  /** In the order in which they are used, with running sums of how many numbers they hold. */
  ranges: WeightedChoices<NumberRange>;
  /** How many of the numbers are kept free for fiction. */
  fiction: number;
}

export interface Country {
  /** ISO code. */
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
  /** Long and short form of street, avenue …, commonest first. */
  types: WeightedChoices<[long: string, short: string]>;
  /** How number (n), street (w) and type (t) stand. */
  line: string;
  highestNumber: number;
  units: string[];
  mail: WeightedChoices<string>;
}

/** Reads the places table. The origins are those of the names table. */
export function parsePlaces(text: string, origins: Map<string, NameOrigin>): Map<string, Country> {
  const countries = new Map<string, Country>();
  for (const [code, lines] of parseSections(text)) countries.set(code, parseCountry(code, lines, origins));
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
      shares('origins').map(([id, share]) => [getRow(origins, id), Number(share)]),
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

/** `Street/St`; a type that is a slash itself, Spain's `Calle/C/`, keeps it. */
function parseType(text: string): [string, string] {
  const [long, short] = split(text, '/');
  return [long, short || long];
}

function parseCity(text: string): City {
  const [name = '', states = '', zip = ''] = text.split('|');
  const [short, long] = split(states, '/');
  return { name, state: [short, long], zip };
}

/** `555*4 then 7*6`, each behind every area code where there are any. */
function parseNumbers(text: string, areas: string[]): PhoneNumberPlan {
  const [fiction, more] = text.startsWith('then ') ? ['', text.slice(5)] : split(text, ' then ');
  const read = (part: string) => words(part).flatMap((range) => parseRange(range, areas));
  const kept = read(fiction);
  const holding = (ranges: NumberRange[]) =>
    createWeightedChoices(ranges.map((range) => [range, 10 ** range.free]));
  return { ranges: holding([...kept, ...read(more)]), fiction: holding(kept).sums.at(-1) ?? 0 };
}

function parseRange(text: string, areas: string[]): NumberRange[] {
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

// The tables of data/generate: text in, lists to draw from out.
/** One word of a name, or several that belong together. */
export interface NameWord {
  /** In Latin letters, accents included. */
  text: string;
  /** Other spellings of the same name. */
  spellings: string[];
  /** Short and pet forms. */
  shorts: string[];
  /** In the script it comes from; empty where that is Latin. */
  native: string;
}

/** Names of one sort: listed ones, commonest first, and parts from which rarer ones are put together. */
export interface WeightedNames {
  listed: WeightedChoices<NameWord>;
  /** Share of people who bear a listed one. */
  head: number;
  parts: [left: NameWord[], right: NameWord[], ends: string[]];
}

export interface NameOrigin {
  id: string;
  male: WeightedNames;
  female: WeightedNames;
  family: WeightedNames;
}

/** `[section]` headers and `key: value` lines; # begins a comment line. */
export function parseSections(text: string): Map<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>();
  let section = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const header = /^\[(.+)\]$/.exec(line)?.[1];
    if (header !== undefined) found.set(header, (section = new Map()));
    const [key, value] = split(line, ': ');
    if (header === undefined) section.set(key, value);
  }
  return found;
}

/** The text before the first separator and the text after it. */
function split(text: string, separator: string): [string, string] {
  const place = text.indexOf(separator);
  return place < 0 ? [text, ''] : [text.slice(0, place), text.slice(place + separator.length)];
}

const words = (text = ''): string[] => text.split(' ').filter((word) => word !== '');
const spaced = (text: string): string => text.replaceAll('_', ' ');

/** Reads the names table: its sections by origin. */
export function parseNames(text: string): Map<string, NameOrigin> {
  const origins = new Map<string, NameOrigin>();
  for (const [id, lines] of parseSections(text)) {
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

/** `native=Spelling/Other>Short/Other`. */
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

/** Weights that fall with the rank as those of real names do: the tenth is about a third of the first. */
function zipf<T>(items: T[]): WeightedChoices<T> {
  return createWeightedChoices(items.map((item, rank) => [item, 1 / (rank + 3) ** 0.8]));
}

/** A name of this sort. Listed ones are drawn by rank, and of the parts the first are likelier too. */
export function drawName(names: WeightedNames, random: Random): NameWord {
  const [left, right, ends] = names.parts;
  if (left.length === 0 || random.chance(names.head)) return random.pickWeighted(names.listed);
  return joinParts([random.pickEarly(left, 1.5), random.pickEarly(right, 1.3)], ends, random);
}

function joinParts([a, b]: [NameWord, NameWord], ends: string[], random: Random): NameWord {
  const end = ends.length > 0 ? random.pick(ends) : '';
  // Al-Harbi and Van Linh, but Ashford and Jianhua.
  const second = a.text.endsWith('-') || a.text.endsWith(' ') ? b.text : lowerFirst(b.text);
  const native = a.native === '' ? '' : `${a.native}${b.native}`;
  return { text: `${a.text}${second}${end}`, spellings: [], shorts: [], native };
}

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

/** The row of an id that must be there. */
export function getRow<T>(rows: Map<string, T>, id: string): T {
  const row = rows.get(id);
  if (row === undefined) throw new Error(`the tables have no ${id}`);
  return row;
}
