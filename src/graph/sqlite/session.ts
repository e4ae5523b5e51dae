import { setTimeout as pause } from 'node:timers/promises';
import { errorCode } from '../../platform/files.ts';
import { asSqliteError, type Db, isStorageError, translated } from '../../platform/sqlite.ts';
import {
  createQueue,
  type SqlRow,
  type SqlSession,
  type SqlValue,
  type TableShape,
  type TransactionHooks,
} from '../sql/session.ts';
import { fromDays, toDays, RECORDS } from './schema.ts';
import { randomBytes, randomFillSync } from 'node:crypto';
import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** How long another change is waited for: linking all records of a large graph takes minutes. */
const LONGEST_WAIT_MS = 10 * 60 * 1000;
const RETRY_EVERY_MS = 50;

/**
 * The connection that changes a graph.
 *
 * @param file the file of the records, for error messages
 */
export function createSqliteSession(db: Db, file: string, hooks?: TransactionHooks): SqlSession {
  const enqueue = createQueue();
  const prepare = cached((text) => db.prepare<[object], SqlRow>(text));
  let isInside = false;
  let isReading = false;
  const transaction = async <T>(work: () => Promise<T>, mostWaitMs: number): Promise<T> => {
    hooks?.beforeBegin?.();
    await begin(db, mostWaitMs);
    isInside = true;
    try {
      await hooks?.afterBegin();
      const result = await work();
      await hooks?.beforeCommit?.();
      db.exec('COMMIT');
      hooks?.afterCommit();
      return result;
    } catch (error) {
      // SQLite itself rolls back on a full disk, and a process that is stopped has closed the connection.
      if (db.open && db.inTransaction) db.exec('ROLLBACK');
      if (db.open) hooks?.afterRollback();
      throw error;
    } finally {
      isInside = false;
    }
  };
  return {
    query: <R extends SqlRow>(text: string, values: readonly SqlValue[] = []) =>
      translated(
        file,
        () => {
          const statement = prepare(text);
          const parameters = Object.fromEntries(values.map((value, i) => [i + 1, toParameter(value)]));
          if (statement.reader) return statement.raw().all(parameters) as R[];
          statement.run(parameters);
          return [];
        },
        RECORDS,
      ),
    upsert(table, rows) {
      const statement = prepare(upsertText(table));
      for (const row of rows)
        statement.run(Object.fromEntries(row.map((value, i) => [i + 1, toParameter(value)])));
    },
    dialect: {
      records: 'record',
      members: 'record',
      rowColumn: 'row',
      toTimeColumn: toDays,
      fromTimeColumn: fromDays,
    },
    isInNumbers: (parameter) => `IN (SELECT value FROM json_each(${parameter}))`,
    isInHex: (parameter) => `IN (SELECT unhex(value) FROM json_each(${parameter}))`,
    isInTransaction: () => isInside,
    isInSnapshot: () => isReading,
    beginSnapshot() {
      if (isInside || isReading) return () => undefined;
      db.exec('BEGIN');
      isReading = true;
      return () => {
        if (isReading && db.inTransaction) db.exec('ROLLBACK');
        isReading = false;
      };
    },
    async runAtomically(work, mostWaitMs = LONGEST_WAIT_MS) {
      if (isInside) return savepoint(db, work);
      try {
        return await enqueue(() => transaction(work, mostWaitMs));
      } catch (error) {
        throw isStorageError(error) ? asSqliteError(error, file, RECORDS) : error;
      }
    },
  };
}

const upsertText = ({ name, columns }: TableShape) =>
  `INSERT OR REPLACE INTO ${name} (${columns.join()}) VALUES (${columns.map((_, i) => `$${i + 1}`).join()})`;

function toParameter(value: SqlValue): string | number | Buffer | null {
  if (typeof value === 'boolean') return Number(value);
  return Array.isArray(value) ? JSON.stringify(value) : value;
}

function cached<T>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>();
  return (text) => {
    let value = made.get(text);
    if (value === undefined) made.set(text, (value = make(text)));
    return value;
  };
}

/** A failed part of a transaction is rolled back, so that its caller may go on. */
async function savepoint<T>(db: Db, work: () => Promise<T>): Promise<T> {
  db.exec('SAVEPOINT part');
  try {
    const result = await work();
    db.exec('RELEASE part');
    return result;
  } catch (error) {
    if (db.open && db.inTransaction) db.exec('ROLLBACK TO part; RELEASE part');
    throw error;
  }
}

/** Waits without SQLite's own busy timeout, which would stop the event loop. */
async function begin(db: Db, mostWaitMs: number): Promise<void> {
  const busyTimeout = Number(db.pragma('busy_timeout', { simple: true }));
  db.pragma('busy_timeout = 0');
  try {
    for (const started = performance.now(); ; await pause(RETRY_EVERY_MS))
      try {
        db.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        const isOver = performance.now() - started > mostWaitMs;
        if (isOver || !errorCode(error).startsWith('SQLITE_BUSY')) throw error;
      }
  } finally {
    if (db.open) db.pragma(`busy_timeout = ${busyTimeout}`);
  }
}

/** What a checkpoint may need: SQLite starts one at 8 MiB of log (`LOG_PAGES`), and a batch of records comes on top. */
const ROOM_BYTES = 12 * 1024 * 1024;

/**
 * Holds room on the disk of a file until the answer is called. On a disk that has become full, SQLite cannot move what it has committed
 * from the write-ahead log into the file, and would leave a log behind that keeps the disk full.
 *
 * The room belongs to a file without a name, so that nothing is left where the process is killed, but in the moment before it has taken the
 * name away: see `dropRooms`. Errors: what the file system throws.
 */
export function holdRoom(file: string): () => void {
  const name = `${file}-room-${randomBytes(6).toString('hex')}`;
  const open = openSync(name, 'wx', 0o600);
  rmSync(name, { force: true });
  // Bytes that no file system makes smaller.
  const bytes = randomFillSync(Buffer.alloc(1024 * 1024));
  try {
    for (let held = 0; held < ROOM_BYTES; held += bytes.length) writeAll(open, bytes);
  } catch (error) {
    closeSync(open);
    throw error;
  }
  let held = true;
  return () => {
    if (held) closeSync(open);
    held = false;
  };
}

/** Removes rooms that still have a name: whoever made them was killed. One that another process is making loses it a moment early. */
export function dropRooms(file: string): void {
  const [folder, start] = [dirname(file), `${basename(file)}-room-`];
  for (const name of readdirSync(folder))
    if (name.startsWith(start)) rmSync(join(folder, name), { force: true });
}

/** A disk that is nearly full takes a part, and says so only at the next write. */
function writeAll(open: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(open, bytes, at);
}
