import {
  DIRECTIONALS,
  HIGHWAY_MARKS,
  HIGHWAY_WORDS,
  misspeltSuffix,
  NAME_WORDS,
  ORDINALS,
  PARTICLES,
  PREFIX_TYPES,
  SUFFIXES,
} from './words.ts';

/** A street's name in one spelling. */
export interface StreetName {
  /** Directionals, name and type: `N 37 PL`, `VALLEYDALE LN`. */
  line: string;
  /** The name alone, joined: `37`, `VALLEYDALE`. */
  core: string;
}

const TELLING = /[A-Z0-9]/;
const HOUSE = /^(?:\d{1,6}(?:-?[A-Z])?|\d+(?:-\d+)+[A-Z]?|\d+[A-Z]?\/\d+[A-Z]?|[NSEW]\d+[NSEW]\d+|\d+BIS)$/;
/** Words of a name in one spelling: `FIRST` → `1`, `AVENUE` → `AVE`. */
const CANONICAL = new Map([...SUFFIXES, ...ORDINALS, ...NAME_WORDS]);
const ORDINAL = /^0*(\d+)(?:ST|ND|RD|TH)$/;
/** German and Dutch streets in one word: `HAUPTSTRASSE`, `HAUPTSTR`, `KERKSTRAAT`. */
const COMPOUND = /^(.{3,})(?:STRASSE|STRASZE|STR|STRAAT)$/;
/** Prefix types so short that they only count where the house number follows the street. */
const SHORT = 2;

/** Whether a word is a house number; an ordinal (`5TH`) is a street. */
export function isHouseNumber(word: string): boolean {
  const first = word.charCodeAt(0);
  return (first < 58 || word.length > 3) && HOUSE.test(word);
}

/**
 * Brings a street's words, without number and unit, to one spelling.
 *
 * @param trailingNumber whether the house number stood behind the street, as in most of Europe and Latin America.
 */
export function readName(words: string[], trailingNumber: boolean): StreetName {
  const name = words.filter((word) => TELLING.test(word));
  const pre = takeDirectional(name, true);
  const highway = highwayNumber(name);
  if (highway !== undefined) return { line: joined(pre, `HWY ${highway}`), core: highway };
  let post = takeDirectional(name, false);
  let type = takePrefixType(name, trailingNumber);
  if (type === '') type = takeSuffix(name);
  // "12 Main St N Springfield"-like order: the type may stand behind the directional.
  if (type !== '' && post === '') post = takeDirectional(name, false);
  let line = pre;
  let core = '';
  let particles = '';
  for (const word of name) {
    if (word === 'THE' && name.length > 1) continue;
    const canonical = canonicalWord(word);
    line = joined(line, canonical);
    if (PARTICLES.has(canonical)) particles += canonical;
    else core += canonical;
  }
  return { line: joined(joined(line, type), post), core: (core || particles).replaceAll('-', '') };
}

function joined(line: string, word: string): string {
  if (line === '' || word === '') return line || word;
  return `${line} ${word}`;
}

function canonicalWord(word: string): string {
  return CANONICAL.get(word) ?? ORDINAL.exec(word)?.[1] ?? word;
}

/** Takes `N`, `North`, `N W`, `Northwest` off one end, unless it is all the name there is (`North Ave`, `Avenue E`). */
function takeDirectional(name: string[], front: boolean): string {
  const direction = DIRECTIONALS.get(name.at(front ? 0 : -1) ?? '');
  if (direction === undefined || name.length < 2) return '';
  if (front && name.length === 2 && isStreetType(name[1] ?? '')) return '';
  if (!front && name.length === 2 && SUFFIXES.has(name[0] ?? '')) return '';
  const neighbour = DIRECTIONALS.get(name.at(front ? 1 : -2) ?? '');
  const pair = neighbour === undefined ? undefined : front ? direction + neighbour : neighbour + direction;
  if (pair !== undefined && pair.length === 2 && DIRECTIONALS.has(pair) && name.length > 3) {
    name.splice(front ? 0 : -2, 2);
    return pair;
  }
  name.splice(front ? 0 : -1, 1);
  return direction;
}

const isStreetType = (word: string): boolean => SUFFIXES.has(word) || misspeltSuffix(word) !== undefined;

function takePrefixType(name: string[], trailingNumber: boolean): string {
  const first = name[0] ?? '';
  const type = PREFIX_TYPES.get(first);
  if (type === undefined || name.length < 2) return '';
  if (!trailingNumber && (first.length <= SHORT || SUFFIXES.has(name.at(-1) ?? ''))) return '';
  name.shift();
  return type;
}

/** Takes the street type off the end: exact, joined (`HAUPTSTR`), cut short or misspelt. A name is always left. */
function takeSuffix(name: string[]): string {
  const last = name.at(-1) ?? '';
  const compound = COMPOUND.exec(last);
  if (compound !== null) {
    name[name.length - 1] = compound[1] ?? '';
    return 'ST';
  }
  if (name.length < 2) return '';
  let type = SUFFIXES.get(last);
  if (type === undefined && !name.slice(0, -1).some((word) => SUFFIXES.has(word) && word !== 'ST'))
    type = misspeltSuffix(last);
  // "The Green": what is left must be more than an article.
  if (
    type === undefined ||
    (PARTICLES.has(name.at(-2) ?? '') &&
      name.slice(0, -1).every((word) => PARTICLES.has(word) && word.length > 1))
  )
    return '';
  name.pop();
  return type;
}

/** `US HWY 701`, `County Road 12`, `State Rte 9`, `FM 1960`: one road, whichever of its titles is written. */
function highwayNumber(name: string[]): string | undefined {
  if (name.length < 2 || !HIGHWAY_WORDS.has(name[0] ?? '')) return undefined;
  const at = name.findIndex((word) => /^\d+[A-Z]?$/.test(word));
  if (at >= 1) {
    const titles = name.slice(0, at);
    const marked =
      titles.length > 1 || HIGHWAY_MARKS.has(titles[0] ?? '') || titles[0] === 'US' || titles[0] === 'I';
    return marked && titles.every((word) => HIGHWAY_WORDS.has(word)) ? name[at] : undefined;
  }
  const letters =
    name.length === 3 && /^(?:COUNTY|CNTY|CO)$/.test(name[0] ?? '') && /^[A-Z]{1,2}$/.test(name[2] ?? '');
  return letters && HIGHWAY_WORDS.has(name[1] ?? '') ? name[2] : undefined;
}
