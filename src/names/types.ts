// Types of the name engine, and functions that create comparison results.
import type { NameEntry } from './lexicon.ts';
import type { Script } from './script.ts';

/** Word of a name as written, with the particles before it. */
export interface Word {
  text: string;
  /** Word in lower-case letters a-z; empty for other scripts. */
  folded: string;
  /** Particles before the word in lower-case letters a-z, joined (`dela`). */
  prefix: string;
  /** True if a hyphen joins the word to the previous word. */
  isHyphenated: boolean;
  /** True if a dot follows the word. */
  hasDot: boolean;
  /** True if the word follows a dot without a space: `ra` in Sig.ra. */
  isAfterDot: boolean;
}

export type NameWordRole = 'given' | 'middle' | 'family';

/** Written word as Latin letters a-z and as sounds. */
export interface WordTransliteration {
  text: string;
  /** Sounds in the symbols of compare/symbols.ts. */
  sound: string;
  /** Chinese characters, each replaced by its main variant; undefined for other scripts. */
  characters?: string;
  /** Unified spelling of the Chinese syllables; see `unifyChineseSpelling`. Undefined for other words. */
  chineseForm?: string;
}

/** Word of a prepared name, with all properties that comparisons use. */
export interface Token {
  raw: string;
  /** Word in Latin letters a-z. */
  text: string;
  /** The text in every variant form, in the order of `WORD_VARIANT_FORM_RULES` (without umlauts, masculine ending …). */
  variantForms: readonly string[];
  /** Number of letters at the start of the text that may be an article, such as 2 in `alsubaie`. */
  articleLength: number;
  letterSet: number;
  /** Particles before the word in lower-case letters a-z, joined (`dela`). */
  prefix: string;
  /** Approximate sounds of the word, in the symbols of compare/symbols.ts. */
  sound: string;
  /** Chinese characters, each replaced by its main variant; empty for other scripts. */
  characters: string;
  /** Unified spelling of the Chinese syllables (see `unifyChineseSpelling`); empty if the word is not Chinese. */
  chineseForm: string;
  koreanForm: string;
  /** Letters and marks of a Vietnamese word that is written with marks: two forms are two names, Hùng and Hưng. Undefined for other words. */
  vietnameseForm?: string;
  /** True if the word is a Chinese name in another spelling than pinyin. */
  isWadeGiles: boolean;
  /** Regions in which the Latin word is a family name, as one bit per column of the Han table; 0 for none. */
  surnameRegions: number;
  /**
   * True if the word may be East Asian, because of its script, because it is a family name there, or because of the family name next to it.
   */
  mayBeEastAsian: boolean;
  /** True if the word contains a digit in place of a letter: R0bert. */
  hasDigit: boolean;
  /** True for a Latin word that occurs almost only in Arabic names. */
  isArabicNameWord: boolean;
  /** True if the whole name is probably Arabic, because of an article or another word. */
  mayBeArabic: boolean;
  script: Script;
  role: NameWordRole;
  isInitial: boolean;
  /** True for the word before the last one, if it may be the first of two family names, by which people go: Ruiz in Ana Ruiz Castro. */
  isFirstFamilyName?: boolean;
  /** True for a word that is as often a title as a name (King, Sheikh). */
  mayBeTitle: boolean;
  /** True if the word was in quotation marks or brackets. */
  isBracketed?: boolean;
  isBirthName?: boolean;
  /** Entry of the word in the name tables; undefined if they do not contain it. */
  entry: NameEntry | undefined;
  /** Sex of people with this name: `MALE_FLAG`, `FEMALE_FLAG`, or 0 for both or unknown. */
  sex: number;
  /** True if another word of the name shows whether the person is a man or a woman. */
  hasSexMarker?: boolean;
}

/** Name prepared for comparisons. Code outside this folder does not read its properties. */
export interface PreparedName {
  text: string;
  /** Words in lower-case letters a-z, given name first, without titles, suffix and brackets. Two names are equal if this text is equal. */
  canonical: string;
  /** `canonical` without spaces. It is equal for names that differ only in spaces. */
  letters: string;
  tokens: Token[];
  /**
   * Other readings of the name, which are also compared: split into words if it has no spaces, or with a nickname or birth name in place of
   * a part.
   */
  alternatives: Token[][];
  /** Words that were left out because they repeat a word of the name; undefined for names as written. */
  repeatedWords?: readonly string[];
  /** Birth names or former family names as written. */
  formerNames: string[];
  /** Generation that the name's suffix gives: 1 for Sr, 2 for Jr, 3 for III; 0 without a suffix. */
  generation: number;
  suffix: string;
  titles: string[];
  script: Script;
  /** True if a comma shows which words are the family name. */
  hasKnownFamilyName: boolean;
}

/**
 * Method for the comparison of sounds. It depends on the sounds that the two scripts omit. `full`: none; `eastern`: r after a vowel; `bare`:
 * short vowels (Arabic, Hebrew, Thai); `indic`: the short a. `latin` is for two Latin words, whose letters count more than their sounds.
 */
export type SoundComparisonMode = 'full' | 'eastern' | 'bare' | 'indic' | 'latin';

/** Relation between two words of two names. `slip` means a typing error. */
export type WordRelation =
  | 'equal'
  | 'initial'
  | 'nickname'
  | 'cultural'
  | 'spelling'
  | 'script'
  | 'gendered'
  | 'slip'
  | 'part'
  | 'joined'
  | 'different';

/** Result of comparing two words. `quality` is the likelihood (0-1) that both names belong to one person if all other words are equal. */
export interface TokenComparison {
  quality: number;
  relation: WordRelation;
  /** True if two relatives may have the two words as their given names, although the name tables relate them: Sean and Ian, Lisa and Elsa. */
  mayBeRelatives?: true;
}

export const createTokenComparisonResult = (relation: WordRelation, quality: number): TokenComparison => ({
  relation,
  quality,
});
export const DIFFERENT_WORDS_RESULT = createTokenComparisonResult('different', 0);
/** Comparison result of an initial and a word that begins with it. */
export const SAME_INITIAL_RESULT = createTokenComparisonResult('initial', 0.85);

/** Two aligned words, or one word without a partner. Without a partner, the other side is empty and the relation is `missing`. */
export interface AlignedWordPair {
  a: string;
  b: string;
  relation: WordRelation | 'missing';
  /** Likelihood (0-1) that two names belong to one person if these are their only different words. */
  quality: number;
}

/** One side of an aligned pair: a word, or two words that together equal one word of the other name. */
export type AlignedPairSide = [Token, ...Token[]];

export interface AlignedTokenPair {
  a: AlignedPairSide;
  b: AlignedPairSide;
  comparison: TokenComparison;
}

/** Alignment of two names: the pairs of words, and the words of each name without a partner. */
export interface NameAlignment {
  links: AlignedTokenPair[];
  onlyA: Token[];
  onlyB: Token[];
}
