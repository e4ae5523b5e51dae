// The nouns of the name engine.
import type { NameInfo } from './lexicon.ts';
import type { Script } from './script.ts';

/** One word of a name as it was written, with the particles in front of it. */
export interface Word {
  text: string;
  /** The text in Latin letters a-z; empty for other scripts. */
  folded: string;
  prefix: string;
  /** A hyphen ties it to the word before it. */
  tied: boolean;
}

export type Role = 'given' | 'middle' | 'family';

/** A written word as Latin letters a-z and as sounds, in the symbols of compare/symbols.ts. */
export interface Reading {
  text: string;
  sound: string;
  /** Han characters with variants made the same, and the form of their Chinese syllables. */
  characters?: string;
  chinese?: string;
}

/** One word of a prepared name, with all that is known of it. */
export interface Token {
  /** As it was written. */
  raw: string;
  /** Latin letters a-z. */
  text: string;
  /** The text by every rule of `FORMS`, in their order: without written-out umlauts, with a man's family ending … */
  forms: readonly string[];
  /** How many letters in front may be an article that is joined on. */
  article: number;
  /** The set of its letters, a bit each. */
  letters: number;
  /** Particles in front, folded and joined (`dela`). */
  prefix: string;
  /** Coarse sound, in the symbols of compare/symbols.ts. */
  sound: string;
  /** Han characters with variants made the same; empty for other scripts. */
  characters: string;
  /** Forms of Chinese and of Korean syllables in Latin letters; empty for other words. */
  chinese: string;
  korean: string;
  /** The Chinese name is spelt otherwise than in pinyin. */
  wadeGiles: boolean;
  /** Where the Latin word is a family name, a bit a column of the Han table; 0 for nowhere. */
  surnameOf: number;
  /** It may be of East Asia: by its script, as a family name, or by the family name that it stands beside. */
  eastern: boolean;
  script: Script;
  role: Role;
  initial: boolean;
  /** A word that is a title as often as a name (King, Sheikh). */
  maybeTitle: boolean;
  /** It stood in quotation marks or brackets. */
  bracketed?: boolean;
  /** It is a birth or former name. */
  birthName?: boolean;
  /** What the tables know of it, and the sex that it tells: 1 male, 2 female, 0 either or not known. */
  info: NameInfo | undefined;
  sex: number;
  /** Another word of the name tells the sex. */
  sexTold?: boolean;
}

/** A name made ready for comparing. Opaque to users of the engine. */
export interface PreparedName {
  text: string;
  /** Folded words, given name first, without titles, suffix and what stood in brackets; equal strings are equal names. */
  canonical: string;
  tokens: Token[];
  /** Other ways to read the name: an undivided one (山田太郎) cut into words, a nickname or birth name in its place. */
  others: Token[][];
  /** Birth or former family names, as written. */
  former: string[];
  generation: number;
  suffix: string;
  titles: string[];
  script: Script;
  /** A comma told which words are the family name. */
  sure: boolean;
}

/** What the scripts of two words leave out: `full` nothing, `eastern` an r after a vowel as well, `bare` short vowels (Arabic,
 * Hebrew, Thai), `indic` the short a; `latin`: both words are Latin, so that letters count for more.
 */
export type SoundMode = 'full' | 'eastern' | 'bare' | 'indic' | 'latin';

/** `slip` is a typo: answers have always called it so. */
export type Relation =
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

/** How likely two words are one person's name word, 0-1, given that the rest of the name agrees. */
export interface TokenComparison {
  quality: number;
  relation: Relation;
}

/** The answer on two single words. */
export const relation = (name: Relation, quality: number): TokenComparison => ({ relation: name, quality });
export const DIFFERENT = relation('different', 0);

// What an alignment is made of.
/** One pair of aligned words, or one word that has no partner (its other side is empty). */
export interface AlignedWord {
  a: string;
  b: string;
  relation: Relation | 'missing';
  /** 0-1: how likely the two words are one person's name word, given that the rest agrees. */
  quality: number;
}

/** A word, or two that are one on the other side. */
export type Side = [Token, ...Token[]];

export interface Link {
  a: Side;
  b: Side;
  comparison: TokenComparison;
}

export interface Alignment {
  links: Link[];
  /** Words without a partner. */
  onlyA: Token[];
  onlyB: Token[];
}
