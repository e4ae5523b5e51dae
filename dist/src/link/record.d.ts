import { type PreparedName } from '../names/index.ts';
import type { RecordRow } from '../graph/sqlite/records.ts';
import type { Vault } from '../graph/vault.ts';
/** A record made ready for comparing. */
export interface LinkRecord extends RecordRow {
    prepared: PreparedName[];
    /** The words of each prepared name, for telling the members of a household apart. */
    words(): NameWords[];
    suffix: string;
    /** Fingerprints of the keys of its first name, the exact one first. */
    nameKeys: number[];
    /** Fingerprint of the exact first name with the birth date; null where one of the two is missing. */
    bearer: number | null;
}
export interface NameWords {
    /** The given name, where it is more than an initial. */
    given: PreparedName | null;
    /** Every word that is more than an initial. */
    words: PreparedName[];
}
export declare function linkRecord(record: RecordRow, vault: Vault): LinkRecord;
/** Records with this in common count as one name among those who share a value: Bob and Robert are not two people. */
export declare function personKey(record: LinkRecord): number;
