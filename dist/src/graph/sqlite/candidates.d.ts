import type { Agreement } from '../../model.ts';
import type { Found } from './postings.ts';
/** Whose names a check reads, and who is known by fingerprints to share the given name. */
export interface Chosen {
    read: number[];
    given: number[];
}
export interface ChooseInput {
    values: Agreement[][];
    /** Identities that a key of the name points to, the exact key's first. */
    named: number[];
    nameKeys: Found[];
    /** Identities that have no name at all. */
    nameless: Found;
    /** Key of the given name: very many may share it, so linked identities are asked for it. */
    givenKey: Found | null;
    /** Does an identity have this key? */
    has(found: Found, id: number): boolean;
}
/**
 * Reading an identity's names means decrypting and comparing them, so only those are read that bear the name by its fingerprints. Two
 * names that are one nearly always share a key; where nobody does, the best corroborated identities are read to be sure.
 */
export declare function choose(input: ChooseInput): Chosen;
