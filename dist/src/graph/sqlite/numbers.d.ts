import type { Db } from './database.ts';
export interface Numbering {
    /** The identity number of each group, in the order of the groups. */
    numbers: number[];
    /** Numbers given earlier that are no group's any more, and the number that stands for each now (null: its records are gone). */
    redirects: Map<number, number | null>;
}
/**
 * A group keeps the lowest number that any of its records had. Where two groups claim one number (an identity fell apart), the
 * group with more of its records keeps it, then the one with the earlier record. Groups without a number get new ones, and a
 * number that was ever given is not given to somebody else.
 */
export declare function numberGroups(db: Db, groups: number[][]): Numbering;
