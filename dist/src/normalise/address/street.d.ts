/** A street's name in one spelling. */
export interface StreetName {
    /** Directionals, name and type: `N 37 PL`, `VALLEYDALE LN`. */
    line: string;
    /** The name alone, joined: `37`, `VALLEYDALE`. */
    core: string;
}
/** Whether a word is a house number; an ordinal (`5TH`) is a street. */
export declare function isHouseNumber(word: string): boolean;
/**
 * Brings a street's words, without number and unit, to one spelling.
 *
 * @param trailingNumber whether the house number stood behind the street, as in most of Europe and Latin America.
 */
export declare function readName(words: string[], trailingNumber: boolean): StreetName;
