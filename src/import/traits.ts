// What a record says of the person beside names, contacts and dates: only ever compared with other records, never part of a check.
import type { Gender } from '../link/stored.ts';
import {
  type Identifier,
  MAX_IDENTIFIER_LENGTH,
  normaliseIdentifier,
  toPlainWords,
  originalSpelling,
} from '../normalise/identifier.ts';
import { type RawRecord, toText } from './columns/raw.ts';
import { readWordTable } from './columns/words.ts';

export interface PersonTraits {
  birthPlace: string | null;
  /** As it was read, where that is another spelling. */
  birthPlaceWritten?: string | undefined;
  gender: Gender | null;
  identifiers: Identifier[];
}

const MOST_IDENTIFIERS = 20;
/** Names of a record in front of which a title is looked for. */
const MOST_NAMES = 5;

const TABLE = readWordTable('titles.txt');
/** Genders by the words of the table keys `title_female`, `title_male` and so on. */
const gendersOf = <G extends Gender | 'unknown'>(key: string, genders: readonly G[]): Map<string, G> =>
  new Map(
    genders.flatMap((gender) => (TABLE.get(`${key}_${gender}`) ?? []).map((word) => [word, gender] as const)),
  );
/** Values of gender columns; `unknown` means that no gender is given. */
const GENDER_VALUES = gendersOf('gender', ['female', 'male', 'other', 'unknown']);
/** Titles that are no names: they tell a gender in front of a name too. */
const TITLES_IN_FRONT = gendersOf('title', ['female', 'male']);
const TITLES_IN_COLUMN = new Map([...TITLES_IN_FRONT, ...gendersOf('title_column', ['female', 'male'])]);

function readGender(value: unknown, dropped: string[]): Gender | null {
  const words = toPlainWords(toText(value));
  const gender = words === '' ? 'unknown' : (GENDER_VALUES.get(words) ?? genderOfTitle(words));
  if (gender === null) dropped.push('gender cannot be used');
  return gender === 'unknown' ? null : gender;
}

/** Birth place, gender and identifiers of a raw record. What cannot be used is told in `dropped`. */
export function parseTraits(raw: RawRecord, dropped: string[]): PersonTraits {
  const born = toText(raw.birth_place);
  const birthPlace = toPlainWords(born);
  const isTooLong = birthPlace.length > MAX_IDENTIFIER_LENGTH;
  if (isTooLong) dropped.push('birth_place cannot be used');
  const isTold = birthPlace !== '' && !isTooLong;
  const birthPlaceWritten = isTold ? originalSpelling(born, birthPlace) : undefined;
  return {
    birthPlace: isTold ? birthPlace : null,
    ...(birthPlaceWritten !== undefined && { birthPlaceWritten }),
    gender:
      readGender(raw.gender, dropped) ?? genderOfTitle(toPlainWords(toText(raw.title))) ?? genderInName(raw),
    identifiers: readIdentifiers(raw.identifiers, dropped),
  };
}

/** What the title in front of a name tells, the first that tells any: `Mrs. J. Doe`. */
function genderInName({ name, names }: RawRecord): Gender | null {
  for (const one of [name, ...(Array.isArray(names) ? names.slice(0, MOST_NAMES) : [])]) {
    const whole = typeof one === 'object' && one !== null ? (one as Record<string, unknown>).full : one;
    const gender = genderInFront(toPlainWords(toText(whole)));
    if (gender !== null) return gender;
  }
  return null;
}

function readIdentifiers(value: unknown, dropped: string[]): Identifier[] {
  const given = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
  const usable = new Map<string, Identifier>();
  for (const [index, one] of given.slice(0, MOST_IDENTIFIERS).entries()) {
    const identifier = identifierIn(one);
    if (identifier) usable.set([identifier.type, identifier.country, identifier.value].join('|'), identifier);
    else dropped.push(`identifiers[${index}] cannot be used`);
  }
  if (given.length > MOST_IDENTIFIERS) dropped.push(`identifiers has more than ${MOST_IDENTIFIERS} values`);
  return [...usable.values()];
}

function identifierIn(one: unknown): Identifier | null {
  if (typeof one !== 'object' || one === null) return null;
  const { type, value, country } = one as Record<string, unknown>;
  return normaliseIdentifier({ type: toText(type), value: toText(value), country: toText(country) });
}

/** `Mr and Mrs` are two. */
const AND = new Set(['and', 'und', 'et', 'y', 'e', 'en', 'og', 'och', 'ja', 'i', 'a']);

/**
 * The gender that a title tells: `Mrs`, `Herr Dr.`, `Sig.ra`; null where it tells none, or two.
 * @param words folded, with one space between them
 */
const genderOfTitle = (words: string): Gender | null => told(words.split(' '), TITLES_IN_COLUMN);

/**
 * The gender that the title in front of a name tells: `Mrs. J. Doe`, `de heer Jansen`; null for `Mr and Mrs Doe` too.
 * @param words as above
 */
function genderInFront(words: string): Gender | null {
  const [first = '', second = '', ...others] = words.split(' ');
  const both = `${first} ${second}`;
  if (TITLES_IN_FRONT.has(both)) return others.length > 0 ? told([first, second], TITLES_IN_FRONT) : null;
  if (second === '') return null;
  const next = AND.has(second) ? others.slice(0, -1) : others.length > 0 ? [second] : [];
  return TITLES_IN_FRONT.has(first) ? told([first, ...next.slice(0, 1)], TITLES_IN_FRONT) : null;
}

/** What the words tell, two together before one alone. */
function told(words: readonly string[], table: ReadonlyMap<string, Gender>): Gender | null {
  const genders = new Set<Gender>();
  for (let at = 0; at < words.length; at++) {
    const pair = table.get(`${words[at]} ${words[at + 1]}`);
    const gender = pair ?? table.get(words[at] ?? '');
    if (gender) genders.add(gender);
    if (pair) at++;
  }
  const [only = null] = genders;
  return genders.size === 1 ? only : null;
}
