/** Latin syllables of a kana word. `ッ` doubles nothing and `ー` is left out, as most spellings of names do. */
export declare function kanaSyllables(text: string): string[];
/** Sounds of kana syllables. */
export declare function kanaSound(list: readonly string[]): string;
