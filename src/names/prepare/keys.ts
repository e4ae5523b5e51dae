// Look-up keys and parts of a prepared name. Two names that count as the same nearly always have a look-up key in common.
import {
  COMMON_SURNAME_FLAG,
  FEMALE_FLAG,
  findNameEntry,
  getRepresentativeNameOfGroup,
  GIVEN_NAME_FLAG,
  hasNameFlag,
  MALE_FLAG,
  type NameEntry,
  SURNAME_FLAG,
} from '../lexicon.ts';
import { foldLatin } from '../script.ts';
import { VIETNAMESE_SURNAME_FLAG } from '../traditions/east-asia/han-table.ts';
import { hasUsualKoreanSyllables } from '../traditions/east-asia/korean.ts';
import { getNameOfHusband } from '../traditions/western.ts';
import { MASCULINE_FORM_RULE_INDEX, GENDERED_FAMILY_NAME_RULE_INDEXES } from '../traditions/index.ts';
import { getNameWithoutRepetition } from './repetition.ts';
import type { NameWordRole, PreparedName, Token } from '../types.ts';

/** Returns the given, middle and family names of a prepared name in lower-case letters a-z, each with its particles, and the suffix. */
export function getLatinNamePartsByRole(name: PreparedName): {
  given: string[];
  middle: string[];
  family: string[];
  suffix: string;
} {
  const parts: Record<NameWordRole, string[]> = { given: [], middle: [], family: [] };
  for (const token of tokensOf(name)) parts[token.role].push(textWithPrefix(token));
  return { ...parts, suffix: foldLatin(name.suffix) };
}

const textWithPrefix = ({ prefix, text }: Token) => prefix + text;

/** Given name or family name of one name. */
export interface GivenOrFamilyName {
  /** Words of the given or family name in lower-case letters a-z, joined without spaces. */
  text: string;
  /** True if every word is a real name, according to the name tables or the syllables of its language. */
  isRealName: boolean;
  /** True if many people have the name: a known given name, a very common family name, or an East Asian family name. */
  isCommon: boolean;
  /** True if only men have the name as a given name, according to the name tables. */
  isMansName: boolean;
  /** Words of the name that few people have. */
  rareWords: readonly string[];
  /** The text in the forms that the relatives of the other sex have as their family name (Ivanova: Ivanov). Empty if all are equal to the text. */
  sexForms: readonly string[];
}

/**
 * Splits a name into its given and family name. If only the first word is a very common family name, it is the family name (Nagy László),
 * whatever the roles of the words are.
 */
export function splitGivenAndFamilyName(name: PreparedName): Record<'given' | 'family', GivenOrFamilyName> {
  const tokens = tokensOf(name);
  const familyFirst = name.hasKnownFamilyName ? null : splitFamilyFirstName(tokens);
  const half = (role: 'given' | 'family'): GivenOrFamilyName => {
    const words = familyFirst ? [familyFirst[role]] : tokens.filter((token) => token.role === role);
    const isCommonWord = role === 'family' ? isCommonFamilyName : isRealName;
    const text = words.map(textWithPrefix).join('');
    return {
      text,
      isRealName: words.every(isRealName),
      isCommon: words.some(isCommonWord),
      isMansName: words.length > 0 && words.every(({ sex }) => sex === MALE_FLAG),
      rareWords: words.filter((word) => !isCommonWord(word)).map(textWithPrefix),
      sexForms: words.some(hasSexForm)
        ? GENDERED_FAMILY_NAME_RULE_INDEXES.map((index) =>
            words.map((word) => word.prefix + (word.variantForms[index] ?? word.text)).join(''),
          )
        : [],
    };
  };
  return { given: half('given'), family: half('family') };
}

const hasSexForm = ({ text, variantForms }: Token) =>
  GENDERED_FAMILY_NAME_RULE_INDEXES.some((index) => (variantForms[index] ?? text) !== text);

/**
 * Returns the family and the given name if the first word is a very common family name and no other word is. A word that is a given name, too
 * (Kim), counts only if all words may be East Asian. Null for other names. The given name of a Vietnamese name is its last word.
 */
function splitFamilyFirstName(tokens: readonly Token[]): Record<'given' | 'family', Token> | null {
  const [first, second, ...others] = tokens;
  if (!first || !second || first.role !== 'given' || tokens.some(({ isInitial }) => isInitial)) return null;
  if (!isCommonSurname(first) || [second, ...others].some(isCommonSurname)) return null;
  const isGivenName = hasNameFlag(first.entry, MALE_FLAG | FEMALE_FLAG);
  if (isGivenName && !tokens.every(isEastAsianWord)) return null;
  const isVietnamese = (first.surnameRegions & VIETNAMESE_SURNAME_FLAG) !== 0;
  return { family: first, given: (isVietnamese ? others.at(-1) : null) ?? second };
}

/**
 * True if two names begin with one word and the word is their family name, because it is a very common one or given names follow: Kovács Anna, Kovács
 * Péter.
 */
export function beginWithOneFamilyName(a: PreparedName, b: PreparedName): boolean {
  const [[x, ...restOfX], [y, ...restOfY]] = [tokensOf(a), tokensOf(b)];
  if (x?.role !== 'given' || y?.role !== 'given' || textWithPrefix(x) !== textWithPrefix(y)) return false;
  if (x.isInitial || a.hasKnownFamilyName || b.hasKnownFamilyName) return false;
  if ([a, b].every((name) => splitFamilyFirstName(tokensOf(name)) !== null)) return true;
  return !isGivenName(x) && [restOfX, restOfY].every((rest) => rest.some(isGivenName));
}

const isGivenName = (token: Token) =>
  hasNameFlag(token.entry, GIVEN_NAME_FLAG) || getNameOfHusband(token) !== undefined;

const isCommonSurname = ({ entry }: Token) => hasNameFlag(entry, COMMON_SURNAME_FLAG);

const isEastAsianWord = ({ chineseForm, koreanForm, surnameRegions }: Token) =>
  chineseForm !== '' || koreanForm !== '' || surnameRegions > 0;

/**
 * True if the word is a real name. East Asian characters always are, because they are chosen from a list and contain no typing errors. A family name
 * in Latin letters is, if it or its masculine form is in a table; a given name is also, if it consists of Chinese or of usual Korean syllables.
 */
const isRealName = (word: Token): boolean =>
  word.entry !== undefined ||
  findMasculineEntry(word) !== undefined ||
  word.surnameRegions > 0 ||
  getNameOfHusband(word) !== undefined ||
  (word.script === 'latin'
    ? word.role !== 'family' && (word.chineseForm !== '' || hasUsualKoreanSyllables(word))
    : word.mayBeEastAsian);

const isCommonFamilyName = (token: Token) => {
  const entry = token.entry ?? findMasculineEntry(token);
  return entry === undefined ? isRealName(token) : hasNameFlag(entry, COMMON_SURNAME_FLAG);
};

/** Returns the table entry of the masculine form of a feminine family name (Sokolova: Sokolov, Nováková: Novák). The tables have few feminine forms. */
function findMasculineEntry(token: Token): NameEntry | undefined {
  if (token.role !== 'family' || !hasSexForm(token)) return undefined;
  for (const index of GENDERED_FAMILY_NAME_RULE_INDEXES) {
    const form = token.variantForms[index] ?? token.text;
    const entry = form === token.text ? undefined : findNameEntry(form.replace(/sky$/, 'ski'));
    if (hasNameFlag(entry, SURNAME_FLAG)) return entry;
  }
  return undefined;
}

/** Returns the first given name in lower-case letters a-z, with its particles. Undefined if there is none. */
export function getFirstGivenName(name: PreparedName): string | undefined {
  const token = tokensOf(name).find(({ role }) => role === 'given');
  return token && textWithPrefix(token);
}

/** Returns the words of the name. A name without spaces is split into family and given name. */
function tokensOf({ tokens, alternatives }: PreparedName): Token[] {
  return tokens.length === 1 && alternatives[0] ? alternatives[0] : tokens;
}

/** Returns the given names and the last family name of a name. A single word is used as both. Undefined for a name without words. */
function findEnds(tokens: Token[]): { given: Token[]; family: Token } | undefined {
  const family = tokens.findLast((token) => token.role === 'family') ?? tokens.at(-1);
  if (!family) return undefined;
  const given = tokens.filter((token) => token.role === 'given' && token !== family);
  return { given: given.length > 0 ? given : [family], family };
}

const inAlphabeticalOrder = (x: string, y: string) => (x <= y ? `${x} ${y}` : `${y} ${x}`);

/** Class of each sound symbol that is a consonant. h, w and v have none, because scripts and languages differ most in them. */
const CONSONANT_CLASSES: Record<string, string> = {};
for (const [name, symbols] of [
  ['p', 'pbfBFP="'],
  ['t', 'tdD^~>79*;'],
  ['k', "kgqGY<&'xKCJjZ?0+"],
  ['s', 'szSTc!:%8.)/'],
  ['n', 'mnNM-'],
  ['r', 'rlR$,L'],
] as const)
  for (const symbol of symbols) CONSONANT_CLASSES[symbol] = name;

const SKELETON_LENGTH = 4;

/** Returns the classes of the first four consonants of a word. Most spellings of a name, in all scripts, have the same classes. */
function soundSkeleton(sound: string): string {
  let skeleton = '';
  let last = '';
  for (let i = 0; i < sound.length && skeleton.length < SKELETON_LENGTH; i++) {
    const consonant = CONSONANT_CLASSES[sound.charAt(i)];
    if (consonant === undefined || consonant === last) continue;
    if (consonant === 'r' && !/[aeiou1-5E@VAy[\]{}|_]/.test(sound.charAt(i + 1))) continue;
    skeleton += consonant;
    last = consonant;
  }
  return skeleton || 'a';
}

function canonicalGivenName(token: Token): string {
  let { entry } = token;
  if (!entry) return token.text;
  for (let step = 0; step < 2; step++) {
    const fullForm: NameEntry | undefined = entry.fullForms[0];
    if (!fullForm || entry.cultureGroups.length > 0) break;
    entry = fullForm;
  }
  const group = entry.cultureGroups[0] ?? entry.spellingGroups[0];
  return group ? getRepresentativeNameOfGroup(group) : entry.name;
}

/**
 * Returns the look-up keys of a name; none for a name without words. Each key joins given and family name, without middle names, titles and
 * suffix:
 * - `n:` both folded, in alphabetical order
 * - `c:` the given name replaced by the name that represents its short forms and equivalents
 * - `s:` the consonant classes of both, which also agree across scripts
 * - `i:` the initial of the given name
 */
export function getNameKeys(name: PreparedName): string[] {
  const ends = findEnds(tokensOf(getNameWithoutRepetition(name)));
  if (!ends) return [];
  const { given, family } = ends;
  const givenText = given.map(({ text }) => text).join('');
  const givenSound = given.map(({ sound }) => sound).join('');
  const masculineFamily = family.variantForms[MASCULINE_FORM_RULE_INDEX] ?? family.text;
  const [first = family] = given;
  return [
    `n:${inAlphabeticalOrder(givenText, textWithPrefix(family))}`,
    `c:${inAlphabeticalOrder(canonicalGivenName(first), masculineFamily)}`,
    `s:${inAlphabeticalOrder(soundSkeleton(givenSound), soundSkeleton(family.sound))}`,
    `i:${givenText.charAt(0)} ${masculineFamily}`,
  ];
}

/**
 * Returns the look-up key of the given name alone, which finds people whose family name changed. Null if the given name is missing or an
 * initial.
 */
export function getGivenNameKey(name: PreparedName): string | null {
  const given = getFirstGivenName(name);
  return given !== undefined && given.length > 1 ? `g:${given}` : null;
}
