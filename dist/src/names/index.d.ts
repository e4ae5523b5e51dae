import { type Variation } from './judge.ts';
import { prepareName, type PreparedName } from './prepare.ts';
import type { AlignedToken } from './align.ts';
export { firstGiven, nameKeys, nameParts } from './keys.ts';
export { nameTablesDigest } from './lexicon.ts';
export { type NameFrequency, useNameFrequencies } from './rarity.ts';
export { prepareName };
export type { AlignedToken, PreparedName, Variation };
/**
 * Adds an operator's own table to the shipped ones; see `data/names` for the form. Names prepared before keep what was known then.
 * Errors: `file_not_found`, `unreadable_file`, `invalid_config` (a section of another name).
 */
export declare function loadNameTables(path: string): void;
/** The answer on two names. `concerns`, `explanation` and `alignment` are worked out when they are read. */
export interface NameComparison {
    /** 0-100: share of such pairs that are one person's, on balanced pairs. */
    confidence: number;
    /** What explains most of the difference. */
    variation: Variation;
    /** The pair could be one person's. */
    same: boolean;
    concerns: string[];
    explanation: string;
    alignment: AlignedToken[];
}
/** Compares two prepared names; for one name against many. */
export declare function comparePrepared(a: PreparedName, b: PreparedName): NameComparison;
/** Compares two names as they were written. Accepts any strings and never throws. */
export declare function compareNames(a: string, b: string): NameComparison;
