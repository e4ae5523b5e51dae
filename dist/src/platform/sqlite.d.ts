import Database from 'better-sqlite3';
import { BonafideError } from '../errors.ts';
export type Db = Database.Database;
/** What a file says of itself in its header, and what errors call it. */
export interface FileKind {
    /** Four ASCII letters as a number. */
    applicationId: number;
    /** `store` or `graph`. */
    name: string;
    /** FULL where a commit that returned must survive a power cut; NORMAL where the work can be run again. */
    synchronous: 'FULL' | 'NORMAL';
}
/**
 * Opens (or makes, mode 0600) one SQLite file with the settings that every connection needs: `busy_timeout` before anything that may
 * wait for another process, then WAL and foreign keys.
 * Throws BonafideError: read_only, disk_full, database_busy, foreign_database, damaged_database, unreadable_file.
 */
export declare function connect(file: string, kind: FileKind): Db;
/** Turns what SQLite or the file system threw into one BonafideError whose message names the file and the way out. */
export declare function asSqliteError(error: unknown, file: string, kind: FileKind): BonafideError;
/** Did SQLite or the file system throw this, so that `asSqliteError` has something to say about it? */
export declare function isStorageError(error: unknown): boolean;
