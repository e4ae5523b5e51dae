import type { StoredContact, StoredRecord } from '../graph/sqlite/records.ts';
/** How many of `from` (sorted) are not in `to` (sorted). */
export declare function missing(from: number[], to: number[]): number;
/** Letter pairs that a slip or two change. */
export declare const SLIP = 3;
/** How many letter pairs two texts do not share, where what a slip leaves alone agrees; else null. */
export declare function slip(one: StoredContact, two: StoredContact): number | null;
/** Do two streets agree in most of their letter pairs (Dice 1945)? */
export declare function alikeStreet(one: StoredContact, two: StoredContact): boolean;
/** An address in common, to the letter or but for a slip in the street's name. */
export declare function sameAddress(a: StoredRecord, b: StoredRecord): boolean;
/** An address in common, or two on streets that are alike in one place. */
export declare function nearAddress(a: StoredRecord, b: StoredRecord): boolean;
/** Does any address of the one lie in a place of the other? */
export declare function samePlace(a: StoredRecord, b: StoredRecord): boolean;
