// Compares given names by the name tables, and by the ways in which short forms are made.
import { getTypoDistance } from '../../normalise/typo.ts';
import {
  COMMON_SURNAME_FLAG,
  FEMALE_FLAG,
  HAS_SHORT_FORMS_FLAG,
  GIVEN_NAME_FLAG,
  hasNameFlag,
  MALE_FLAG,
  type NameEntry,
} from '../lexicon.ts';
import { isPatronymicOf } from '../traditions/cyrillic-and-greek.ts';
import { areGenderVariants, areLikelyGenderVariants } from '../traditions/western.ts';
import {
  DIFFERENT_WORDS_RESULT,
  type Token,
  type TokenComparison,
  createTokenComparisonResult,
} from '../types.ts';
import { computeSoundDistance } from './sound.ts';

const SOUND_OPTIONS = { mode: 'latin', far: Infinity } as const;

function haveCommonItem<Item>(a: readonly Item[], b: readonly Item[]): boolean {
  if (a.length === 0 || b.length === 0) return false;
  for (const x of a) if (b.includes(x)) return true;
  return false;
}

/**
 * Returns how two names are related through a third name: `short` is a short form of another spelling (`spelling`) or of a foreign
 * equivalent (`culture`) of `full`. Otherwise undefined.
 */
function linkThroughFullForm(short: NameEntry, full: NameEntry): 'spelling' | 'culture' | undefined {
  let link: 'culture' | undefined;
  for (const fullForm of short.fullForms) {
    if (haveCommonItem(fullForm.spellingGroups, full.spellingGroups)) return 'spelling';
    if (haveCommonItem(fullForm.cultureGroups, full.cultureGroups)) link = 'culture';
  }
  return link;
}

/** Quality (0-1) of the male and the female form of one name. It is so low that no contacts can make the two forms one name. */
const TWO_SEXES_QUALITY = 0.2;

/** Quality (0-1) of two foreign equivalents that look alike but sound different. They often belong to two people. */
const NEAR_EQUIVALENT_QUALITY = 0.2;

const isStartOfOther = (a: Token, b: Token) => a.text.startsWith(b.text) || b.text.startsWith(a.text);

/** True for two words that differ in one letter, or of which one has two more letters: Ramon and Raymond. */
function areNearLetters(a: string, b: string): boolean {
  const edits = getTypoDistance(a, b, 2);
  return edits === 1 || (edits === 2 && Math.abs(a.length - b.length) === 2);
}

/**
 * Returns the consonants of a name in Latin letters, with one letter for each sound that languages spell differently: `mkl` for Michael and
 * Mykhailo, `pvl` for Paul and Pawel.
 */
const toConsonants = (text: string): string =>
  text
    .replace(/([ae])u/g, '$1v')
    .replace(/[kc]h|ck|[cq]/g, 'k')
    .replace(/ph/g, 'f')
    .replace(/w/g, 'v')
    .replace(/[aeiouyh]/g, '')
    .replace(/(.)\1/g, '$1');

const isWomansName = ({ entry }: Token): boolean => hasNameFlag(entry, FEMALE_FLAG);

/** Minimum number of equal consonants that make two foreign equivalents one name. Jane and Jean have two. */
const MIN_EQUAL_CONSONANTS = 3;

/** True if two foreign equivalents have equal consonants, and both or neither are women's names. Michael and Michele may be a couple. */
function haveEqualConsonants(a: Token, b: Token): boolean {
  if (isWomansName(a) !== isWomansName(b)) return false;
  const consonants = toConsonants(a.text);
  return consonants.length >= MIN_EQUAL_CONSONANTS && consonants === toConsonants(b.text);
}

/** Maximum sound distance of two foreign equivalents that are too similar for names of two relatives: Denis and Denys, Julie and Julia. */
const MAX_DISTANCE_OF_SPELLINGS = 0.07;
const EQUIVALENT = createTokenComparisonResult('cultural', 0.82);
const EQUIVALENT_OF_RELATIVES: TokenComparison = { ...EQUIVALENT, mayBeRelatives: true };
const EQUIVALENTS_OF_TWO_SEXES = createTokenComparisonResult('cultural', 0.15);

/**
 * Compares two foreign equivalents. The quality is lower if they look alike but sound different (Adam, Adan), because such names often
 * belong to two people. In one script, other equivalents that sound different, and have other consonants, may be the names of relatives.
 */
function compareEquivalents(a: Token, b: Token): TokenComparison {
  if (areGenderVariants(a, b)) return { relation: 'cultural', quality: TWO_SEXES_QUALITY };
  if (a.script !== b.script || isStartOfOther(a, b)) return EQUIVALENT;
  const distance = computeSoundDistance(a.sound, b.sound, SOUND_OPTIONS);
  if (distance > 0.12 && areNearLetters(a.text, b.text))
    return { relation: 'cultural', quality: NEAR_EQUIVALENT_QUALITY };
  return distance > MAX_DISTANCE_OF_SPELLINGS && !haveEqualConsonants(a, b)
    ? EQUIVALENT_OF_RELATIVES
    : EQUIVALENT;
}

/**
 * Returns the quality (0-1) of a short form of a name of the other sex: high for Gigi and Luigi, low for Jana and Jan, who are more often a
 * woman and a man.
 */
const otherSexNicknameQuality = (a: Token, b: Token) =>
  areLikelyGenderVariants(a, b) ? TWO_SEXES_QUALITY : 0.75;

/**
 * Returns the quality (0-1) of a short form and a foreign equivalent of its full name. It is higher if one of them starts with the other
 * (Al, Alfredo).
 */
const foreignNicknameQuality = (a: Token, b: Token) => (isStartOfOther(a, b) ? 0.8 : 0.45);

/** Comparison result of two common forms of one name, neither of them a short form: Maria, Marie. */
const NEAR_FORM = createTokenComparisonResult('nickname', 0.35);
const SHORT_FORM = createTokenComparisonResult('nickname', 0.89);
const SAME_SPELLING_GROUP = createTokenComparisonResult('spelling', 0.9);
/** Comparison result of two spellings that both are common family names, and often belong to two people: Reed and Reid. */
const TWO_COMMON_SURNAMES = createTokenComparisonResult('spelling', 0.6);
const SPELLINGS_OF_TWO_SEXES = createTokenComparisonResult('spelling', 0.4);
const SHORT_FORM_OF_SPELLING = createTokenComparisonResult('nickname', 0.85);
const TWO_SHORT_FORMS = createTokenComparisonResult('nickname', 0.75);
const TWO_SHORT_FORMS_OF_RELATIVES: TokenComparison = { ...TWO_SHORT_FORMS, mayBeRelatives: true };

/** True if `other` is a man's name plus the letter a, and may be a woman's name: André and Andrea. */
const isMansForm = (man: Token, other: Token) =>
  man.sex === MALE_FLAG && other.sex !== MALE_FLAG && other.text === `${man.text}a`;

const areCommonSurnames = (a: Token, b: Token): boolean =>
  [a, b].every(({ role, entry }) => role === 'family' && hasNameFlag(entry, COMMON_SURNAME_FLAG));

const differInLastVowel = (a: string, b: string) =>
  a.slice(0, -1) === b.slice(0, -1) && ['ae', 'ea'].includes(a.slice(-1) + b.slice(-1));

/** Compares two words by the name tables. Returns undefined if the tables contain no relation between them. */
export function compareWordsByNameTables(a: Token, b: Token): TokenComparison | undefined {
  const x = a.entry;
  const y = b.entry;
  if (!x || !y) return undefined;
  const hasTwoSexes = a.sex !== 0 && b.sex !== 0 && a.sex !== b.sex;
  if (x.fullForms.includes(y) || y.fullForms.includes(x))
    return hasTwoSexes || isMansForm(a, b) || isMansForm(b, a)
      ? { relation: 'nickname', quality: otherSexNicknameQuality(a, b) }
      : differInLastVowel(a.text, b.text)
        ? NEAR_FORM
        : SHORT_FORM;
  if (haveCommonItem(x.spellingGroups, y.spellingGroups))
    return hasTwoSexes
      ? SPELLINGS_OF_TWO_SEXES
      : areCommonSurnames(a, b)
        ? TWO_COMMON_SURNAMES
        : SAME_SPELLING_GROUP;
  if (haveCommonItem(x.cultureGroups, y.cultureGroups))
    return hasTwoSexes ? EQUIVALENTS_OF_TWO_SEXES : compareEquivalents(a, b);
  const link = linkThroughFullForm(x, y) ?? linkThroughFullForm(y, x);
  if (link === 'spelling') return SHORT_FORM_OF_SPELLING;
  if (!hasTwoSexes && haveCommonItem(x.fullForms, y.fullForms))
    return haveOneStem(a.text, b.text) ? TWO_SHORT_FORMS : TWO_SHORT_FORMS_OF_RELATIVES;
  if (link !== 'culture') return undefined;
  const isUnlikely = hasTwoSexes || areLikelyGenderVariants(a, b);
  return { relation: 'nickname', quality: isUnlikely ? 0.05 : foreignNicknameQuality(a, b) };
}

/** Endings of pet names, in many languages. */
const PET_ENDING = /(ie|ey|ee|y|i|o|a|e|ito|ita|inho|inha|ino|ina|chen|lein|ek|ik|ka|ko|cio|uca)$/;

/** Returns a short form without the pet ending and the doubled last letter: `len` for Lenny. The name itself if fewer than three letters are left. */
function toStem(text: string): string {
  const stem = text.replace(PET_ENDING, '').replace(/(.)\1$/, '$1');
  return stem.length < 3 ? text : stem;
}

/** True for two short forms of which one begins with the other, without their endings: Dave and Davey, Steve and Stevie, Mike and Mick. */
function haveOneStem(a: string, b: string): boolean {
  const [x, y] = [a, b].map((text) => toStem(text).replace(/ck$/, 'k')) as [string, string];
  return x.startsWith(y) || y.startsWith(x);
}

/**
 * Compares a name with a short form that is in no table: a shortened name (Greg, Fran), a shortened name with a pet ending (Roby, Mellie),
 * or the last part of a name (Tina, Fred).
 */
export function compareNameWithShortForm(a: Token, b: Token): TokenComparison {
  if (a.role === 'family' && b.role === 'family') return DIFFERENT_WORDS_RESULT;
  const [short, long] = a.text.length <= b.text.length ? [a, b] : [b, a];
  if (long.text.length - short.text.length < 2 || short.text.length < 3 || long.text.length < 5)
    return DIFFERENT_WORDS_RESULT;
  const quality = shortFormQuality(short, long);
  return quality > 0 && !areGenderVariants(short, long)
    ? { relation: 'nickname', quality }
    : DIFFERENT_WORDS_RESULT;
}

/** Quality (0-1) of a name beside a longer one that begins with it, if the shorter one is a name of its own. */
const OWN_NAME_QUALITY = 0.3;

function shortFormQuality(short: Token, long: Token): number {
  if (isPatronymicOf(long.text, short.text)) return 0;
  const isLongGivenName = hasNameFlag(long.entry, GIVEN_NAME_FLAG);
  if (long.text.startsWith(short.text)) return cutNameQuality(short, isLongGivenName);
  if (long.text.startsWith(short.text.slice(0, 2))) {
    const stem = toStem(short.text);
    // A name with short forms of its own is rarely a pet form of another listed name: Mary is not Margaret, Marie not Martine.
    const isOwnName = isLongGivenName && hasNameFlag(short.entry, HAS_SHORT_FORMS_FLAG);
    if (stem !== short.text && long.text.startsWith(stem))
      return 0.85 * (isOwnName ? OWN_NAME_QUALITY : cutNameQuality(short, isLongGivenName));
  }
  return short.text.length >= 4 && isLongGivenName && long.text.endsWith(short.text) ? 0.5 : 0;
}

function cutNameQuality({ entry }: Token, isLongGivenName: boolean): number {
  const isOwnName = entry && entry.flags & GIVEN_NAME_FLAG && entry.fullForms.length === 0;
  if (isOwnName) return OWN_NAME_QUALITY;
  return isLongGivenName ? 0.75 : 0.6;
}
