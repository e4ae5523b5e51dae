import type { RecordTable } from '../graph/sqlite/records.ts';
import type { Vault } from '../graph/vault.ts';
import type { LinkContext } from './evidence.ts';
import { type Noise } from './noise.ts';
import { type LinkRecord } from './record.ts';
/** What one reading of all records tells. */
export interface Survey extends Omit<LinkContext, 'sharers' | 'noise'> {
    /** Number of records with a name and a birth date. */
    dated: number;
    /** The share of these whose name and birth date another record has too, 0-1. */
    recurring: number;
}
/** Where the keys of all records are kept sorted, so that memory stays bounded; see sqlite/blocks.ts. */
export interface BlockStore {
    /** A record has a key. All of them first, then the rest below. */
    add(key: number, row: number): void;
    /** Rows that share a key, for every key that two or more share; rows ascending. */
    groups(): Iterable<{
        key: number;
        rows: number[];
    }>;
    /** Two records are to be compared, though only a key that more than `WIDE` share tells so. */
    addPair(a: number, b: number): void;
    /** Every two records that share a key which at most `WIDE` share, and those added; each once, ascending. */
    pairs(): Iterable<[a: number, b: number]>;
}
export interface LinkOptions {
    table: RecordTable;
    blocks: BlockStore;
    vault: Vault;
    /** Called now and then with the share of the work that is done, 0-1. */
    onProgress?: (done: number) => void;
}
export interface Linked {
    /** Rows of each identity of two or more records; every other record stands alone. */
    clusters: number[][];
    noise: Noise;
}
/** A key that more records share than this is split by the records' names before any two are compared. */
export declare const WIDE = 64;
/**
 * Finds which records are one person. The partition depends on the set of records only, not on the order of their import.
 *
 * Memory: about a kilobyte a record, whatever else the records hold; keys and pairs are sorted on disk.
 */
export declare function linkRecords(options: LinkOptions): Linked;
/** Reads every record once and counts how common names, places, and names with a birth date are. */
export declare function surveyRecords({ table, vault }: Pick<LinkOptions, 'table' | 'vault'>, visit: (record: LinkRecord) => void): Survey;
