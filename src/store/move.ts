// Copies a whole store from one engine to another, both ways: every table by its primary key, so that a copy that was interrupted goes on.
import { getTableConfig } from './drizzle.ts';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { verifyAuditLog } from './audit.ts';
import * as schema from './schema.ts';
import type { Store, StoreLocation } from './store.ts';
import { BonafideError } from '../errors.ts';
import { openStoreAt } from './open.ts';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { asUnfinished, isUnfinishedCopy, markCopyFinished, openPostgres } from './postgres/open.ts';
import { openSqliteStore } from './sqlite/open.ts';
import { openBridge } from './postgres/bridge.ts';
import { toPostgresError } from './postgres/errors.ts';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { makeFolder } from '../platform/files.ts';

/** In this order: what a row speaks of is there before it. */
const TABLES: SQLiteTable[] = [
  schema.plans,
  schema.planVersions,
  schema.accounts,
  schema.accountPlans,
  schema.keys,
  schema.usage,
  schema.accountUsage,
  schema.calls,
  schema.idempotency,
  schema.probes,
  schema.webhooks,
  schema.audit,
];

/** Rows that are read and written at a time: the parameters of one statement are bounded, in SQLite to 32,766. */
const AT_ONCE = 500;

export interface CopyOptions {
  from: Store;
  to: Store;
  /** Told of each table that is copied. */
  onTable?: (name: string, rows: number) => void;
}

interface Shape {
  name: string;
  columns: string[];
  key: string[];
}

/** What was found of a copy, table by table: rows here and there. */
export interface CopyReport {
  tables: { name: string; from: number; to: number }[];
  /** The last link of the audit log, of both. */
  heads: [from: string, to: string];
  /** Rows that were compared one by one. */
  compared: number;
  /** Tables of whose compared rows one differs. */
  differing: string[];
}

/**
 * Copies every row that is not there yet, as of one moment, and compares: counts of all, the audit log's chain, and rows here and there of each table.
 * Nobody else may write to the target meanwhile.
 */
export function copyStore({ from, to, onTable }: CopyOptions): CopyReport {
  const copy = (): CopyReport => {
    const tables = TABLES.map((table) => {
      const shape = shapeOf(table);
      copyTable(from, to, shape);
      const found = { name: shape.name, from: countOf(from, shape), to: countOf(to, shape) };
      onTable?.(shape.name, found.to);
      return found;
    });
    const samples = TABLES.map((table) => compare(from, to, shapeOf(table)));
    return {
      tables,
      heads: [verifyAuditLog(from).head, verifyAuditLog(to).head],
      compared: samples.reduce((sum, { rows }) => sum + rows, 0),
      differing: samples.filter(({ same }) => !same).map(({ name }) => name),
    };
  };
  return from.raw.transaction(copy)();
}

/** Whether a copy has all that was to be copied, and nothing else. */
export const isCopyComplete = ({ tables, heads: [before, after], differing }: CopyReport): boolean =>
  tables.every(({ from, to }) => from === to) && before === after && differing.length === 0;

function shapeOf(table: SQLiteTable): Shape {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const own = columns.filter(({ primary }) => primary);
  const key = primaryKeys[0]?.columns ?? own;
  return { name, columns: columns.map((column) => column.name), key: key.map((column) => column.name) };
}

const quoted = (names: readonly string[], table?: string): string =>
  names.map((name) => (table ? `"${table}"."${name}"` : `"${name}"`)).join();

type Row = unknown[];

/** Rows behind one, in the order of the key: of accounts' usage in the order in which they were added, which invoices keep. */
function pagesOf(store: Store, { name, columns, key }: Shape) {
  const order = name === 'account_usage' ? ['rowid'] : key;
  const all = quoted([...order, ...columns]);
  const marks = order.map(() => '?').join();
  const first = store.raw
    .prepare<[], Row>(`SELECT ${all} FROM "${name}" ORDER BY ${quoted(order)} LIMIT ${AT_ONCE}`)
    .raw();
  const next = store.raw
    .prepare<unknown[], Row>(
      `SELECT ${all} FROM "${name}" WHERE (${quoted(order)}) > (${marks}) ORDER BY ${quoted(order)} LIMIT ${AT_ONCE}`,
    )
    .raw();
  return function* pages(): Iterable<Row[]> {
    for (let rows = first.all(); rows.length > 0;) {
      yield rows.map((row) => row.slice(order.length));
      rows = next.all(...(rows.at(-1)?.slice(0, order.length) ?? []));
    }
  };
}

function copyTable(from: Store, to: Store, shape: Shape): void {
  const one = `(${shape.columns.map(() => '?').join()})`;
  for (const rows of pagesOf(from, shape)()) {
    const text = `INSERT INTO "${shape.name}" (${quoted(shape.columns)}) VALUES ${rows.map(() => one).join()} ON CONFLICT DO NOTHING`;
    to.raw.prepare<unknown[]>(text).run(...rows.flat());
  }
}

const countOf = ({ raw }: Store, { name }: Shape): number =>
  raw.prepare<[], number>(`SELECT count(*) FROM "${name}"`).pluck().get() ?? 0;

/** The first page of a table here, and its rows there. */
function compare(from: Store, to: Store, shape: Shape): { name: string; rows: number; same: boolean } {
  const [rows = []] = pagesOf(from, shape)();
  const at = shape.key.map((name) => shape.columns.indexOf(name));
  const find = to.raw
    .prepare<unknown[], Row>(
      `SELECT ${quoted(shape.columns)} FROM "${shape.name}" WHERE ${shape.key.map((name) => `"${name}" = ?`).join(' AND ')}`,
    )
    .raw();
  const same = rows.every((row) => {
    const there = find.get(...at.map((place) => row[place]));
    return there !== undefined && textOf(there) === textOf(row);
  });
  return { name: shape.name, rows: rows.length, same };
}

const textOf = (row: Row): string =>
  JSON.stringify(
    row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value)),
  );

// Moves a store from where the settings have it to another engine, and back.
/**
 * Copies a store whole, compares both, and only then makes the copy a store; what was interrupted goes on when it is asked for again. The
 * source stays as it is. `onTable` is told of each table and its rows.
 *
 * Errors: already_there, damaged_database where the copy is not as what was copied, and those of both engines.
 */
export function moveStore(
  from: StoreLocation,
  to: StoreLocation,
  onTable?: (name: string, rows: number) => void,
): CopyReport {
  const source = openStoreAt(from);
  try {
    const target = openCopyTarget(to);
    try {
      const copied = copyStore({ from: source, to: target.store, ...(onTable && { onTable }) });
      if (!isCopyComplete(copied))
        throw new BonafideError(
          'damaged_database',
          'The copy is not as what was copied: nothing goes by it.',
          {
            ...copied,
          },
        );
      target.finish();
      return copied;
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

// Where a store is moved to: a PostgreSQL or a file that has none yet, or a copy that was interrupted.
interface CopyTarget {
  store: Store;
  /** Makes it the store that it is: before that, nothing else opens it. */
  finish(): void;
  close(): void;
}

const HELD = ['keys', 'plans', 'accounts', 'calls', 'audit'];

/** Opens it to be filled. Errors: already_there where it holds a store, and those of its engine. */
export function openCopyTarget(place: StoreLocation): CopyTarget {
  return 'file' in place ? fileTarget(place.file) : postgresTarget(place.url);
}

function fileTarget(file: string): CopyTarget {
  if (existsSync(file)) {
    const there = openSqliteStore({ file });
    const empty = isEmpty(there);
    there.close();
    if (!empty) throw taken(`${file} holds keys or calls already. Move it away first.`);
  }
  const filled = `${file}.moving`;
  const store = openSqliteStore({ file: filled });
  return {
    store,
    finish() {
      store.close();
      for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
      renameSync(filled, file);
    },
    close: () => store.close(),
  };
}

function postgresTarget(url: string): CopyTarget {
  const store = openPostgres(url, asUnfinished);
  try {
    if (!isUnfinishedCopy(store) && !isEmpty(store))
      throw taken('This PostgreSQL holds a store already: take another database.');
    markCopyFinished(store, false);
  } catch (error) {
    store.close();
    throw error;
  }
  return { store, finish: () => markCopyFinished(store, true), close: () => store.close() };
}

const isEmpty = ({ raw }: Store): boolean =>
  HELD.every((table) => raw.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined);

const taken = (text: string) => new BonafideError('already_there', text);

// One copy at a time: two commands that fill one target, or bring one source back, would each find what the other wrote.
interface Hold {
  close(): void;
}

/** The letters "BONV", as an advisory lock of the database. */
const MOVING = 0x42_4f_4e_56;

/**
 * Holds a PostgreSQL for a copy to it or from it, until it is closed or the process ends.
 *
 * Errors: database_busy where another process holds it; those of the engine.
 */
export function lockServerForMove(url: string): Hold {
  const bridge = openBridge(url);
  try {
    const isOurs = bridge.prepare<[], boolean>(`SELECT pg_try_advisory_lock(${MOVING})`).pluck().get();
    if (isOurs) return bridge;
    throw isHeld('to or from this PostgreSQL');
  } catch (error) {
    bridge.close();
    throw toPostgresError(error);
  }
}

/**
 * Holds a data folder for a copy into it, as from one PostgreSQL or another, until it is closed or the process ends.
 *
 * Errors: database_busy where another process holds it; what the file system throws.
 */
export function lockFolderForMove(folder: string): Hold {
  const hold = holdFolder(folder);
  if (hold === null) throw isHeld('into this data folder');
  return hold;
}

const isHeld = (where: string) =>
  new BonafideError(
    'database_busy',
    `Another bonafide migrate-to is copying ${where}. Let it end; where it was stopped, run this once more.`,
  );

/**
 * Holds a data folder, made where there is none, until it is closed; null where somebody holds it. The lock is one of SQLite's, which the system
 * takes from a process that is killed. Errors: what SQLite and the file system throw.
 */
function holdFolder(folder: string): { close(): void } | null {
  makeFolder(folder);
  const file = join(folder, 'moving.lock');
  const lock = new Database(file, { timeout: 0 });
  if (!begins(lock) || !existsSync(file)) {
    lock.close();
    return null;
  }
  return {
    close() {
      try {
        rmSync(file, { force: true });
      } catch {
        // Windows lets nobody remove an open file: what stays is empty.
      }
      lock.close();
    },
  };
}

function begins(lock: Database.Database): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}
