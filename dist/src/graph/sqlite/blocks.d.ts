import { type BlockStore } from '../../link/link.ts';
import type { Db } from './database.ts';
/**
 * Keeps (key, row) pairs and the pairs of rows that follow from them in temporary tables that SQLite sorts on disk, so that linking
 * needs no memory for them. `add` everything first; what is read first sorts.
 */
export declare function blockStore(db: Db): BlockStore & {
    drop(): void;
};
