// The parts of a naming tradition. Every part is optional; index.ts collects the parts of all traditions.
import type { Script } from '../script.ts';
import type { SoundMode, Token, TokenComparison, Word, WordReading } from '../types.ts';

export interface ScriptRules {
  /**
   * Returns the Latin letters and the sounds of one written word. `isFamilyName` is true if the word is known to be a family name. An empty
   * text means that the word has no readable letter.
   */
  readWord(word: string, isFamilyName: boolean): WordReading;
  /** Sounds that the script leaves out. If two words have different scripts, the mode with the higher rank is used. */
  sounds: { mode: SoundMode; rank: number };
  /** True if one sign is a syllable, so that a word of one sign is not an initial. */
  isSyllabic?: boolean;
  /** True if the script leaves out short vowels: two words of the same letters may then be two names. */
  omitsVowels?: boolean;
  /** Returns the possible last sounds of a spoken word: the vowel a (`a`), another vowel (`v`), a consonant (`c`), the consonant t (`t`). */
  endingSounds?(raw: string): string;
  /** Returns the text that must be equal in equal names. Only scripts whose Latin spelling is not exact enough have this function. */
  exactText?(token: Token): string;
  /** True if the family name comes first in a name of these words. */
  hasFamilyNameFirst?(tokens: readonly Token[], original: string): boolean;
  /** Returns the possible ways to split a name without blanks into family name and given name. */
  splitUndivided?(word: string): [family: string, given: string][];
}

/** Rule that turns a folded word (a-z) into a variant form, and the results of comparing two words with the same form. */
export interface VariantForm {
  appliesTo: RegExp;
  toForm(text: string): string;
  /** Result for two words with the same form, if both words differ from the form. */
  ifBothChanged: TokenComparison;
  /** Result for two words with the same form, if at least one word equals the form. */
  ifOneChanged: TokenComparison;
}

/** Name whose words are read and have roles, before a naming tradition corrects the roles. */
export interface NameDraft {
  tokens: Token[];
  words: readonly Word[];
  original: string;
  /** True if a comma marks the family name. */
  hasKnownFamilyName: boolean;
}

/** Compares two words. Returns undefined if the rule does not apply to the words. */
type TokenRule = (a: Token, b: Token) => TokenComparison | undefined;

export interface NamingTradition {
  scripts?: Partial<Record<Script, ScriptRules>>;
  /** Marks that only help the reader, such as vowel points; they are removed before a name is parsed. */
  ignoredMarks?: RegExp;
  /** Joins words that together are one name; called if a word of the name matches `appliesTo`. */
  wordJoiner?: { appliesTo: RegExp; join(words: readonly Word[]): Word[] };
  /** Patterns of the article: before a hyphen, as a separate word or left out, and attached to the name (Al-Subaiy, Alsubaie). */
  articlePatterns?: { hyphenated: RegExp; separate: RegExp; attached: RegExp };
  variantForm?: VariantForm;
  /** Corrects roles and marks of words; called if a word of the name may be East Asian. */
  assignRoles?(draft: NameDraft): void;
  /** Compares a word with an initial, if their first letters differ. */
  initialRule?: TokenRule;
  /** Compares two words of which one may be East Asian. */
  agreementRule?: TokenRule;
  /** Finds evidence that two words are different names; called after all agreement rules. */
  conflictRule?: TokenRule;
  /** Returns a factor from 0 to 1 for the similarity of sounds of two words in two scripts. */
  soundTrust?(a: Token, b: Token): number;
}
