// Applies the migrations that drizzle-kit wrote, each once; the table `version` counts them.
import { readMigrationFiles } from '../drizzle.ts';
import { BonafideError } from '../../errors.ts';
import { POSTGRES_MIGRATIONS } from '../../platform/assets.ts';
import type { Bridge } from './bridge.ts';
import { SCHEMA } from './client.ts';

/** The letters "BONM": of two servers that start together, one migrates. */
const MIGRATING = 0x42_4f_4e_4d;

/** A server of the version before goes on beside one that migrated, so that they are replaced one by one. */
const AHEAD = 1;

const migrations = () => readMigrationFiles({ migrationsFolder: POSTGRES_MIGRATIONS });

function versionOf(bridge: Bridge): number {
  const there = bridge.prepare<[], unknown>(`SELECT to_regclass('${SCHEMA}.version')`).pluck().get();
  if (there === null) return 0;
  return bridge.prepare<[], number>(`SELECT count FROM ${SCHEMA}.version`).pluck().get() ?? 0;
}

/** Makes the tables, or brings them up to date. Errors: newer_database, and those of the engine. */
export function migrate(bridge: Bridge): void {
  const all = migrations();
  const version = versionOf(bridge);
  if (version > all.length + AHEAD)
    throw new BonafideError(
      'newer_database',
      'The store’s PostgreSQL was written by a newer Bonafide. Run that version.',
    );
  if (version >= all.length) return;
  const apply = () => {
    bridge.prepare(`SELECT pg_advisory_xact_lock(${MIGRATING})`).get();
    const done = versionOf(bridge);
    if (done === 0) {
      bridge.exec(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
      bridge.exec('CREATE TABLE version (count bigint NOT NULL); INSERT INTO version VALUES (0)');
    }
    for (const { sql } of all.slice(done)) for (const text of sql) bridge.exec(text);
    bridge.prepare('UPDATE version SET count = ? WHERE count < ?').run(all.length, all.length);
  };
  bridge.transaction(apply).immediate();
}
