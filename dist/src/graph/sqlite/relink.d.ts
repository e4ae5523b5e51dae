import type { Vault } from '../vault.ts';
import { type Db } from './database.ts';
export interface RelinkOptions {
    db: Db;
    vault: Vault;
    onProgress?: (progress: {
        phase: 'linking' | 'publishing';
        records: number;
        done: number;
    }) => void;
}
/** Links all records of the graph and publishes the identities; again where another import added records meanwhile. */
export declare function linkAll({ db, vault, onProgress }: RelinkOptions): {
    identities: number;
    records: number;
};
