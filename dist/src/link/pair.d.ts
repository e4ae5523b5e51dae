import { type LinkContext, type PairVerdict } from './evidence.ts';
import { type LinkRecord } from './record.ts';
/** From this sum on two records are one person, unless something else forbids it: odds of 8 to 1. */
export declare const LINK_BITS = 3;
/** Compares two records: a list of weighed evidence and its sum (Fellegi and Sunter 1969, in log2). */
export declare function comparePair(one: LinkRecord, two: LinkRecord, context: LinkContext): PairVerdict;
