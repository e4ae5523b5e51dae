import { type LinkContext, type LinkEvidence } from './evidence.ts';
import type { LinkRecord } from './record.ts';
export interface NameEvidence {
    evidence: LinkEvidence[];
    /** Too different for one person. */
    conflict: boolean;
    /** The generational suffixes differ: two people for certain. */
    suffixes: boolean;
    /** Share of the contacts' agreement that counts, 0-1: where the names differ, a household explains the rest. */
    credit: number;
}
/** @param dated do the birth dates speak for one person? */
export declare function nameEvidence(a: LinkRecord, b: LinkRecord, context: LinkContext, dated: boolean): NameEvidence;
/** Are the names likely enough one person's to count for it? Both records must have one. */
export declare function namesAgree(a: LinkRecord, b: LinkRecord): boolean;
