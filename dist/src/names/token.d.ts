import { type NameInfo } from './lexicon.ts';
import { type Script } from './script.ts';
export type Role = 'given' | 'middle' | 'family';
/** One word of a prepared name. */
export interface Token {
    /** As it was written. */
    raw: string;
    /** Latin letters a-z. */
    text: string;
    /** The text without written-out umlauts, with a man's family ending, with Abd al- and ud-din made even. */
    plain: string;
    family: string;
    servant: string;
    /** The set of its letters, a bit each. */
    letters: number;
    /** Particles in front, folded and joined (`dela`). */
    prefix: string;
    /** Coarse sound, in the symbols of phonemes.ts. */
    sound: string;
    /** Characters with variants made the same; empty for other scripts. */
    han: string;
    /** Forms of Chinese and of Korean syllables in Latin letters; empty for other words. */
    sino: string;
    korean: string;
    /** The Chinese name is spelt otherwise than in pinyin. */
    giles: boolean;
    /** A family name of China or Korea in Latin letters. */
    eastern: boolean;
    script: Script;
    role: Role;
    initial: boolean;
    /** A word that is a title as often as a name (King, Sheikh). */
    soft: boolean;
    /** It stood in quotation marks or brackets. */
    aside?: boolean;
    /** It is a birth or former name. */
    birth?: boolean;
    info: NameInfo | undefined;
}
/** The set of the letters of a folded word, a bit each. */
export declare function letterSet(text: string): number;
/** The forms of a folded word that are compared beside the word itself. */
export declare function spellings(text: string): Pick<Token, 'text' | 'plain' | 'family' | 'servant' | 'letters'>;
/** To be called when the tables have changed: words are looked up in them once. */
export declare function forgetWords(): void;
/** Makes the token of one written word. */
export declare function makeToken(raw: string, prefix: string, role?: Role): Token;
/** Two neighbouring words as one: Ji Sung -> Jisung. */
export declare function joinTokens(a: Token, b: Token): Token;
