/** One form for the pinyin and the Wade-Giles spelling of up to three syllables; undefined for other words. */
export declare function sinoForm(text: string): string | undefined;
/** Whether a text is spelt in pinyin syllables throughout. */
export declare function isPinyin(text: string): boolean;
/** One form for the spellings of a Korean syllable: Young, Yeong and Yung, Chung, Jung and Jeong. */
export declare function koreanForm(syllable: string): string;
/** Form of a Korean name of one or two syllables; empty for words that do not divide so. */
export declare function koreanGiven(text: string): string;
