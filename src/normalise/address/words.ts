import type { OtherDirectionStreetSpellings } from '../../model.ts';
import { getTypoDistance } from '../typo.ts';
import table from '../../../data/addresses/street-words.json' with { type: 'json' };

/**
 * Parses a table of spellings such as `{ "AVE": "AVENUE AV" }` to a Map from each spelling to its canonical one (`AVENUE` to `AVE`, `AVE` to itself).
 */
export function parseSpellings(entries: Record<string, string>, separator = ' '): Map<string, string> {
  const map = new Map<string, string>();
  for (const [canonical, others] of Object.entries(entries)) {
    if (canonical !== '') map.set(canonical, canonical);
    for (const other of others.split(separator)) if (other !== '') map.set(other, canonical);
  }
  return map;
}

const toWordSet = (text: string): Set<string> => new Set(text.split(' '));

/** Street types at the end of English, German and Nordic street names: a Map from each spelling to the canonical one. */
export const STREET_TYPE_SUFFIXES = parseSpellings(table.suffixes);
/** Street types at the start of Romance and Slavic street names: a Map from each spelling to the canonical one. */
export const STREET_TYPE_PREFIXES = parseSpellings(table.prefixTypes);
export const DIRECTIONALS = parseSpellings(table.directionals);
export const UNIT_MARKS = parseSpellings(table.units);
/** Words that mark a unit only after a house number: Polish `Długa 12 m. 4`, Austrian `Lindengasse 12 Top 4`, Turkish `No: 12 D: 4`. */
export const UNIT_MARKS_AFTER_NUMBER = parseSpellings(table.unitsAfterNumber);
/** Floors and buildings without a number, such as `EG`, `PIANO TERRA` and `HINTERHAUS`: a Map from each phrase to the canonical unit. */
export const FLOORS_AND_BUILDINGS = new Map(
  Object.values(table.houseParts).flatMap((language) =>
    Object.entries(language).flatMap(([canonical, phrases]) =>
      phrases.split('|').map((phrase) => [phrase, canonical] as const),
    ),
  ),
);
/** Words for the sides of a floor, such as `LINKS` and `DERECHA`: a Map from each spelling to the canonical one. */
export const FLOOR_SIDES = parseSpellings(table.sides);
/** Ordinals of floors, such as `SECONDO` in `secondo piano`, and Roman numerals: a Map to their digits. */
export const DIGITS_BY_FLOOR_ORDINAL = parseSpellings(table.floorOrdinals);
/**
 * Words that name a flat or floor after a house number, such as `TERCERO` in `Calle Mayor 5 tercero`: a Map from each spelling to the canonical one.
 */
export const UNIT_WORDS_AFTER_NUMBER = new Map([...parseSpellings(table.tailWords), ...FLOOR_SIDES]);
/** Words that name a flat only after a floor: `3º centro`. Elsewhere they are districts: `Av. Juárez 100, Centro`. */
export const UNIT_WORDS_AFTER_FLOOR = parseSpellings(table.tailWordsAfterFloor);
export const STREET_NAME_WORD_SPELLINGS = parseSpellings(table.words);
export const ABBREVIATION_BY_CITY_WORD = parseSpellings(table.cityWords);
export const STREET_NAME_PARTICLES = toWordSet(table.particles);
/** Particles that writers of Romance languages often leave out: `Calle Alcalá` is `Calle de Alcalá`. */
export const STREET_NAME_ARTICLES = toWordSet(table.articles);
/** Names of months, as in dates that are street names: `25 de Mayo`, `17. listopadu`. */
export const MONTHS_IN_STREET_NAMES = toWordSet(table.months);
/** Canonical spellings of street types that mean "street" and are often left out: `Długa 14` is `ul. Długa 14`. */
export const USUAL_STREET_TYPES = toWordSet(table.usualTypes);
export const HIGHWAY_WORDS = toWordSet(table.highways);
export const UNAMBIGUOUS_HIGHWAY_WORDS = toWordSet(table.highwayMarks);

/** Full spelling of each canonical street type and directional: `DR` to `DRIVE`, `N` to `NORTH`. It is the first of the spellings in the table. */
const FULL_SPELLINGS = new Map(
  Object.entries({ ...table.suffixes, ...table.directionals }).map(([canonical, others]) => [
    canonical,
    others.split(' ')[0] ?? canonical,
  ]),
);

/**
 * Returns other spellings of a lower-case street line (`77 harbor view dr`), with street type and directionals abbreviated and in full. The words of
 * the street's name stay unchanged.
 */
export function listStreetSpellings(line: string): string[] {
  const words = line.toUpperCase().split(' ');
  const type = words.findLastIndex((word, i) => i > 1 && STREET_TYPE_SUFFIXES.has(word));
  const shorten = (word: string, i: number) =>
    (i === type ? STREET_TYPE_SUFFIXES.get(word) : i > 0 ? DIRECTIONALS.get(word) : undefined) ?? word;
  const short = words.map(shorten);
  const full = short.map((word, i) =>
    i === type || (i > 0 && DIRECTIONALS.has(word)) ? (FULL_SPELLINGS.get(word) ?? word) : word,
  );
  return [short, full].map((spelling) => spelling.join(' ').toLowerCase()).filter((text) => text !== line);
}

const OTHER_DIRECTIONS: Readonly<Record<string, string>> = {
  N: 'S E W',
  S: 'N E W',
  E: 'W N S',
  W: 'E N S',
  LWR: 'UPR',
  UPR: 'LWR',
};

/**
 * Returns a lower-case street line (`512 s main st`) without its directional, and with each other directional. These lines name other streets. Null
 * unless the line has exactly one directional.
 */
export function findOtherDirectionStreetSpellings(line: string): OtherDirectionStreetSpellings | null {
  const words = line.toUpperCase().split(' ');
  const places = words.flatMap((word, i) => (i > 0 && DIRECTIONALS.has(word) ? [i] : []));
  const [place = 0] = places;
  const others = OTHER_DIRECTIONS[DIRECTIONALS.get(words[place] ?? '') ?? ''];
  if (places.length !== 1 || others === undefined) return null;
  const spell = (...by: string[]) => {
    const text = words
      .toSpliced(place, 1, ...by)
      .join(' ')
      .toLowerCase();
    return [text, ...listStreetSpellings(text)];
  };
  return { without: spell(), others: others.split(' ').flatMap((other) => spell(other)) };
}

/** Canonical spelling of each truncated street type (`BOULEV`, `STRE`, `L`). */
const TRUNCATED = new Map(table.truncated.split(' ').map((pair) => pair.split(':') as [string, string]));
const LONG_TYPES = table.fuzzy.split(' ');
const correctedSuffixes = new Map<string, string | undefined>();

/** Digits for English ordinals: `FIRST`…`TWENTIETH` to `1`…`20`. */
export const DIGITS_BY_ORDINAL_WORD = new Map(
  table.ordinals.split(' ').map((word, index) => [word, String(index + 1)]),
);

/** Returns the street type that a word means: a truncated one, or a common one that differs by one typing error. Undefined for other words. */
export function correctStreetType(word: string): string | undefined {
  const cut = TRUNCATED.get(word);
  if (cut !== undefined) return cut === '' ? word : cut;
  if (word.length < 4 || word.length > 10) return undefined;
  if (correctedSuffixes.has(word)) return correctedSuffixes.get(word);
  const meant = LONG_TYPES.find((type) => getTypoDistance(word, type, 1) === 1);
  const suffix = meant === undefined ? undefined : STREET_TYPE_SUFFIXES.get(meant);
  // The cache is bounded, so that a stream of invented words cannot fill the memory.
  if (correctedSuffixes.size > 5000) correctedSuffixes.clear();
  correctedSuffixes.set(word, suffix);
  return suffix;
}
