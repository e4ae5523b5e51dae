// Moves a whole store from one engine to the other. An interrupted copy is replaced by the next one, because the source may have changed since.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError } from '../errors.ts';
import { makeFolder } from '../platform/files.ts';
import { lockFile } from '../platform/sqlite.ts';
import { verifyAuditLog } from './audit.ts';
import { getTableConfig } from './drizzle.ts';
import { openStoreAtLocation } from './open.ts';
import { openBlockingPostgresConnection, type BlockingPostgresConnection } from './postgres/bridge.ts';
import { convertPostgresErrorToBonafideError } from './postgres/errors.ts';
import { isUnfinishedStoreCopy, setStoreCopyFinished, openPostgresStore } from './postgres/open.ts';
import { STORE_TABLES } from './schema.ts';
import { openSqliteStore } from './sqlite/open.ts';
import type { Store, StoreLocation } from './store.ts';

export interface StoreCopyReport {
  /** Number of rows of each table in the source (`from`) and in the copy (`to`). */
  tables: { name: string; from: number; to: number }[];
  /** Number and hash of the last audit log entry of the source and of the copy, as text. */
  heads: [from: string, to: string];
  /** Number of rows that were compared value by value. */
  compared: number;
  differing: string[];
}

interface StoreCopyOptions {
  /** Called after each table was copied, with the number of its rows. */
  onTable?: (name: string, rows: number) => void;
  /** Throws if other servers or commands use the source. Called after the rows were copied, before the copy is marked as complete. */
  requireSourceUnused?: () => void;
}

/**
 * Copies a store to another engine, and compares both. The copy can be opened only if both are equal; the source stays unchanged. A second call
 * replaces a copy that was interrupted. Errors: already_there; damaged_database if the copy differs; those of `requireSourceUnused`, and those of
 * both engines.
 */
export function copyStoreBetweenEngines(
  from: StoreLocation,
  to: StoreLocation,
  { onTable, requireSourceUnused }: StoreCopyOptions = {},
): StoreCopyReport {
  const source = openStoreAtLocation(from);
  try {
    const target = openStoreCopyTarget(to);
    try {
      // Rows of an interrupted copy may be older than the source: they could make a revoked key valid again.
      target.clear();
      const report = copyStore(source, target.store, onTable);
      if (!isComplete(report))
        throw new BonafideError(
          'damaged_database',
          'The copy of the store differs from its source, so it is not used. The source is unchanged. Delete the copy, then run bonafide migrate-to again.',
          {
            ...report,
          },
        );
      source.close();
      requireSourceUnused?.();
      target.finish();
      return report;
    } catch (error) {
      throw target.store.toStoreError(error);
    } finally {
      target.close();
    }
  } catch (error) {
    throw source.toStoreError(error);
  } finally {
    source.close();
  }
}

const isComplete = ({ tables, heads: [before, after], differing }: StoreCopyReport): boolean =>
  tables.every(({ from, to }) => from === to) && before === after && differing.length === 0;

/** Columns of a table, and the columns of its primary key. */
interface TableShape {
  name: string;
  columns: string[];
  key: string[];
}

const SHAPES: TableShape[] = STORE_TABLES.map((table) => {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
  return { name, columns: columns.map((column) => column.name), key: key.map((column) => column.name) };
});

/** Copies all rows in one snapshot of the source, and compares both stores. Meanwhile, no other process may write to the copy. */
function copyStore(from: Store, to: Store, onTable?: StoreCopyOptions['onTable']): StoreCopyReport {
  const copy = (): StoreCopyReport => {
    const tables = SHAPES.map((shape) => {
      copyTable(from, to, shape);
      const counts = { name: shape.name, from: countRows(from, shape), to: countRows(to, shape) };
      onTable?.(shape.name, counts.to);
      return counts;
    });
    const samples = SHAPES.map((shape) => compareFirstPage(from, to, shape));
    return {
      tables,
      heads: [verifyAuditLog(from).head, verifyAuditLog(to).head],
      compared: samples.reduce((sum, { rows }) => sum + rows, 0),
      differing: samples.filter(({ isSame }) => !isSame).map(({ name }) => name),
    };
  };
  return from.raw.transaction(copy)();
}

/** Names of the tables whose rows a new copy replaces. Entries of the audit log never change, and the database refuses to delete them. */
const REPLACED_TABLES = SHAPES.map(({ name }) => name).filter((name) => name !== 'audit');

function copyTable(from: Store, to: Store, { name, columns, key }: TableShape): void {
  const placeholders = `(${columns.map(() => '?').join()})`;
  for (const rows of readPages(from, { name, columns, key })) {
    const values = rows.map(() => placeholders).join();
    to.raw
      .prepare<unknown[]>(`INSERT INTO "${name}" (${quote(columns)}) VALUES ${values} ON CONFLICT DO NOTHING`)
      .run(...rows.flat());
  }
}

type Row = unknown[];

/** Number of rows that one statement reads or writes. SQLite allows 32,766 parameters in a statement. */
const PAGE_ROWS = 500;

/**
 * Yields the rows of a table in pages, in the order of the primary key; those of `account_usage` in the order of insertion, which is the order of
 * lines in an invoice.
 */
function* readPages({ raw }: Store, { name, columns, key }: TableShape): Iterable<Row[]> {
  const order = name === 'account_usage' ? ['rowid'] : key;
  const select = `SELECT ${quote([...order, ...columns])} FROM "${name}"`;
  const page = `ORDER BY ${quote(order)} LIMIT ${PAGE_ROWS}`;
  const after = `(${quote(order)}) > (${order.map(() => '?').join()})`;
  const next = raw.prepare<unknown[], Row>(`${select} WHERE ${after} ${page}`).raw();
  let rows = raw.prepare<[], Row>(`${select} ${page}`).raw().all();
  while (rows.length > 0) {
    yield rows.map((row) => row.slice(order.length));
    rows = next.all(...(rows.at(-1)?.slice(0, order.length) ?? []));
  }
}

const quote = (names: readonly string[]): string => names.map((name) => `"${name}"`).join();

const countRows = ({ raw }: Store, { name }: TableShape): number =>
  raw.prepare<[], number>(`SELECT count(*) FROM "${name}"`).pluck().get() ?? 0;

function compareFirstPage(from: Store, to: Store, { name, columns, key }: TableShape) {
  const [rows = []] = readPages(from, { name, columns, key });
  const keyIndexes = key.map((column) => columns.indexOf(column));
  const condition = key.map((column) => `"${column}" = ?`).join(' AND ');
  const find = to.raw
    .prepare<unknown[], Row>(`SELECT ${quote(columns)} FROM "${name}" WHERE ${condition}`)
    .raw();
  const isSame = rows.every((row) => {
    const copied = find.get(...keyIndexes.map((index) => row[index]));
    return copied !== undefined && toComparable(copied) === toComparable(row);
  });
  return { name, rows: rows.length, isSame };
}

const toComparable = (row: Row): string =>
  JSON.stringify(
    row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)),
  );

interface CopyTarget {
  store: Store;
  /** Removes the rows of an earlier copy that was interrupted, except its audit log. */
  clear(): void;
  /** Marks the copy as complete, so that it can be opened. */
  finish(): void;
  close(): void;
}

/** Opens the database to copy a store into. Errors: already_there if it contains a store, and those of its engine. */
export const openStoreCopyTarget = (location: StoreLocation): CopyTarget =>
  'file' in location ? openFileTarget(location.file) : openPostgresTarget(location.url);

function openFileTarget(file: string): CopyTarget {
  if (existsSync(file)) {
    const existing = openSqliteStore({ file });
    const isFree = isEmpty(existing);
    existing.close();
    if (!isFree)
      throw existsError(
        `${file} already has keys or calls. Move it away, then run bonafide migrate-to again.`,
      );
  }
  const copy = `${file}.moving`;
  const store = openSqliteStore({ file: copy });
  return {
    store,
    clear() {
      for (const name of REPLACED_TABLES) store.raw.exec(`DELETE FROM "${name}"`);
    },
    finish() {
      store.close();
      for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
      renameSync(copy, file);
    },
    close: () => store.close(),
  };
}

function openPostgresTarget(url: string): CopyTarget {
  const store = openPostgresStore(url, 'unfinished');
  try {
    if (!isUnfinishedStoreCopy(store) && !isEmpty(store))
      throw existsError(
        'This PostgreSQL database already has a store, so nothing was copied. To use that store, set `store.url` to this address. To copy into it, empty it first (DROP SCHEMA bonafide_store CASCADE), or name another database.',
      );
    setStoreCopyFinished(store, false);
  } catch (error) {
    store.close();
    throw error;
  }
  return {
    store,
    // DELETE would take minutes for many calls.
    clear: () => void store.raw.exec(`TRUNCATE ${quote(REPLACED_TABLES)}`),
    finish: () => setStoreCopyFinished(store, true),
    close: () => store.close(),
  };
}

const isEmpty = ({ raw }: Store): boolean =>
  ['keys', 'plans', 'accounts', 'calls', 'audit'].every(
    (table) => raw.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined,
  );

const existsError = (text: string) => new BonafideError('already_there', text);

/** Lock that prevents two copies at the same time, which would mix their rows. */
interface MoveLock {
  close(): void;
}

/** Number of the PostgreSQL advisory lock for copies: the letters "BONV". */
const MOVE_LOCK = 0x42_4f_4e_56;

/**
 * Locks a PostgreSQL database for the copy of a store, until the lock is closed or the process ends. Errors: database_busy if another process holds
 * the lock; those of the engine.
 */
export function lockPostgresForStoreMove(url: string): MoveLock {
  return openBridge(url, (bridge) => {
    const isOurs = bridge.prepare<[], boolean>(`SELECT pg_try_advisory_lock(${MOVE_LOCK})`).pluck().get();
    if (!isOurs) throw lockedError('to or from this PostgreSQL');
    return bridge;
  });
}

/** Connection to the store that is copied. It sees whether other processes use the store. */
interface SourceMonitor {
  /** Throws if other servers or commands use the source. Errors: database_busy; those of the engine. */
  requireUnused(): void;
  close(): void;
}

/** Opens such a connection to a PostgreSQL database. Errors: those of `requireUnused`. */
export function openPostgresSourceMonitor(url: string): SourceMonitor {
  return openBridge(url, (bridge) => {
    requireNoOtherSession(bridge);
    return { requireUnused: () => requireNoOtherSession(bridge), close: () => bridge.close() };
  });
}

function openBridge<T>(url: string, use: (bridge: BlockingPostgresConnection) => T): T {
  const bridge = openBlockingPostgresConnection(url);
  try {
    return use(bridge);
  } catch (error) {
    bridge.close();
    throw convertPostgresErrorToBonafideError(error);
  }
}

/** Maximum number of queries for other sessions, half a second apart. PostgreSQL lists the session of an ended process for a moment. */
const MAX_SESSION_QUERIES = 6;

/** SQL statement that lists the hosts of all other sessions of Bonafide in the database, except the session that holds the lock for the copy. */
const OTHER_SESSIONS = `SELECT coalesce(host(client_addr), 'a socket') FROM pg_stat_activity AS session WHERE datname = current_database() AND application_name = 'bonafide' AND pid <> pg_backend_pid() AND NOT EXISTS (SELECT FROM pg_locks WHERE pg_locks.pid = session.pid AND locktype = 'advisory' AND objid = ${MOVE_LOCK} AND granted) ORDER BY 1`;

/**
 * Throws if other servers or commands use the database, because calls that they record after the copy would be missing in it. Errors: database_busy.
 */
function requireNoOtherSession(bridge: BlockingPostgresConnection): void {
  const sessions = bridge.prepare<[], string>(OTHER_SESSIONS).pluck();
  const wait = bridge.prepare<[], string>('SELECT pg_sleep(0.5)::text').pluck();
  let hosts = sessions.all();
  for (let count = 1; hosts.length > 0 && count < MAX_SESSION_QUERIES; count += 1) {
    wait.get();
    hosts = sessions.all();
  }
  if (hosts.length === 0) return;
  throw new BonafideError(
    'database_busy',
    `Other servers or commands use this PostgreSQL database (from ${[...new Set(hosts)].join(', ')}). Calls that they answer after the copy would be missing in the new store. Stop them, run this command again, change the settings, then start the servers.`,
  );
}

/**
 * Locks a data folder for a copy into it; creates the folder if it is missing. The lock ends with the process. Errors: database_busy if another
 * process holds the lock; those of SQLite and of the file system.
 */
export function lockFolderForStoreMove(folder: string): MoveLock {
  makeFolder(folder);
  const lock = lockFile(join(folder, 'moving.lock'));
  if (lock === null) throw lockedError('into this data folder');
  return lock;
}

const lockedError = (where: string) =>
  new BonafideError(
    'database_busy',
    `Another bonafide migrate-to is copying ${where}. Wait until it ends, then run this command again.`,
  );
