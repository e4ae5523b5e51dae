/** Revised Romanization of a Hangul word, syllable by syllable. */
export declare function hangulLatin(word: string): string;
/** Sounds of a Hangul word. */
export declare function hangulSound(word: string): string;
