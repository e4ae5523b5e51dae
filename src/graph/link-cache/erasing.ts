import { COUNTED, type Facts } from '../../link/counted/facts.ts';
import type { RecordRow } from '../../link/stored.ts';
import type { Db } from '../../platform/sqlite.ts';
import type { openLinkCacheTables } from './tables.ts';

/** What erasing asks of the file that remembers linking. */
export interface LinkErasing {
  collectTraces(rows: RecordRow[]): StoredTraces;
  /** Has anybody this key? */
  isKeyUsed(key: number): boolean;
  emptyLog(): boolean;
  /** Writes anew what is of the graph as it is, and nothing else. */
  rewriteFile(): void;
}

export function createLinkErasing(
  db: Db,
  { index, refresh, foldAll, dropStale }: ReturnType<typeof openLinkCacheTables>,
): LinkErasing {
  const { facts, listHolders: behind, count } = index;
  const sealed = ['fact WHERE row = ?', 'fact_page WHERE first <= ? ORDER BY first DESC LIMIT 1'].map(
    (where) => db.prepare<[number], Buffer>(`SELECT sealed FROM ${where}`).pluck(),
  );
  // A page that a record is taken out of is sealed anew, so that its beginning is another.
  const sealOf = (row: number) =>
    sealed.flatMap((statement) => statement.get(row)?.subarray(0, 28) ?? []).slice(0, 1);
  return {
    collectTraces(rows) {
      refresh();
      return {
        sealed: rows.flatMap(({ row }) => sealOf(row)),
        keys: rows.flatMap(({ row }) => keysIn(facts(row))),
      };
    },
    isKeyUsed(key) {
      refresh();
      const isCounted = (one: number) => Object.values(COUNTED).some((what) => count(what, one) > 0);
      return [key, -key].some((one) => behind(one, 1).length > 0 || isCounted(one));
    },
    emptyLog() {
      // What came last says of records that are gone what was once counted for them.
      foldAll();
      return emptyWal(db);
    },
    rewriteFile() {
      dropStale();
      vacuumDatabases(db);
    },
  };
}

function keysIn(facts: Facts | null): number[] {
  if (!facts) return [];
  const { label, contacts, keys, words, counts } = facts;
  const all = [label, ...contacts, ...keys, ...words, ...counts.map(({ key }) => key)];
  return [...new Set(all.map(Math.abs))].filter((key) => key !== 0);
}

// What is left in a file of what was deleted: how SQLite writes numbers, and how it writes what is left anew.
/** What a file holds of some records. */
export interface StoredTraces {
  /** The beginnings of what is sealed, or keyed by itself: nobody else's. */
  sealed: Buffer[];
  /** Fingerprints, which others may have in common. */
  keys: number[];
}

export const NO_TRACES: StoredTraces = { sealed: [], keys: [] };

/** A key as it may stand in a file: an integer, a row's number, a double, or twice itself as one (see `keysOf` in gathering). */
export function keyEncodings(key: number): Buffer[] {
  const doubles = [key, -key, 2 * key, 2 * key + 1].map(double);
  return [integer(key), integer(-key), varint(key), ...doubles];
}

/** In six bytes where it fits, else in eight: https://www.sqlite.org/fileformat.html, section 2.1. */
function integer(key: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(key));
  return Math.abs(key) < 2 ** 47 ? bytes.subarray(2) : bytes;
}

function varint(key: number): Buffer {
  const groups: number[] = [];
  for (let rest = BigInt(key); rest > 0n; rest >>= 7n)
    groups.unshift(Number(rest & 127n) | (groups.length > 0 ? 128 : 0));
  return Buffer.from(groups);
}

function double(key: number): Buffer {
  return Buffer.from(Float64Array.of(key).buffer);
}

/**
 * Whoever reads holds up the emptying until he is done: checks read for a few milliseconds, a backup for as long as it takes.
 *
 * @param mostWaitMs how long this waits for him, and the connection from here on; as long as it ever does where it is left out
 */
export function emptyWal(db: Db, mostWaitMs?: number): boolean {
  if (mostWaitMs !== undefined) db.pragma(`busy_timeout = ${mostWaitMs}`);
  const told = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  return told.every(({ busy }) => busy === 0);
}

/** SQLite overwrites what is deleted, but not the copies that it leaves where it moves rows from page to page. */
export function vacuumDatabases(db: Db): void {
  const files = db.pragma('database_list') as { name: string }[];
  for (const { name } of files) if (name !== 'temp') db.exec(`VACUUM ${name}`);
}
