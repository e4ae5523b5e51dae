// Countries as the places table describes them.
import { type Weighted, weighted } from '../random.ts';
import { type Origin, rowOf, sections, spaced, split, words, zipf } from './names.ts';

export interface City {
  name: string;
  /** Short and long form; both empty where a country writes none. */
  state: [short: string, long: string];
  /** A postcode's form: # is a digit, @ a letter. */
  zip: string;
}

/** National numbers that begin with these digits and have `free` more. */
export interface Range {
  prefix: string;
  free: number;
}

export interface Numbers {
  /** In the order in which they are used, with running sums of how many numbers they hold. */
  ranges: Weighted<Range>;
  /** How many of the numbers are kept free for fiction. */
  fiction: number;
}

export interface Country {
  /** ISO code. */
  code: string;
  share: number;
  names: string[];
  origins: Weighted<Origin>;
  dial: string;
  mobile: Numbers;
  landline: Numbers;
  phoneFormats: string[];
  cities: City[];
  streets: { listed: Weighted<string>; parts: [left: string[], right: string[]] };
  /** Long and short form of street, avenue …, commonest first. */
  types: Weighted<[long: string, short: string]>;
  /** How number (n), street (w) and type (t) stand. */
  line: string;
  highestNumber: number;
  units: string[];
  mail: Weighted<string>;
}

/** Reads the places table. The origins are those of the names table. */
export function parsePlaces(text: string, origins: Map<string, Origin>): Map<string, Country> {
  const countries = new Map<string, Country>();
  for (const [code, lines] of sections(text)) countries.set(code, parseCountry(code, lines, origins));
  return countries;
}

function parseCountry(code: string, lines: Map<string, string>, origins: Map<string, Origin>): Country {
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
    origins: weighted(shares('origins').map(([id, share]) => [rowOf(origins, id), Number(share)])),
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
    mail: weighted(shares('mail').map(([domain, share]) => [domain, Number(share)])),
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
function parseNumbers(text: string, areas: string[]): Numbers {
  const [fiction, more] = text.startsWith('then ') ? ['', text.slice(5)] : split(text, ' then ');
  const read = (part: string) => words(part).flatMap((range) => parseRange(range, areas));
  const kept = read(fiction);
  const holding = (ranges: Range[]) => weighted(ranges.map((range) => [range, 10 ** range.free]));
  return { ranges: holding([...kept, ...read(more)]), fiction: holding(kept).sums.at(-1) ?? 0 };
}

function parseRange(text: string, areas: string[]): Range[] {
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
