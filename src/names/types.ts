// Types of the name engine, and the two helpers that make results on two words.
import type { NameEntry } from './lexicon.ts';
import type { Script } from './script.ts';

/** Word of a name as it is written, with the particles in front of the word. */
export interface Word {
  text: string;
  /** The word in Latin letters a-z; empty for other scripts. */
  folded: string;
  /** Particles in front of the word, folded and joined (`dela`). */
  prefix: string;
  /** True if a hyphen joins the word to the word before it. */
  isHyphenated: boolean;
}

export type NameRole = 'given' | 'middle' | 'family';

/** A written word as Latin letters a-z and as sounds. */
export interface WordReading {
  text: string;
  /** Sounds in the symbols of compare/symbols.ts. */
  sound: string;
  /** Han characters, each replaced by its main variant. */
  characters?: string;
  /** Form of the Chinese syllables; see `toCommonChineseForm`. */
  chineseForm?: string;
}

/** Word of a prepared name, with everything that is known about the word. */
export interface Token {
  raw: string;
  /** The word in Latin letters a-z. */
  text: string;
  /** The text in every variant form, in the order of `WORD_VARIANT_FORMS` (without umlauts, masculine ending …). */
  variantForms: readonly string[];
  /** Number of letters at the start of the text that may be an attached article. */
  articleLength: number;
  letterSet: number;
  /** Particles in front of the word, folded and joined (`dela`). */
  prefix: string;
  /** Coarse sounds, in the symbols of compare/symbols.ts. */
  sound: string;
  /** Han characters, each replaced by its main variant; empty for other scripts. */
  characters: string;
  /** Form of the Chinese syllables; empty if the word is not Chinese. */
  chineseForm: string;
  koreanForm: string;
  /** True if the Chinese name is not spelt in pinyin. */
  isWadeGiles: boolean;
  /** Regions where the Latin word is a family name, one bit for each column of the Han table; 0 if nowhere. */
  surnameRegions: number;
  /** True if the word may be East Asian: by its script, as a family name, or because of the family name next to it. */
  mayBeEastAsian: boolean;
  /** True if the word was written with a digit for a letter: R0bert. */
  hasDigit: boolean;
  /** True for a Latin word that nearly only Arabic names have. */
  isArabicName: boolean;
  /** True for a Latin word of a name that is probably Arabic, because of an article or another word of the name. */
  mayBeArabic: boolean;
  script: Script;
  role: NameRole;
  isInitial: boolean;
  /** True for a word that is a title as often as it is a name (King, Sheikh). */
  mayBeTitle: boolean;
  /** True if the word was in quotation marks or brackets. */
  isBracketed?: boolean;
  isBirthName?: boolean;
  /** Entry of the word in the name tables; undefined if they do not have the word. */
  entry: NameEntry | undefined;
  /** Sex of people with this name: `MALE_FLAG`, `FEMALE_FLAG`, or 0 for either or unknown. */
  sex: number;
  /** True if another word of the name shows the sex of the person. */
  hasSexMarker?: boolean;
}

/** Name that is prepared for comparing. Users of the name engine do not read its members. */
export interface PreparedName {
  text: string;
  /** Folded words, given name first, without titles, suffix and brackets. Names with equal strings are equal. */
  canonical: string;
  /** `canonical` without spaces: names that differ only in spaces have equal letters. */
  letters: string;
  tokens: Token[];
  /** Other readings of the name: a name without blanks split into words, or a name with a nickname or birth name in place of a part. */
  alternatives: Token[][];
  /** Birth or former family names, as they were written. */
  formerNames: string[];
  /** Generation given by the suffix (Jr, Sr, III); 0 without a suffix. */
  generation: number;
  suffix: string;
  titles: string[];
  script: Script;
  /** True if a comma marks the family name. */
  hasKnownFamilyName: boolean;
}

/**
 * Way of comparing sounds, by the sounds that the two scripts leave out: `full` leaves out nothing, `eastern` r after a vowel too, `bare`
 * short vowels (Arabic, Hebrew, Thai), `indic` the short a. `latin` is for two Latin words, whose letters count more than sounds.
 */
export type SoundMode = 'full' | 'eastern' | 'bare' | 'indic' | 'latin';

/** Relation of two words of two names. `slip` means a typing error. */
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

/** Result of comparing two words. `quality` is the likelihood, 0-1, that both words name one person if all other words agree. */
export interface TokenComparison {
  quality: number;
  relation: WordRelation;
}

export const createTokenComparison = (relation: WordRelation, quality: number): TokenComparison => ({
  relation,
  quality,
});
export const DIFFERENT_WORDS_RESULT = createTokenComparison('different', 0);

/** Two aligned words, or one word without a partner. Without a partner, the other side is empty and the relation is `missing`. */
export interface AlignedWord {
  a: string;
  b: string;
  relation: WordRelation | 'missing';
  /** Likelihood, 0-1, that both words name one person if the other words agree. */
  quality: number;
}

/** Side of a link: a word, or two words that together equal one word of the other name. */
export type LinkedTokens = [Token, ...Token[]];

export interface AlignedWordPair {
  a: LinkedTokens;
  b: LinkedTokens;
  comparison: TokenComparison;
}

/** Alignment of the words of two names: pairs of words, and the words of each name without a partner. */
export interface Alignment {
  links: AlignedWordPair[];
  onlyA: Token[];
  onlyB: Token[];
}
