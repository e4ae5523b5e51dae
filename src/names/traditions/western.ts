// Latin letters, whatever the language: sounds of a word, German umlauts, and pairs of a male and a female given name.
import {
  COMMON_SURNAME_FLAG,
  FEMALE_FLAG,
  findNameEntry,
  GIVEN_NAME_FLAG,
  hasNameFlag,
  MALE_FLAG,
  SURNAME_FLAG,
} from '../lexicon.ts';
import { foldLatin } from '../script.ts';
import { applyTextReplacements, parseTextReplacements, parseTextMap } from '../tables.ts';
import {
  type PreparedName,
  type Token,
  type TokenComparison,
  createTokenComparisonResult,
} from '../types.ts';
import { createEndingSoundsFinder } from './alphabet.ts';
import type { NamingTradition, VariantFormRule } from './tradition.ts';

/** Sounds of groups of up to four Latin letters, in the symbols of compare/symbols.ts. */
const GRAPHEMES = parseTextMap(`
  schtsch S  tsch C  dsch J  shch S  sch S  tch C  tts T  ttz T  cch k  cks ks  dzh J  eau o  igh ai  ght t  oux u  kzh Z  dt t  bb b
  sh S  zh Z  kh X  ch K  gh Y  ph f  th ^  dh ~  dj J  ts T  tz T  cz C  sz :  ck k  qu kW  ou u  oo u  oi o_  ee i  ng N  nge nGe  ngi nGi  ngy nGi  rh r  wh w  bh b
  jh J  aa a  ii i  uu u  ll l  dz T  gn Yn  lh lH  nh nH  tl tl  rz Z  ij ai  oe o2  dg J
  b b  d d  f f  h H  j j  k k  l l  m m  n n  p p  q q  r r  s s  t t  v v  w W  z z
`);
/** Length of the longest grapheme by its first two letters. Most pairs of letters start no grapheme and are missing. */
const LONGEST_GRAPHEMES = new Map<string, number>();
for (const { length, 0: first = '', 1: second = '' } of GRAPHEMES.keys())
  LONGEST_GRAPHEMES.set(first + second, Math.max(length, LONGEST_GRAPHEMES.get(first + second) ?? 0));
const VOWEL = /[aeiouy]/;
/** Placeholder for an x at the start of a word while the word is converted. */
const INITIAL_X = '#';
const RESPELLINGS = parseTextReplacements(`
  schtsch shch  ^kn n  ^wr r  ^mc mak  ^hugh hyu  ^walk wok  ^x ${INITIAL_X}  ^hs S  ^ps s  stle$ sle  ([^qgaeiou])ue(?=[^aeiouy]) $1u
`);
/** Matches all words that `RESPELLINGS` may change. Most words do not match and need no further test. */
const MAY_BE_RESPELT = /^kn|^wr|^mc|^hugh|^walk|^x|^hs|^ps|schtsch|stle$|ue/;
/** Matches an h that is spoken before a consonant. It is the Ukrainian г in Hnat and Hryhoriy, and the х of Hristo. */
const FIRST_H = /^h[lnrv]/;
/** Symbols for a vowel after another vowel. A second vowel has its own symbol because spellings often omit or change it. */
export const VOWEL_AFTER_VOWEL_SYMBOLS = parseTextMap('a 1  e 2  i 3  o 4  u 5');
const SILENT_LAST_CONSONANTS = parseTextMap('t 7  s 8  d 9');

/** Returns the approximate sounds of a Latin word (lower-case a-z) of any language, in the symbols of compare/symbols.ts. */
export function toLatinSounds(word: string): string {
  let sounds = '';
  const text = MAY_BE_RESPELT.test(word) ? applyTextReplacements(word, RESPELLINGS) : word;
  for (let i = 0; i < text.length;) {
    const [grapheme, length] = i === 0 && FIRST_H.test(text) ? ['H', 1] : readGrapheme(text, i);
    i += length;
    for (const symbol of grapheme) if (symbol !== sounds.at(-1)) sounds += weaken(symbol, sounds.at(-1));
  }
  return weakenEnding(sounds, text);
}

function weaken(symbol: string, before: string | undefined): string {
  return before && /[aeiou]/.test(before) ? (VOWEL_AFTER_VOWEL_SYMBOLS.get(symbol) ?? symbol) : symbol;
}

/** Returns the sound of the longest letter group at a position of a text, and its number of letters. */
function readGrapheme(text: string, i: number): [sound: string, length: number] {
  const longest = LONGEST_GRAPHEMES.get(text.slice(i, i + 2)) ?? 1;
  for (let size = Math.min(longest, text.length - i); size > 1; size--) {
    const sound = GRAPHEMES.get(text.slice(i, i + size));
    if (sound !== undefined) return [sound, size];
  }
  return [readLetter(text.charAt(i), text[i + 1] ?? ''), 1];
}

function readLetter(letter: string, next: string): string {
  if (letter === 'c') return /[eiy]/.test(next) ? 'c' : 'k';
  if (letter === 'g') return /[eiy]/.test(next) ? 'G' : 'g';
  if (letter === INITIAL_X) return 'x';
  if (letter === 'x') return 'ks';
  if (letter === 'y') return VOWEL.test(next) ? 'y' : 'i';
  if (letter === 'h' && (next === '' || !VOWEL.test(next))) return '';
  return GRAPHEMES.get(letter) ?? letter;
}

/**
 * Replaces sounds that are often silent by symbols that cost less to omit: an r that follows a vowel and precedes none (English), and e, t, s or d
 * at the end of a word (French).
 */
function weakenEnding(sounds: string, text: string): string {
  const weakened = sounds.replace(/(?<=[aeiou1-5])r(?![aeiou1-5])/g, '$$');
  if (weakened.length < 3) return weakened;
  const last = text.at(-1) ?? '';
  const before = weakened.at(-2) ?? '';
  if (last === 'e' && !/[aeiou1-5]/.test(before)) return weakened.slice(0, -1) + '6';
  const silent = SILENT_LAST_CONSONANTS.get(last);
  if (silent && weakened.at(-1) === last && /[aeiou1-5$n]/.test(before))
    return weakened.slice(0, -1) + silent;
  return weakened;
}

/** Comparison result of two spellings of an umlaut. Mueller, Müller and Muller are one name. */
const SAME_WITHOUT_UMLAUT = createTokenComparisonResult('equal', 0.97);
const WITHOUT_UMLAUTS: VariantFormRule = {
  appliesTo: /e/,
  toForm: (text) => text.replace(/(?<![aeiouqg])([aou])e/g, '$1'),
  ifBothChanged: SAME_WITHOUT_UMLAUT,
  ifOneChanged: SAME_WITHOUT_UMLAUT,
};

const latinEndingSounds = createEndingSoundsFinder([
  [/ah?$/, 'a'],
  // The last consonant is silent in French: Dubois, Renault, Monet; so is a last e in most languages.
  [/[ou]i?l?[dstxz]$|ai[st]$|e[rtz]$/, 'avct'],
  [/e$/, 'vct'],
  [/[iouy]$/, 'v'],
  // A w is v in German and Polish (Iwanow, Jarosław), and part of a vowel in English (Marlow).
  [/w$/, 'uc'],
  [/t$/, 'ct'],
  [/[a-z]$/, 'c'],
]);

const hasDigit = (word: string) => /[015]/.test(word);

/** Replaces digits next to letters by the letters that they look like: R0bert, 5mith, Wi11iam. */
const toLetters = (word: string) =>
  /\p{L}.*\p{L}/u.test(word) ? word.replaceAll('0', 'o').replaceAll('5', 's').replaceAll('1', 'l') : word;

export const WESTERN_TRADITION: NamingTradition = {
  scripts: {
    latin: {
      readWord(word) {
        const text = foldLatin(hasDigit(word) ? toLetters(word) : word);
        return { text, sound: toLatinSounds(text) };
      },
      // A digit that was read as a letter leaves the name different: R0bert.
      exactText: ({ hasDigit: isMarked, raw, prefix, text }) =>
        isMarked ? raw.toLowerCase() : prefix + text,
      sounds: { mode: 'full', rank: 0 },
      endingSounds: (raw) => latinEndingSounds(foldLatin(raw)),
    },
  },
  variantForm: WITHOUT_UMLAUTS,
};

const FEMININE_ENDING = /^(a|e|de|ia|ina|ine|ne|na|lle|le|te|tte|ette|ie|ya|ah|iane|iana|ane|ke|ique)$/;
const unifySpelling = (text: string) =>
  text
    .replace(/ck|qu/g, 'k')
    .replace(/c(?![eiyh])/g, 'k')
    .replace(/c(?=[eiy])|z/g, 's')
    .replace(/(.)\1+/g, '$1');

/** True if two given names look alike but belong to a man and a woman: Maria and Mario, Daniel and Danielle. */
export function areGenderVariants(a: Token, b: Token): boolean {
  return a.sex && b.sex ? a.sex !== b.sex : areLikelyGenderVariants(a, b);
}

/** Minimum length of a man's name of unknown sex that is paired with a woman's form in -ie (Valère, Valérie). */
const MIN_UNKNOWN_LETTERS = 6;

function isFrenchGenderPair(man: Token, woman: Token): boolean {
  if (!man.text.endsWith('e') || man.sex === FEMALE_FLAG || woman.sex === MALE_FLAG) return false;
  if (woman.text === `${man.text}e`) return man.raw.toLowerCase().endsWith('é');
  const isUnknownPair = man.sex === 0 && woman.sex === 0 && man.text.length >= MIN_UNKNOWN_LETTERS;
  return (man.sex !== woman.sex || isUnknownPair) && woman.text === `${man.text.slice(0, -1)}ie`;
}

/** True if two words look like the male and the female form of one given name, such as Mario and Maria. */
export function areLikelyGenderVariants(a: Token, b: Token): boolean {
  const [spellingA, spellingB] = [unifySpelling(a.text), unifySpelling(b.text)];
  const [short, long, shorter, longer] =
    spellingA.length <= spellingB.length ? [spellingA, spellingB, a, b] : [spellingB, spellingA, b, a];
  // The longer form must be the woman's name: Wayn is not the male form of Wayne.
  if (short.length < long.length && (longer.sex === MALE_FLAG || shorter.sex === FEMALE_FLAG)) return false;
  if (isFrenchGenderPair(shorter, longer) || isFrenchGenderPair(longer, shorter)) return true;
  if (shorter.text.endsWith('nt') && longer.text === `${shorter.text.slice(0, -1)}ce`) return true;
  if (short !== long && long.startsWith(short)) return FEMININE_ENDING.test(long.slice(short.length));
  const stem = short.replace(/(ien|ian|ain|in|on)$/, '');
  if (stem !== short && stem === long.replace(/(ine|ienne|iane|ia|ina|onne)$/, '')) return true;
  const [s, l] = [short.slice(0, -1), long.slice(0, -1)];
  return s === l && short !== long && /[aeoi]$/.test(short) && /[aeoi]$/.test(long);
}

/** Shortest name to which a Hungarian wife adds -né. */
const MIN_HUSBAND_LETTERS = 3;

/**
 * Returns the husband's given or family name in the name of a Hungarian wife, which adds -né: János for Jánosné, Kovács for Kovácsné. Without the
 * accent, only an unknown word of a man's given name counts, as Suzanne and Marianne are names.
 */
export function getNameOfHusband({ raw, text, entry }: Token): string | undefined {
  if (!text.endsWith('ne') || text.length < MIN_HUSBAND_LETTERS + 2) return undefined;
  const husband = text.slice(0, -2);
  const flags = findNameEntry(husband)?.flags ?? 0;
  const isMan = (flags & (MALE_FLAG | FEMALE_FLAG)) === MALE_FLAG;
  return (raw.toLowerCase().endsWith('né') ? flags !== 0 : isMan && !entry) ? husband : undefined;
}

/** Comparison result of a husband's given name and his wife's: János and Jánosné. */
const WIFE_AND_HUSBAND = createTokenComparisonResult('gendered', 0.06);
/** Comparison result of a family name and a Hungarian wife's: Kovács and Kovácsné. */
const WIFE_FAMILY_NAME = createTokenComparisonResult('gendered', 0.8);

/** Compares the name of a Hungarian wife with that of her husband. Undefined for other words. */
export function compareWithNameOfHusband(a: Token, b: Token): TokenComparison | undefined {
  const [husband, wife] = a.text.length < b.text.length ? [a, b] : [b, a];
  if (wife.text.length !== husband.text.length + 2 || getNameOfHusband(wife) !== husband.text)
    return undefined;
  return isGivenName(husband) ? WIFE_AND_HUSBAND : WIFE_FAMILY_NAME;
}

/** Matches an Icelandic patronymic: the genitive of the father's name, and son or daughter. */
const ICELANDIC_PATRONYMIC = /^(.{2,}?)(?:s|ar|a|u)(?:son|dottir)$/;

/** True if the family name of one name is the Icelandic patronymic of the other's given name, and both are patronymics. */
export function areIcelandicParentAndChild(a: PreparedName, b: PreparedName): boolean {
  const [x, y] = [a, b].map(({ tokens }) => ICELANDIC_PATRONYMIC.exec(tokens.at(-1)?.text ?? '')?.[1]);
  return x !== undefined && y !== undefined && (isFirstNameOf(x, b) || isFirstNameOf(y, a));
}

/** True if a name without its case ending is that of the given name: Sigurð- of Sigurður, Árn- of Árni. */
const isFirstNameOf = (stem: string, { tokens: [given] }: PreparedName) =>
  [given?.text, given?.text.replace(/(?:ur|[aisn])$/, '')].includes(stem);

/**
 * Finds the family name that two names share if one of them has two family names, as in Spanish: Ana Ruiz Soto, Eva Leal Ruiz. A common family name
 * counts even if it is a given name, too (Moreno, Santos).
 */
export function findSharedFamilyNameWord(a: PreparedName, b: PreparedName): 'rare' | 'common' | null {
  if (Math.max(a.tokens.length, b.tokens.length) < 3) return null;
  const words = getFamilyWords(b).map(({ text }) => text);
  const shared = getFamilyWords(a).filter(({ text }) => words.includes(text));
  if (shared.some((token) => isOnlyFamilyName(token) && !isCommonSurname(token))) return 'rare';
  return shared.some((token) => isOnlyFamilyName(token) || isCommonSurname(token)) ? 'common' : null;
}

/** True if two names with two family names, as in Spanish, have the same first one of them, which is the father's. */
export function haveSamePaternalSurname(a: PreparedName, b: PreparedName): boolean {
  const [x, y] = [a, b].map(({ tokens }) => (tokens.length > 2 ? tokens.at(-2) : undefined));
  return x !== undefined && x.text === y?.text && isOnlyFamilyName(x);
}

const getFamilyWords = ({ tokens }: PreparedName): Token[] => tokens.slice(tokens.length > 2 ? -2 : -1);

const isOnlyFamilyName = (token: Token) => isFamilyName(token) && !isGivenName(token);
const isFamilyName = ({ entry }: Token) => hasNameFlag(entry, SURNAME_FLAG);
const isCommonSurname = ({ entry }: Token) => hasNameFlag(entry, COMMON_SURNAME_FLAG);
const isGivenName = ({ entry }: Token) => hasNameFlag(entry, GIVEN_NAME_FLAG);

/**
 * True if one name consists of a given name and then the words with which the other name begins. Where nobody has a family name, these are a child
 * and the father: Hana Abebe Bekele and Abebe Bekele Tessema. Names with a known family name do not count: Smith Mary Ann and Mary Ann Jones.
 */
export const areChildAndFatherNames = (a: PreparedName, b: PreparedName): boolean =>
  continuesWith(a, b) || continuesWith(b, a);

function continuesWith({ tokens: child }: PreparedName, { tokens }: PreparedName): boolean {
  const [given, ...fathers] = child;
  if (!given || fathers.length < 2 || !isGivenName(given) || child.some(isFamilyName)) return false;
  return fathers.every(({ text }, i) => i >= tokens.length || text === tokens[i]?.text);
}
