import type { KeyType } from '../../model.ts';
import type { Db } from '../../platform/sqlite.ts';
/**
 * What is kept of a key: a number for the only identity that has it, else a text of such numbers, and where more than
 * `SHARE_LIMIT` identities share it, how many they are and the first of them (`31:2 5 8 …`). A number is twice the identity's, plus 1
 * where the value is its primary one. One row a key: fetching a row costs SQLite and the engine as much as finding it.
 */
export type Packed = number | string | null;
/** A key that was looked up, and who has it. */
export interface Found {
    type: KeyType;
    key: number;
    /** How many identities share it. */
    share: number;
    /** The first of them, lower number first; all of them where they are at most `SHARE_LIMIT`. */
    ids: number[];
    /** Whether the value is the primary one, for each of `ids`. */
    primary: boolean[];
}
export declare const POSTING_TABLES = "\n-- key: fingerprint of a lookup key. ids: who has it; see postings.ts.\nCREATE TABLE posting (key INTEGER PRIMARY KEY, ids NOT NULL);\n-- Everybody who has a key that very many share, for asking after one of them.\nCREATE TABLE crowd (key INTEGER NOT NULL, id INTEGER NOT NULL, meta INTEGER NOT NULL, PRIMARY KEY (key, id)) WITHOUT ROWID;\n";
export declare function unpack(type: KeyType, key: number, packed: Packed): Found;
/**
 * Builds both tables anew from `temp.staged` (key, id, meta), in key order (SQLite sorts on disk), in the place of the old ones.
 * Returns how many postings there are.
 */
export declare function packPostings(db: Db): number;
/** Makes room for postings, and takes them in any order, each key and identity once. */
export declare function stage(db: Db): (key: number, id: number, primary: boolean) => void;
