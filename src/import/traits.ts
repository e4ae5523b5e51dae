// What a record says of the person beside names, contacts and dates: only ever compared with other records, never part of a check.
import type { Gender } from '../link/stored.ts';
import { countryCode } from '../normalise/address/place.ts';
import { fold } from '../normalise/text.ts';
import { type RawRecord, textOf } from './raw.ts';

/** A number that somebody gave to the person, in one spelling. */
export interface Identifier {
  /** `passport`, `drivers licence`, `customer of shop` … */
  type: string;
  /** ISO code; empty where none was given. */
  country: string;
  value: string;
}

export interface Traits {
  birthPlace: string | null;
  gender: Gender | null;
  identifiers: Identifier[];
}

const MOST_TEXT = 200;
const MOST_IDENTIFIERS = 20;
const WORD = /[^\p{L}\p{N}]+/gu;

const GENDERS = new Map<string, Gender>(
  Object.entries({
    f: 'female',
    female: 'female',
    woman: 'female',
    w: 'female',
    m: 'male',
    male: 'male',
    man: 'male',
  }),
);
for (const other of ['x', 'other', 'nonbinary', 'non binary', 'diverse', 'd']) GENDERS.set(other, 'other');

/** What titles tell: a form of address is a gender at most, and no name. */
const TITLES = new Map<string, Gender>(
  Object.entries({
    mr: 'male',
    sir: 'male',
    herr: 'male',
    monsieur: 'male',
    señor: 'male',
    mrs: 'female',
    ms: 'female',
    miss: 'female',
  }),
);
for (const title of ['dame', 'lady', 'frau', 'madame', 'mme', 'senora', 'sra']) TITLES.set(title, 'female');
for (const title of ['sr', 'senor', 'lord']) TITLES.set(title, 'male');

/** Birth place, gender and identifiers of a raw record. What cannot be used is told in `dropped`. */
export function readTraits(raw: RawRecord, dropped: string[]): Traits {
  const birthPlace = wordsOf(raw.birth_place);
  if (birthPlace.length > MOST_TEXT) dropped.push('birth_place cannot be used');
  return {
    birthPlace: birthPlace === '' || birthPlace.length > MOST_TEXT ? null : birthPlace,
    gender: GENDERS.get(wordsOf(raw.gender)) ?? TITLES.get(wordsOf(raw.title)) ?? null,
    identifiers: readIdentifiers(raw.identifiers, dropped),
  };
}

/** Folded words with one space between them. */
function wordsOf(value: unknown): string {
  return fold(textOf(value)).replace(WORD, ' ').trim();
}

function readIdentifiers(value: unknown, dropped: string[]): Identifier[] {
  const given = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
  const usable = new Map<string, Identifier>();
  for (const [index, one] of given.slice(0, MOST_IDENTIFIERS).entries()) {
    const identifier = readIdentifier(one);
    if (identifier) usable.set(Object.values(identifier).join('|'), identifier);
    else dropped.push(`identifiers[${index}] cannot be used`);
  }
  if (given.length > MOST_IDENTIFIERS) dropped.push(`identifiers has more than ${MOST_IDENTIFIERS} values`);
  return [...usable.values()];
}

function readIdentifier(one: unknown): Identifier | null {
  if (typeof one !== 'object' || one === null) return null;
  const { type, value, country } = one as Record<string, unknown>;
  const identifier = {
    type: wordsOf(type),
    country: countryCode(textOf(country)),
    value: wordsOf(value).replaceAll(' ', ''),
  };
  const usable = identifier.type !== '' && identifier.value.length > 2;
  return usable && identifier.type.length + identifier.value.length <= MOST_TEXT ? identifier : null;
}
