/** One word of a name as it was written, with the particles in front of it. */
export interface Word {
    text: string;
    /** The text in Latin letters a-z; empty for other scripts. */
    folded: string;
    prefix: string;
    /** A hyphen ties it to the word before it. */
    tied: boolean;
}
/** A parsed name. `family` is filled only where the text itself tells (a comma). */
export interface ParsedName {
    words: Word[];
    /** How many of `words`, from the front, stand before a comma and are the family name; 0 = not known. */
    familyFirst: number;
    /** Nicknames in quotation marks, names in brackets. */
    extras: string[];
    /** Birth or former names in brackets after née, geb., born. */
    former: string[];
    /** Generation number of Jr, Sr, III …; 0 without one. */
    generation: number;
    suffix: string;
    titles: string[];
}
/** Splits a text into the parts of a name. Never throws; a text without letters gives no words. */
export declare function parseName(text: string): ParsedName;
