// The parts of a naming tradition. Every part is optional; index.ts collects the parts of all traditions.
import type { Script } from '../script.ts';
import type { SoundComparisonMode, Token, TokenComparison, Word, WordTransliteration } from '../types.ts';

export interface ScriptRules {
  /**
   * Returns the Latin letters and sounds of one written word. `isFamilyName` is true if the word is known to be a family name. An empty text
   * means that the word has no readable letter.
   */
  readWord(word: string, isFamilyName: boolean): WordTransliteration;
  /** Comparison mode for the sounds that the script omits. For two scripts, the mode with the higher rank is used. */
  sounds: { mode: SoundComparisonMode; rank: number };
  /** True if one sign is a whole syllable, so that a word of one sign is not an initial. */
  isSyllabic?: boolean;
  /** True if the script omits short vowels. Two words with the same letters may then be two names. */
  omitsVowels?: boolean;
  /**
   * Returns the possible last sounds of a spoken word, one letter for each: `a` for the vowel a, `u` for o and u that English writes with w,
   * `v` for any vowel but a, `t` for the consonant t, `c` for another consonant.
   */
  endingSounds?(raw: string): string;
  /** Returns a text that is equal only for equal names. Only scripts with an inexact Latin spelling have this function. */
  exactText?(token: Token): string;
  /** True if the family name is the first of these words. */
  hasFamilyNameFirst?(tokens: readonly Token[], original: string): boolean;
  /** Divides a name without spaces where the script changes between family and given name. Undefined if there is no such place. */
  divideByScript?(word: string): [family: string, given: string] | undefined;
  /** Returns the possible splits of a name without spaces into family and given name. */
  splitUndivided?(word: string): [family: string, given: string][];
}

/** Rule that converts a word (lower-case a-z) to a variant form, and the result of comparing two words with the same form. */
export interface VariantFormRule {
  appliesTo: RegExp;
  toForm(text: string): string;
  /** Result for two words with the same form, if both words differ from the form. */
  ifBothChanged: TokenComparison;
  /** Result for two words with the same transliterated form, if at least one of the words is already written in this form. */
  ifOneChanged: TokenComparison;
}

/** Name whose words have been read and have roles, before a naming tradition corrects these roles. */
export interface NameDraft {
  tokens: Token[];
  words: readonly Word[];
  original: string;
  /** True if a comma shows which words are the family name. */
  hasKnownFamilyName: boolean;
}

/** Compares two words. Returns undefined if the rule does not apply to them. */
type TokenRule = (a: Token, b: Token) => TokenComparison | undefined;

export interface NamingTradition {
  scripts?: Partial<Record<Script, ScriptRules>>;
  /** Marks that only help the reader, such as vowel points. They are removed before a name is parsed. */
  ignoredMarks?: RegExp;
  /** Joins words that are one name together. Called if a word of the name matches `appliesTo`. */
  wordJoiner?: { appliesTo: RegExp; join(words: readonly Word[]): Word[] };
  /**
   * Patterns of the article in its three spellings: with a hyphen, as a separate word or omitted, and attached to the name (Al-Subaiy,
   * Alsubaie).
   */
  articlePatterns?: { hyphenated: RegExp; separate: RegExp; attached: RegExp };
  variantForm?: VariantFormRule;
  /** Corrects the roles and other properties of words. Called if a word of the name may be East Asian. */
  assignRoles?(draft: NameDraft): void;
  /** Compares a word with an initial that has another first letter. */
  initialRule?: TokenRule;
  /** Compares two words of which at least one may be East Asian. Called before all conflict rules. */
  matchRule?: TokenRule;
  /** Finds evidence that two words are two names. Called if no match rule applies. */
  conflictRule?: TokenRule;
  /** Returns a factor (0-1) on the sound similarity of two words in two scripts. Default: 1. */
  soundSimilarityFactor?(a: Token, b: Token): number;
}
