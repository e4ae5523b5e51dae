import type { LookupKey } from '../../model.ts';
import type { Vault } from '../vault.ts';
import type { RecordRow } from './records.ts';
/** An identity as it is published: what its records say, gathered. */
export interface Gathered {
    firstSeen: number | null;
    lastSeen: number | null;
    records: number;
    sources: number;
    /** As spelled, the primary first; at most `NAMES`. */
    names: string[];
    /** Fingerprint of each key, and whether it belongs to the primary value of its kind. */
    postings: Map<number, boolean>;
    signatures: {
        kind: 'email' | 'address';
        exactPart: number;
        grams: number[];
        primary: boolean;
    }[];
}
/** Looked up like a key of a name: identities whose records carry no name. */
export declare const NAMELESS: LookupKey;
/**
 * Gathers the records of one identity. The primary value of a kind is the one most records attest, then the one seen last, then
 * the first listed. `records` must be in the order of import.
 */
export declare function gather(records: RecordRow[], vault: Vault): Gathered;
/** Kept of an exact part in clear: enough to know most strangers by, and so little that very many values have it in common. */
export declare const shortExactPart: (exactPart: number) => number;
/** The exact parts of an identity's signatures as they are kept beside them: short, with spaces between. */
export declare function exactPartsOf(signatures: Gathered['signatures']): string;
