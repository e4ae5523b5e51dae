import { randomBytes, randomFillSync } from 'node:crypto';
import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { getErrorCode } from '../../platform/files.ts';
import {
  convertStorageErrorToBonafideError,
  type Db,
  type SqliteFileType,
  isStorageError,
  runWithConvertedSqliteErrors,
} from '../../platform/sqlite.ts';
import {
  createTransactionRunner,
  type SqlRowValues,
  type SqlSession,
  type SqlValue,
  type UpsertTableColumns,
  type TransactionHooks,
} from '../sql/session.ts';
import {
  convertDaysToMilliseconds,
  RECORDS_FILE_TYPE_DEFINITION,
  convertMillisecondsToFractionalDays,
} from './schema.ts';

/**
 * Creates a session, by which a graph is changed, on an open connection.
 * @param file path of `records.db`, for error messages
 */
export function createSqliteSession(db: Db, file: string, hooks?: TransactionHooks): SqlSession {
  const prepare = preparedByText(db);
  const rollback = (text: string) => {
    // Nothing to roll back: on a full disk SQLite has done it, and a process that is stopping has closed the connection.
    if (db.open && db.inTransaction) db.exec(text);
  };
  const transactions = createTransactionRunner(
    {
      begin: (mostWaitMs) => beginImmediate(db, mostWaitMs),
      beginSnapshot: () => db.exec('BEGIN'),
      commit: () => void db.exec('COMMIT'),
      rollback: () => rollback('ROLLBACK'),
      // A failed nested transaction is rolled back alone, so that its caller can continue the outer transaction.
      async runPart(work) {
        db.exec('SAVEPOINT part');
        try {
          const result = await work();
          db.exec('RELEASE part');
          return result;
        } catch (error) {
          rollback('ROLLBACK TO part; RELEASE part');
          throw error;
        }
      },
    },
    hooks,
  );
  return {
    query: <R extends SqlRowValues>(text: string, values: readonly SqlValue[] = []) => {
      const run = () => {
        const [statement, parameters] = [prepare(text), toParameters(values)];
        if (statement.reader) return statement.raw().all(parameters) as R[];
        statement.run(parameters);
        return [];
      };
      return runWithConvertedSqliteErrors(file, run, RECORDS_FILE_TYPE_DEFINITION);
    },
    upsert(table, rows) {
      const statement = prepare(upsertText(table));
      for (const row of rows) statement.run(toParameters(row));
    },
    dialect: {
      records: 'record',
      members: 'record',
      rowColumn: 'row',
      toTimeColumn: convertMillisecondsToFractionalDays,
      fromTimeColumn: convertDaysToMilliseconds,
    },
    isInNumbers: (parameter) => `IN (SELECT value FROM json_each(${parameter}))`,
    isInHex: (parameter) => `IN (SELECT unhex(value) FROM json_each(${parameter}))`,
    ...transactions,
    async runAtomically(work, mostWaitMs) {
      try {
        return await transactions.runAtomically(work, mostWaitMs);
      } catch (error) {
        throw isStorageError(error)
          ? convertStorageErrorToBonafideError(error, file, RECORDS_FILE_TYPE_DEFINITION)
          : error;
      }
    },
  };
}

const upsertText = ({ name, columns }: UpsertTableColumns) =>
  `INSERT OR REPLACE INTO ${name} (${columns.join()}) VALUES (${columns.map((_, i) => `$${i + 1}`).join()})`;

const toParameters = (values: readonly SqlValue[]): object =>
  Object.fromEntries(values.map((value, i) => [i + 1, toParameter(value)]));

function toParameter(value: SqlValue): string | number | Buffer | null {
  if (typeof value === 'boolean') return Number(value);
  return Array.isArray(value) ? JSON.stringify(value) : value;
}

function preparedByText(db: Db) {
  const prepare = (text: string) => db.prepare<[object], SqlRowValues>(text);
  const statements = new Map<string, ReturnType<typeof prepare>>();
  return (text: string) => {
    let statement = statements.get(text);
    if (!statement) statements.set(text, (statement = prepare(text)));
    return statement;
  };
}

/** Wraps functions so that they throw errors that name the file in place of errors of SQLite. */
export function wrapWithSqliteErrorConversion<C extends object>(
  file: string,
  kind: SqliteFileType,
  calls: C,
): C {
  const translate = (member: unknown) =>
    typeof member === 'function'
      ? (...args: unknown[]) => runWithConvertedSqliteErrors(file, () => member(...args) as unknown, kind)
      : member;
  return Object.fromEntries(Object.entries(calls).map(([name, member]) => [name, translate(member)])) as C;
}

const RETRY_EVERY_MS = 50;

/** Begins a transaction. Waits for the lock asynchronously, because SQLite's own wait would block the event loop. */
async function beginImmediate(db: Db, mostWaitMs: number): Promise<void> {
  const busyTimeout = Number(db.pragma('busy_timeout', { simple: true }));
  db.pragma('busy_timeout = 0');
  try {
    for (const started = performance.now(); ; await pause(RETRY_EVERY_MS))
      try {
        db.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        const isOver = performance.now() - started > mostWaitMs;
        if (isOver || !getErrorCode(error).startsWith('SQLITE_BUSY')) throw error;
      }
  } finally {
    if (db.open) db.pragma(`busy_timeout = ${busyTimeout}`);
  }
}

/** Number of bytes of disk space that are reserved: as many as moving the write-ahead log to the file may need. */
const RESERVED_BYTES = 12 * 1024 * 1024;

/**
 * Reserves disk space until the returned function is called. SQLite needs this space on a full disk to move committed pages from the log to the file.
 * A file without a name takes the space, and disappears with the process. Errors: those of the file system.
 */
export function reserveDiskSpace(file: string): () => void {
  const name = `${file}-room-${randomBytes(6).toString('hex')}`;
  const descriptor = openSync(name, 'wx', 0o600);
  rmSync(name, { force: true });
  // Random bytes, which no file system compresses.
  const bytes = randomFillSync(Buffer.alloc(1024 * 1024));
  try {
    for (let reserved = 0; reserved < RESERVED_BYTES; reserved += bytes.length) writeAll(descriptor, bytes);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  let isOpen = true;
  return () => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
}

/** Deletes the files by which a process that was killed had reserved disk space. */
export function removeAbandonedDiskReservationFiles(file: string): void {
  const [folder, prefix] = [dirname(file), `${basename(file)}-room-`];
  for (const name of readdirSync(folder))
    if (name.startsWith(prefix)) rmSync(join(folder, name), { force: true });
}

/** Writes all bytes. On a nearly full disk, one write may store only some of them. */
function writeAll(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
}
