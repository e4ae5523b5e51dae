/** `{ "AVE": "AVENUE AV" }` as a Map from every spelling, the canonical one included, to the canonical one. */
export declare function spellings(entries: Record<string, string>, separator?: string): Map<string, string>;
/** Street types that end an English, German or Nordic street name: spelling → canonical. */
export declare const SUFFIXES: Map<string, string>;
/** Street types that start a Romance or Slavic street name. */
export declare const PREFIX_TYPES: Map<string, string>;
export declare const DIRECTIONALS: Map<string, string>;
export declare const UNIT_MARKS: Map<string, string>;
export declare const UNIT_WORDS: Set<string>;
export declare const NAME_WORDS: Map<string, string>;
export declare const CITY_WORDS: Map<string, string>;
export declare const PARTICLES: Set<string>;
export declare const HIGHWAY_WORDS: Set<string>;
export declare const HIGHWAY_MARKS: Set<string>;
/** `FIRST`…`TWENTIETH` → `1`…`20`. */
export declare const ORDINALS: Map<string, string>;
/** The street type a word was meant to be: cut short, or one typo away from a common type. Undefined where it is none. */
export declare function misspeltSuffix(word: string): string | undefined;
