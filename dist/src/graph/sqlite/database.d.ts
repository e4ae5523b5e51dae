import type { Db } from '../../platform/sqlite.ts';
import type { Vault } from '../vault.ts';
export type { Db };
export interface DatabaseOptions {
    file: string;
    vault: Vault;
    /** Make the file where there is none. */
    create: boolean;
}
/**
 * Opens the graph file, makes it where it is missing, and checks that it is ours and that the secret is its own.
 * Errors: those of `connect` in src/sqlite.ts, `newer_database`, `wrong_secret`, and `graph_unavailable` where it may not be made.
 */
export declare function openDatabase({ file, vault, create }: DatabaseOptions): Db;
export declare function readMeta(db: Db, name: string): string | null;
export declare function writeMeta(db: Db, name: string, value: string): void;
/** Runs `work`, and gives the errors of SQLite and of the file system a code and one clear sentence. */
export declare function translated<T>(file: string, work: () => T): T;
