import type { Noise } from '../../link/noise.ts';
import type { Vault } from '../vault.ts';
import { type Db } from './database.ts';
export interface PublishOptions {
    db: Db;
    vault: Vault;
    /** Rows of each cluster of two or more records. */
    clusters: number[][];
    /** The revision of the records that was linked. */
    revision: string;
    /** What the records were found to be like, kept for explaining pairs. */
    noise: Noise;
    /** Called now and then with the share of the work that is done, 0-1. */
    onProgress?: (done: number) => void;
}
/**
 * Writes identities and postings from a partition of the records, in one transaction: readers see the old graph, then the new one.
 * Returns false, having written nothing, where records changed since they were linked.
 */
export declare function publish(options: PublishOptions): boolean;
