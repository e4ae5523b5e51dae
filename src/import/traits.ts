// What a record says of the person beside names, contacts and dates: only ever compared with other records, never part of a check.
import type { Gender } from '../link/stored.ts';
import { type Identifier, MOST_TEXT, readIdentifier, wordsOf, writtenAs } from '../normalise/identifier.ts';
import { type RawRecord, textOf } from './raw.ts';
import { genderInFront, genderOfTitle } from './titles.ts';

export interface Traits {
  birthPlace: string | null;
  /** As it was read, where that is another spelling. */
  birthPlaceWritten?: string | undefined;
  gender: Gender | null;
  identifiers: Identifier[];
}

const MOST_IDENTIFIERS = 20;
/** Names of a record in front of which a title is looked for. */
const MOST_NAMES = 5;

/** How columns of genders call them, in the languages of most exports, folded. */
const CALLED: Record<Gender | 'nothing', string> = {
  female:
    'f, female, woman, w, weiblich, frau, femme, feminin, femenino, femenina, mujer, femminile, femmina, donna, feminino, feminina, mulher, v, vrouw, vrouwelijk, kobieta, kvinna, kvinde, kvinne, nainen, zena, zhenskiy',
  male: 'm, male, man, mannlich, maennlich, mann, herr, homme, masculin, masculino, hombre, varon, maschile, maschio, uomo, homem, mannelijk, mezczyzna, mies, muz, muzhskoy',
  other: 'x, other, nonbinary, non binary, diverse, divers, d',
  nothing:
    'u, unknown, unspecified, not specified, undisclosed, not disclosed, not known, not stated, prefer not to say, none, null, n a, na, 0, 9, unbekannt, keine angabe, ohne angabe, inconnu, non precise, desconocido, desconhecido, sconosciuto, onbekend, nieznana',
};
const GENDERS = new Map(
  (Object.keys(CALLED) as (keyof typeof CALLED)[]).flatMap((gender) =>
    CALLED[gender].split(', ').map((word) => [word, gender] as const),
  ),
);

function readGender(value: unknown, dropped: string[]): Gender | null {
  const words = wordsOf(textOf(value));
  const gender = words === '' ? 'nothing' : (GENDERS.get(words) ?? genderOfTitle(words));
  if (gender === null) dropped.push('gender cannot be used');
  return gender === 'nothing' ? null : gender;
}

/** Birth place, gender and identifiers of a raw record. What cannot be used is told in `dropped`. */
export function readTraits(raw: RawRecord, dropped: string[]): Traits {
  const born = textOf(raw.birth_place);
  const birthPlace = wordsOf(born);
  const isTooLong = birthPlace.length > MOST_TEXT;
  if (isTooLong) dropped.push('birth_place cannot be used');
  const isTold = birthPlace !== '' && !isTooLong;
  const birthPlaceWritten = isTold ? writtenAs(born, birthPlace) : undefined;
  return {
    birthPlace: isTold ? birthPlace : null,
    ...(birthPlaceWritten !== undefined && { birthPlaceWritten }),
    gender: readGender(raw.gender, dropped) ?? genderOfTitle(wordsOf(textOf(raw.title))) ?? genderInName(raw),
    identifiers: readIdentifiers(raw.identifiers, dropped),
  };
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
