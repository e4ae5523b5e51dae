// Drizzle, loaded as its CommonJS build. For each ES module, Node would parse Drizzle's package.json of 179
// kB again: importing its 112 modules takes ten times as long as requiring them, in every process and thread
// that opens a store.
import { createRequire } from 'node:module';
import type * as Orm from 'drizzle-orm';
import type * as OnSqlite from 'drizzle-orm/better-sqlite3';
import type * as Migrator from 'drizzle-orm/migrator';
import type * as SqliteCore from 'drizzle-orm/sqlite-core';

const require = createRequire(import.meta.url);

export const { and, asc, desc, eq, gt, gte, isNotNull, isNull, lt, lte, or, sql } =
  require('drizzle-orm') as typeof Orm;
export const { drizzle } = require('drizzle-orm/better-sqlite3') as typeof OnSqlite;
export const { readMigrationFiles } = require('drizzle-orm/migrator') as typeof Migrator;
export const { blob, getTableConfig, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } =
  require('drizzle-orm/sqlite-core') as typeof SqliteCore;

/** Builders of tables and columns in SQLite. */
export const SQLITE_DIALECT = {
  table: sqliteTable,
  text: (name: string) => text(name),
  bytes: (name: string) => blob(name, { mode: 'buffer' }),
  /** Whole number up to 2^31. */
  integer: (name: string) => integer(name),
  /** Whole number above 2^31: a time or a count. */
  bigint: (name: string) => integer(name),
  real: (name: string) => real(name),
  /** True or false, stored as 1 or 0 in both engines, so that one statement works in both. */
  flag: (name: string) => integer(name, { mode: 'boolean' }),
  falseDefault: false,
  /** Primary key that increases automatically and never reuses a number. */
  sequence: (name: string) => integer(name).primaryKey({ autoIncrement: true }),
  /** Columns of one engine only: `rowid` is the order of insertion, which SQLite numbers automatically. */
  ownColumns: {},
  isPostgres: false,
  index,
  uniqueIndex,
  primaryKey,
};

/** Builders of tables and columns in one engine, SQLite or PostgreSQL. */
export type TableDialect = typeof SQLITE_DIALECT;
