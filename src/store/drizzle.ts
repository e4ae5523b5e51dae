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
