import { drizzle, readMigrationFiles } from '../drizzle.ts';
import { BonafideError } from '../../errors.ts';
import * as schema from '../schema.ts';
import type { Store } from '../store.ts';
import { openBridge, type Bridge } from './bridge.ts';
import { STORE_SCHEMA } from './client.ts';
import { toPostgresError } from './errors.ts';
import { POSTGRES_MIGRATIONS } from '../../platform/assets.ts';

/**
 * Opens a store in PostgreSQL for what is done at once, and makes its tables or brings them up to date. Whoever asks it waits for each
 * answer: it is for commands, and for threads that serve no calls.
 *
 * @param mostWaitMs how long an answer is waited for
 *
 * Errors: store_unavailable, read_only, newer_database and what else the engine has.
 */
export function openPostgres(url: string, of: 'store' | 'unfinished' = 'store', mostWaitMs?: number): Store {
  const bridge = openBridge(url, mostWaitMs);
  try {
    migrate(bridge);
    if (of === 'store' && isUnfinishedCopy({ raw: bridge })) throw UNFINISHED;
  } catch (error) {
    bridge.close();
    throw toPostgresError(error);
  }
  return storeOn(bridge);
}

/** Opens one that is being filled as well. */
export const asUnfinished = 'unfinished';

/** Whether it is a copy that is not whole. */
export const isUnfinishedCopy = ({ raw }: Pick<Store, 'raw'>): boolean =>
  raw.prepare<[], unknown>(`SELECT obj_description('${STORE_SCHEMA}'::regnamespace)`).pluck().get() === MARK;

/** Says that it is whole, or that it is not. */
export const markCopyFinished = ({ raw }: Pick<Store, 'raw'>, whole: boolean): void =>
  void raw.exec(`COMMENT ON SCHEMA ${STORE_SCHEMA} IS ${whole ? 'NULL' : `'${MARK}'`}`);

const MARK = 'a copy that is not whole';
const UNFINISHED = new BonafideError(
  'data_missing',
  'The store in this PostgreSQL is a copy that was interrupted. Run bonafide migrate-to once more.',
);

function storeOn(bridge: Bridge): Store {
  // The letter of the law of its type is a connection of SQLite; what the query builder asks of one, the bridge has.
  const db = drizzle(bridge as never, { schema });
  const last = bridge.prepare<[], number>('SELECT seq FROM audit_last').pluck();
  let failedAt = -Infinity;
  return {
    db,
    raw: bridge,
    read(work) {
      try {
        return work();
      } catch (thrown) {
        failedAt = performance.now();
        throw toPostgresError(thrown);
      }
    },
    isHealthy: () => performance.now() - failedAt > UNHEALTHY_MS,
    getLastAuditSeq: () => last.get() ?? 0,
    toStoreError: (error) => causeOf(error),
    close: bridge.close,
  };
}

const UNHEALTHY_MS = 5000;

/** The query builder wraps what was thrown. */
function causeOf(error: unknown): unknown {
  const inner = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return error instanceof BonafideError ? error : toPostgresError(inner);
}

// Applies the migrations that drizzle-kit wrote, each once; the table `version` counts them.
/** The letters "BONM": of two servers that start together, one migrates. */
const MIGRATING = 0x42_4f_4e_4d;

/** A server of the version before goes on beside one that migrated, so that they are replaced one by one. */
const AHEAD = 1;

const migrations = () => readMigrationFiles({ migrationsFolder: POSTGRES_MIGRATIONS });

function versionOf(bridge: Bridge): number {
  const there = bridge.prepare<[], unknown>(`SELECT to_regclass('${STORE_SCHEMA}.version')`).pluck().get();
  if (there === null) return 0;
  return bridge.prepare<[], number>(`SELECT count FROM ${STORE_SCHEMA}.version`).pluck().get() ?? 0;
}

/** Makes the tables, or brings them up to date. Errors: newer_database, and those of the engine. */
function migrate(bridge: Bridge): void {
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
      bridge.exec(`CREATE SCHEMA IF NOT EXISTS ${STORE_SCHEMA}`);
      bridge.exec('CREATE TABLE version (count bigint NOT NULL); INSERT INTO version VALUES (0)');
    }
    for (const { sql } of all.slice(done)) for (const text of sql) bridge.exec(text);
    bridge.prepare('UPDATE version SET count = ? WHERE count < ?').run(all.length, all.length);
  };
  bridge.transaction(apply).immediate();
}

// Who shares a store must have one secret: under another one an Idempotency-Key is another one, and counts a second time. The store knows its
// secret by a value that is derived from it and tells nothing of it.
type Opened = Pick<Store, 'raw'>;

/** What is asked of whoever opens a store. */
export interface SharedSecretCheck {
  /** What is derived from his secret. */
  check: string;
  /** Whether the store takes it for its own where it has none. */
  claims: boolean;
}

/** A column that tables of an earlier version lack, and that such a version does not read. */
const KEPT = `SELECT to_jsonb(version) ->> 'secret_check' FROM version`;

/** Errors: wrong_secret, those of the engine. */
export function requireSameSecret(store: Opened, { check, claims }: SharedSecretCheck): void {
  if (claims && keptIn(store) === null) {
    store.raw.exec('ALTER TABLE version ADD COLUMN IF NOT EXISTS secret_check text');
    // Of two that start together, one is first.
    store.raw.prepare('UPDATE version SET secret_check = ? WHERE secret_check IS NULL').run(check);
  }
  const kept = keptIn(store);
  if (kept === null || kept === check) return;
  throw new BonafideError(
    'wrong_secret',
    'The secret here is not that of the servers that share this store: put their file "secret" in the place of this one, or set BONAFIDE_SECRET to what it holds. Where all of them got a new one, the page postgres says how the store learns it: bonafide docs postgres',
  );
}

/** From now on it goes by another secret, where it goes by one. */
export function changeSharedSecret(store: Opened, check: string): void {
  if (keptIn(store) !== null) store.raw.prepare('UPDATE version SET secret_check = ?').run(check);
}

const keptIn = ({ raw }: Opened): string | null => raw.prepare<[], string | null>(KEPT).pluck().get() ?? null;
