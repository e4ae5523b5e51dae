/** A written word as Latin letters and as sounds. */
export interface Reading {
    text: string;
    sound: string;
}
/** Reads a word by an alphabet; letters that the alphabet lacks are left out. */
export declare function readLetters(word: string, alphabet: string): Reading;
/** Thai vowels that are written before the consonant they follow, and letters that a mark silences. */
export declare function thaiOrder(word: string): string;
