import type { KeyType } from '../../model.ts';
import type { Vault } from '../vault.ts';
import type { Db } from './database.ts';
/** A record as the graph keeps it: what can be read back (sealed) and, for contacts, fingerprints only. */
export interface StoredRecord {
    recordId: string;
    source: string;
    names: string[];
    birthDate: string | null;
    /** The operator's own word on who this is: records with one label are one person. */
    label: string | null;
    /** Milliseconds since 1970. */
    firstSeen: number | null;
    lastSeen: number | null;
    contacts: StoredContact[];
}
export interface StoredContact {
    kind: 'email' | 'phone' | 'address';
    /** Type and fingerprint of each key; the exact one first. */
    keys: [KeyType, number][];
    /** Fingerprint of what a slip leaves alone, and of the letter pairs; see `Vault.grams`. */
    signature: {
        exactPart: number;
        grams: number[];
    } | null;
    /** Fingerprints of the zip and of the city, for linking only. */
    places: number[];
}
/** A stored record with its place in the file and the identity it had after the last linking. */
export interface RecordRow extends StoredRecord {
    row: number;
    /** Hex of the record's key: the order that does not depend on the order of import. */
    key: string;
    identity: number | null;
}
export interface RecordTable {
    /** Puts records in, replacing those with the same source and record id. One transaction. */
    put(records: StoredRecord[]): {
        added: number;
        replaced: number;
    };
    get(row: number): RecordRow;
    byRef(recordId: string): RecordRow[];
    byIdentity(identity: number): RecordRow[];
    rows(): IterableIterator<RecordRow>;
    count(): number;
    /** The highest row there is; 0 in an empty graph. */
    maxRow(): number;
}
export declare function recordTable(db: Db, vault: Vault): RecordTable;
