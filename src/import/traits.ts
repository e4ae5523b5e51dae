// What a record says of the person beside names, contacts and dates: only ever compared with other records, never part of a check.
import type { Gender } from '../link/stored.ts';
import { type Identifier, readIdentifier, wordsOf } from '../normalise/identifier.ts';
import { type RawRecord, textOf } from './raw.ts';
import { genderInFront, genderOfTitle } from './titles.ts';

export interface Traits {
  birthPlace: string | null;
  /** As it was read, where that is another spelling. */
  birthPlaceWritten?: string | undefined;
  gender: Gender | null;
  identifiers: Identifier[];
}

const MOST_TEXT = 200;
const MOST_IDENTIFIERS = 20;
/** Names of a record in front of which a title is looked for. */
const MOST_NAMES = 5;

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

/** Birth place, gender and identifiers of a raw record. What cannot be used is told in `dropped`. */
export function readTraits(raw: RawRecord, dropped: string[]): Traits {
  const birthPlace = wordsOf(textOf(raw.birth_place));
  const isTooLong = birthPlace.length > MOST_TEXT;
  if (isTooLong) dropped.push('birth_place cannot be used');
  return {
    birthPlace: birthPlace === '' || isTooLong ? null : birthPlace,
    ...(!isTooLong && writtenAs(raw.birth_place, birthPlace, 'birthPlaceWritten')),
    gender:
      GENDERS.get(wordsOf(textOf(raw.gender))) ??
      genderOfTitle(wordsOf(textOf(raw.title))) ??
      genderInName(raw),
    identifiers: readIdentifiers(raw.identifiers, dropped),
  };
}

/** How it was written, where that is not how it is compared. */
function writtenAs<N extends string>(value: unknown, compared: string, name: N): { [K in N]?: string } {
  const written = textOf(value);
  if (written === compared || compared === '' || written.length > MOST_TEXT) return {};
  return { [name]: written } as { [K in N]?: string };
}

/** What the title in front of a name tells, the first that tells any: `Mrs. J. Doe`. */
function genderInName({ name, names }: RawRecord): Gender | null {
  for (const one of [name, ...(Array.isArray(names) ? names.slice(0, MOST_NAMES) : [])]) {
    const whole = typeof one === 'object' && one !== null ? (one as Record<string, unknown>).full : one;
    const gender = genderInFront(wordsOf(textOf(whole)));
    if (gender !== null) return gender;
  }
  return null;
}

/** Folded words with one space between them. */
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
  return readIdentifier({ type: textOf(type), value: textOf(value), country: textOf(country) });
}
