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
  const words = toPlainWords(toText(value));
  const gender = words === '' ? 'nothing' : (GENDERS.get(words) ?? genderOfTitle(words));
  if (gender === null) dropped.push('gender cannot be used');
  return gender === 'nothing' ? null : gender;
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

// What a form of address tells: a gender at most, and no name. From general knowledge of the languages; folded as `fold` has it.
/** Words that nobody bears as a name, so that they tell in front of one too. */
const FORMS: Record<'female' | 'male', string> = {
  female: `mrs ms miss mistress dame lady frau fraulein frl madame mme mademoiselle mlle senora sra srta senorita senhora senhorita
    senyora signora signorina mevrouw mevr mw mejuffrouw mej fru froken frk rouva gospodja gospodjica gospozha gospodicna
    shrimati smt proua kundze`,
  male: `mr mister sir lord herr herrn hr monsieur sr senor senhor senyor signor signore sig meneer mijnheer mnr dhr herra gospodin
    gospod shri kungs`,
};
/** Names as well, or one letter: they tell in a field of their own alone. */
const ALONE: Record<'female' | 'male', string> = {
  female: `dona dna sigra pani slecna panna bayan hanim kyria despoinis neiti gospa gospoda gospodica gda gdja doamna domnisoara
    ponia preili asszony kumari ibu puan nang mev`,
  male: `m don dom pan bay bey kyrios domnul ponas harra bapak bpk encik nai ong heer`,
};
/** Of two words. */
const PAIRS: [string, Gender][] = [
  ['de heer', 'male'],
  ['den herrn', 'male'],
  ['sig ra', 'female'],
  ['sig na', 'female'],
  ['g din', 'male'],
  ['g n', 'male'],
  ['g da', 'female'],
  ['g dja', 'female'],
  ['g zha', 'female'],
];

const IN_FRONT = new Map<string, Gender>([...gendersOf(FORMS), ...PAIRS]);
const IN_FIELD = new Map<string, Gender>([...IN_FRONT, ...gendersOf(ALONE)]);
/** `Mr and Mrs` are two. */
const AND = new Set(['and', 'und', 'et', 'y', 'e', 'en', 'og', 'och', 'ja', 'i', 'a']);

function gendersOf(words: Record<'female' | 'male', string>): [string, Gender][] {
  const of = (gender: 'female' | 'male') =>
    words[gender].split(/\s+/).map((word): [string, Gender] => [word, gender]);
  return [...of('female'), ...of('male')];
}

/**
 * The gender that a title tells: `Mrs`, `Herr Dr.`, `Sig.ra`; null where it tells none, or two.
 * @param words folded, with one space between them
 */
const genderOfTitle = (words: string): Gender | null => told(words.split(' '), IN_FIELD);

/**
 * The gender that the title in front of a name tells: `Mrs. J. Doe`, `de heer Jansen`; null for `Mr and Mrs Doe` too.
 * @param words as above
 */
function genderInFront(words: string): Gender | null {
  const [first = '', second = '', ...others] = words.split(' ');
  const both = `${first} ${second}`;
  if (IN_FRONT.has(both)) return others.length > 0 ? told([first, second], IN_FRONT) : null;
  if (second === '') return null;
  const next = AND.has(second) ? others.slice(0, -1) : others.length > 0 ? [second] : [];
  return IN_FRONT.has(first) ? told([first, ...next.slice(0, 1)], IN_FRONT) : null;
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
