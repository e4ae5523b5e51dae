import type Database from 'better-sqlite3';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import * as schema from './schema.ts';
export interface Store {
    file: string;
    /** For everything an operator does. */
    db: BetterSQLite3Database<typeof schema>;
    /** For prepared statements on the path of a check. */
    raw: Database.Database;
    close(): void;
}
/** Where the store of a data folder is. */
export declare const storeFile: (dataDir: string) => string;
/**
 * Opens the store, brings its tables up to date and makes sure that it is ours and whole.
 * Throws BonafideError: those of `connect`, and newer_database where a later Bonafide wrote the file.
 */
export declare function openStore({ file }: {
    file: string;
}): Store;
