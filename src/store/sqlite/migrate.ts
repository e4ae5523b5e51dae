// Applies the migrations that drizzle-kit wrote; `user_version` counts how many of them a file has seen.
import type Database from 'better-sqlite3';
import { readMigrationFiles } from '../drizzle.ts';
import { BonafideError } from '../../errors.ts';
import { STORE_MIGRATIONS } from '../../platform/assets.ts';
import { upgrade } from '../../platform/upgrade.ts';
import { APPLICATION_ID, STORE } from './connect.ts';

const migrations = () => readMigrationFiles({ migrationsFolder: STORE_MIGRATIONS });
const versionOf = (raw: Database.Database) => Number(raw.pragma('user_version', { simple: true }));

/** The version of the files that this program writes. */
export const storeVersion = () => migrations().length;

/** Is a file of an earlier version, and not empty? Errors: newer_database. */
export function isEarlier(raw: Database.Database, file: string): boolean {
  const [version, known] = [versionOf(raw), migrations().length];
  if (version <= known) return version > 0 && version < known;
  throw new BonafideError(
    'newer_database',
    `${file} was written by a newer Bonafide. Run that version, or choose another folder with --data-dir.`,
  );
}

/** Makes the tables of an empty file. The version is read again inside the transaction, so of two processes that start together one does. */
export function makeTables(raw: Database.Database): void {
  if (versionOf(raw) > 0) return;
  const make = () => {
    if (versionOf(raw) > 0) return;
    applyFrom(raw, 0);
    raw.pragma(`user_version = ${migrations().length}`);
    raw.pragma(`application_id = ${APPLICATION_ID}`);
  };
  raw.transaction(make).immediate();
}

function applyFrom(raw: Database.Database, version: number): void {
  for (const migration of migrations().slice(version)) for (const sql of migration.sql) raw.exec(sql);
}

/** Brings a file of an earlier version up to date, and keeps it beside. Errors: those of `upgrade`. */
export function upgradeStore(file: string): void {
  const counts = ['keys', 'usage', 'calls'].map((table) => `(SELECT count(*) FROM ${table})`);
  upgrade({
    file,
    kind: STORE,
    version: migrations().length,
    unchanged: (db) => db.prepare(`SELECT ${counts.join()}`).get(),
    change: (db) => applyFrom(db, versionOf(db)),
  });
}
