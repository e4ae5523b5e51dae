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

/** Functions that define tables and columns in SQLite. */
export const SQLITE_TABLE_DEFINITION_FUNCTIONS = {
  table: sqliteTable,
  text: (name: string) => text(name),
  bytes: (name: string) => blob(name, { mode: 'buffer' }),
  /** Defines a column for whole numbers up to 2^31. */
  integer: (name: string) => integer(name),
  /** Defines a column for whole numbers above 2^31, such as times and counts. */
  bigint: (name: string) => integer(name),
  real: (name: string) => real(name),
  /** Defines a column for true and false, stored as 1 and 0 in both engines so that both run the same statements. */
  flag: (name: string) => integer(name, { mode: 'boolean' }),
  falseDefault: false,
  /** Defines a primary key that increases automatically and never reuses a number. */
  sequence: (name: string) => integer(name).primaryKey({ autoIncrement: true }),
  /** Further columns that only one engine has. None in SQLite, whose tables have a `rowid` in the order of insertion. */
  ownColumns: {},
  isPostgres: false,
  index,
  uniqueIndex,
  primaryKey,
};

/** Functions that define tables and columns, in SQLite or in PostgreSQL. */
export type TableDefinitionFunctions = typeof SQLITE_TABLE_DEFINITION_FUNCTIONS;
