/** Long vowels of Japanese are written in many ways (Sato, Satou, Satoh): they are written short here. */
export declare function evenVowels(text: string): string;
/** Characters with variants of one character made the same. */
export declare function plainHan(word: string): string;
/** How many characters of a Han name are the family name, by the surnames of China and Korea; 0 = not known. */
export declare function surnameLength(word: string): number;
/** Whether Han characters are the usual rendering of a foreign name: 乔治 of George. */
export declare function isRenderingOf(word: string, latin: string): boolean;
/** Whether a Latin word is a reading of Han characters in some language but Mandarin. */
export declare function isReadingOf(word: string, latin: string, family: boolean): boolean;
/** Forms of the Korean readings of up to three characters, as `koreanForm` writes them. */
export declare function koreanOf(word: string): string[];
/** How two Latin surnames meet in one Chinese character: in one language, across languages, or not at all. */
export declare function sinoSurnames(a: string, b: string): 'same' | 'across' | undefined;
/** Whether a Latin word is a family name of China in pinyin or a southern spelling. */
export declare function isSinoSurname(text: string): boolean;
/** Whether a Latin word is a family name of China or Korea. */
export declare function isEasternSurname(text: string): boolean;
/** Whether a Latin word is a family name of Korea. */
export declare function isKoreanSurname(text: string): boolean;
/** Mandarin syllables of a Han word. pinyin-pro is loaded when the first character comes that the table lacks. */
export declare function mandarin(word: string, family: boolean): string[];
/** Sounds of Mandarin syllables: as Chinese names are spelt, and as foreign names are rendered with them. */
export declare function mandarinSound(list: readonly string[]): string;
