/** Coarse sound of a folded Latin word (a-z), whatever its language. */
export declare function latinSound(word: string): string;
