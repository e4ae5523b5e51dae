// Erasure of records from SQLite files: lists the bytes to search for, and rewrites a file without deleted data.
import { COUNT_TYPES, type LinkCacheRecord } from '../../link/statistics/link-cache-record.ts';
import type { RecordRow } from '../../link/stored-record.ts';
import type { Db } from '../../platform/sqlite.ts';
import type { LinkCacheTables } from './tables.ts';

/** Bytes that a search of the files looks for after an erasure, to find data of the erased records that is left. */
export interface ErasedRecordBytes {
  /** First bytes of the records' encrypted values, which no other value has. */
  sealed: Buffer[];
  /** Fingerprints of the erased records' values, which other records may have too. */
  keys: number[];
}

export const EMPTY_ERASED_RECORD_BYTES: ErasedRecordBytes = { sealed: [], keys: [] };

export interface LinkCacheErasureOperations {
  collectTraces(rows: RecordRow[]): ErasedRecordBytes;
  /** Returns those of the fingerprints that no record has. */
  filterUnusedKeys(keys: readonly number[]): number[];
  /** Empties the write-ahead log of the link cache file. Returns false if a reader prevents it. */
  emptyLog(): boolean;
  /** Rewrites the link cache file without deleted data. */
  rewriteFile(): void;
}

/** Number of bytes at the beginning of an encrypted value that are searched for: its nonce and tag. */
const SEAL_START = 28;

export function createLinkCacheErasureOperations(
  db: Db,
  { cache, hasStoredHolder, refresh, mergeRecent, deleteIfStale }: LinkCacheTables,
): LinkCacheErasureOperations {
  const { facts } = cache;
  const ofRow = db.prepare<[number], Buffer>('SELECT sealed FROM fact WHERE row = ?').pluck();
  // A page of several records is encrypted again when a record is removed from it, so that its first bytes change.
  const ofPage = db
    .prepare<[number], Buffer>('SELECT sealed FROM fact_page WHERE first <= ? ORDER BY first DESC LIMIT 1')
    .pluck();
  const isCounted = db.prepare<[number, number]>(
    `SELECT 1 FROM tally WHERE what IN (${Object.values(COUNT_TYPES).join()}) AND key IN (?, ?) AND count > 0 LIMIT 1`,
  );
  return {
    collectTraces(rows) {
      refresh();
      return {
        sealed: rows.flatMap(({ row }) => (ofRow.get(row) ?? ofPage.get(row))?.subarray(0, SEAL_START) ?? []),
        keys: rows.flatMap(({ row }) => keysIn(facts(row))),
      };
    },
    filterUnusedKeys(keys) {
      // Afterwards, the tables contain all changes, and few statements per key are enough: an erased record has some fifty keys.
      mergeRecent();
      return keys.filter(
        (key) => isCounted.get(key, -key) === undefined && !hasStoredHolder(key) && !hasStoredHolder(-key),
      );
    },
    emptyLog() {
      // The list of recent changes contains counts of removed records until it is merged into the tables.
      mergeRecent();
      return tryTruncateWriteAheadLog(db);
    },
    rewriteFile() {
      deleteIfStale();
      vacuumDatabases(db);
    },
  };
}

function keysIn(facts: LinkCacheRecord | null): number[] {
  if (!facts) return [];
  const { label, contacts, keys, words, counts } = facts;
  const all = [label, ...contacts, ...keys, ...words, ...counts.map(({ key }) => key)];
  return [...new Set(all.map(Math.abs))].filter((key) => key !== 0);
}

/**
 * Returns all byte sequences by which an SQLite file can contain a fingerprint: an integer, a row number or a double. The table `published` contains
 * 2 * key and 2 * key + 1.
 */
export function listKeyByteEncodings(key: number): Buffer[] {
  const doubles = [key, -key, 2 * key, 2 * key + 1].map((number) =>
    Buffer.from(Float64Array.of(number).buffer),
  );
  return [encodeInteger(key), encodeInteger(-key), encodeVarint(key), ...doubles];
}

/** Encodes an integer in 6 bytes if it fits, otherwise in 8, as SQLite does (https://www.sqlite.org/fileformat.html, section 2.1). */
function encodeInteger(key: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(key));
  return Math.abs(key) < 2 ** 47 ? bytes.subarray(2) : bytes;
}

function encodeVarint(key: number): Buffer {
  const groups: number[] = [];
  for (let rest = BigInt(key); rest > 0n; rest >>= 7n)
    groups.unshift(Number(rest & 127n) | (groups.length > 0 ? 128 : 0));
  return Buffer.from(groups);
}

/**
 * Moves the content of the write-ahead log to the database file. Returns false if a reader, such as a backup, prevents it.
 * @param mostWaitMs maximum wait for readers in milliseconds, also for later statements of the connection. Default: unchanged
 */
export function tryTruncateWriteAheadLog(db: Db, mostWaitMs?: number): boolean {
  if (mostWaitMs !== undefined) db.pragma(`busy_timeout = ${mostWaitMs}`);
  const results = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  return results.every(({ busy }) => busy === 0);
}

/**
 * Rewrites all database files of a connection (VACUUM). The setting `secure_delete` overwrites deleted rows, but not the copies where SQLite moved
 * rows.
 */
export function vacuumDatabases(db: Db): void {
  const databases = db.pragma('database_list') as { name: string }[];
  for (const { name } of databases) if (name !== 'temp') db.exec(`VACUUM ${name}`);
}
