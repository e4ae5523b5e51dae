import type { Facts, FieldFacts } from 'bonafide/plugin';
export declare const kinds: readonly ['email', 'phone', 'address'];
export type Kind = (typeof kinds)[number];
export declare const plural: (kind: Kind) => string;
/** "the email", "both emails", "all 3 emails", "1 of 3 emails". */
declare function some(kind: Kind, count: number, total: number): string;
/** "a", "a and b", "a, b and c". */
export declare function list(parts: readonly string[], last?: string): string;
export interface Phrase {
    text: string;
    /** True where the verb that follows is plural. */
    many: boolean;
}
/** The contacts with a given outcome; undefined where there are none. */
export declare function phrase(matches: Facts['matches'], outcome: keyof FieldFacts, options?: {
    withName?: boolean;
    say?: typeof some;
    last?: string;
}): Phrase | undefined;
/** The matching contacts with the name, after those of a different identity have been told. */
export declare function theRest(matches: Facts['matches']): Phrase | undefined;
/** The contacts without a record, to follow "no matching record for". */
export declare function unrecorded(matches: Facts['matches'], options?: {
    rest?: boolean;
}): string | undefined;
export declare const capital: (text: string) => string;
/** "today", "1 day ago", "12 days ago", "5 months ago", "8 years ago"; the figures are those of `ageOf`. */
export declare function ago(days: number): string;
/** "12 days", "5 months", "8 years". */
export declare function span(days: number): string;
/** Days in the unit that people would use, rounded down: a history is never made longer than it is. */
export declare function ageOf(days: number): {
    count: number;
    unit: 'day' | 'month' | 'year';
};
export {};
