import type { PreparedName } from './prepare.ts';
/** Folded given, middle and family names (particles joined in front) and the suffix of a prepared name. */
export declare function nameParts(p: PreparedName): {
    given: string[];
    middle: string[];
    family: string[];
    suffix: string;
};
/** The first of the given names, as `nameParts` has it. */
export declare function firstGiven(p: PreparedName): string | undefined;
/**
 * One to four look-up keys, deterministic: `n:` the folded given and family name whatever their order, without middle
 * names, titles and suffixes; `c:` with the given name by its family of short forms and equivalents; `s:` both by the
 * consonants they sound with, which also meets across scripts; `i:` the initial of the given name by the family name.
 */
export declare function nameKeys(p: PreparedName): string[];
