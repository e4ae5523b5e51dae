export type Script = 'latin' | 'cyrillic' | 'greek' | 'han' | 'kana' | 'hangul' | 'arabic' | 'hebrew' | 'thai' | 'other';
/** Script of one code point; letters that have no handling of their own are `other`. */
export declare function scriptOf(code: number): Script;
/**
 * Lowercase Latin letters a-z of a text: accents and other marks dropped, special letters spelt out (`ø` -> `o`,
 * `ß` -> `ss`), everything that is not a letter dropped.
 */
export declare function foldLatin(text: string): string;
/** The script of most letters of a text; `latin` for a text without letters. */
export declare function mainScript(text: string): Script;
