import { type Script } from './script.ts';
import { type Token } from './token.ts';
/** A name made ready for comparing. Opaque to users of the engine. */
export interface PreparedName {
    text: string;
    /** Folded words, given name first, without titles, suffix and asides; equal strings are equal names. */
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
/** Parses and romanises a name and looks its words up. Never throws; any string is accepted. */
export declare function prepareName(text: string): PreparedName;
