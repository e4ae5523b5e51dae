// What a tradition of naming may know. Each part is optional; index.ts collects them.
import type { Script } from '../script.ts';
import type { Reading, SoundMode, Token, TokenComparison, Word } from '../types.ts';

/** How one script writes names. */
export interface Writing {
  /** Latin letters and sounds of a word, `family` when it is known to be a family name. The empty text: nothing in it can be read. */
  read(word: string, family: boolean): Reading;
  /** What the script leaves out; of two scripts the one of higher rank decides how sounds are compared. */
  sounds: { mode: SoundMode; rank: number };
  /** A sign is a syllable, so that a word of one letter is no initial. */
  syllabic?: boolean;
  /** Short vowels go unwritten: two words of the same letters may still be two names. */
  consonants?: boolean;
  /** What a word may end in where it is spoken: the vowel a, another vowel (v), a consonant (c), a t among them (t). */
  ends?(raw: string): string;
  /** What must be equal in equal names, where the Latin letters tell too little. */
  exact?(token: Token): string;
  /** Whether these words begin with the family name. */
  familyLeads?(tokens: readonly Token[], text: string): boolean;
  /** Ways to cut an undivided name into family and given name. */
  cuts?(word: string): [family: string, given: string][];
}

/** Another form of a folded word, and what it says of two words that they share one. */
export interface Form {
  /** Only such words have one. */
  when: RegExp;
  make(text: string): string;
  /** Both words were changed into the form, or at most one. */
  both: TokenComparison;
  one: TokenComparison;
}

/** A name whose words are read and have their roles. */
export interface Draft {
  tokens: Token[];
  words: readonly Word[];
  text: string;
  /** A comma told which words are the family name. */
  sure: boolean;
}

/** A rule on two words: an answer, or undefined where it has nothing to say. */
type Rule = (a: Token, b: Token) => TokenComparison | undefined;

export interface Tradition {
  writings?: Partial<Record<Script, Writing>>;
  /** Signs that only help in reading a text. */
  pointing?: RegExp;
  /** Words of a name that are one; `when` such a word is among them. */
  gather?: { when: RegExp; join(words: readonly Word[]): Word[] };
  /** The article: tied to its name by a hyphen; apart from it, or left out; joined on to it (Al-Subaiy, Alsubaie). */
  article?: { tied: RegExp; apart: RegExp; joined: RegExp };
  form?: Form;
  /** Marks words, beside a family name of East Asia, and says which are family and given name. */
  arrange?(draft: Draft): void;
  /** Two words, one of them an initial, that are one all the same. */
  initials?: Rule;
  /** Two words of which one at least may be of East Asia: what they have in common, then what speaks against them. */
  same?: Rule;
  unlike?: Rule;
  /** What is left, 0-1, of a likeness of sounds between two scripts. */
  trust?(a: Token, b: Token): number;
}
