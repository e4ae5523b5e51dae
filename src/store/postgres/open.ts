// Opens a store in PostgreSQL: applies its migrations, and refuses unfinished copies and servers with another
// secret.
import { BonafideError } from '../../errors.ts';
import { POSTGRES_MIGRATIONS_FOLDER } from '../../platform/assets.ts';
import { drizzle, readMigrationFiles } from '../drizzle.ts';
import type { Store } from '../store.ts';
import { openBlockingPostgresConnection, type BlockingPostgresConnection } from './bridge.ts';
import { STORE_SCHEMA_NAME } from './client.ts';
import { convertPostgresErrorToBonafideError } from './errors.ts';

/** Stores that a caller accepts: `store` for complete ones only, `unfinished` also for an unfinished copy of `migrate-to`. */
export type AcceptedStoreCopyState = 'store' | 'unfinished';

/**
 * Opens a PostgreSQL store, and creates or migrates its tables. Each statement blocks the thread, so threads that serve calls must not use it.
 * Errors: store_unavailable, read_only, newer_database, data_missing for an unfinished copy, and those of the engine.
 * @param maxWaitMs maximum wait for the answer to a statement, in milliseconds
 */
export function openPostgresStore(
  url: string,
  expected: AcceptedStoreCopyState = 'store',
  maxWaitMs?: number,
): Store {
  const bridge = openBlockingPostgresConnection(url, maxWaitMs);
  try {
    migrate(bridge);
    if (expected === 'store' && isUnfinishedStoreCopy({ raw: bridge })) throw unfinishedError();
  } catch (error) {
    bridge.close();
    throw convertPostgresErrorToBonafideError(error);
  }
  return createStore(bridge);
}

const UNHEALTHY_MS = 5000;

function createStore(bridge: BlockingPostgresConnection): Store {
  // The type of drizzle requires an SQLite connection; the bridge has all functions that the query builder
  // uses.
  const db = drizzle({ client: bridge as never });
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
        throw convertPostgresErrorToBonafideError(thrown);
      }
    },
    isHealthy: () => performance.now() - failedAt > UNHEALTHY_MS,
    getLastAuditSeq: () => last.get() ?? 0,
    toStoreError,
    close: bridge.close,
  };
}

/** Returns the cause of an error of the query builder, as a BonafideError if possible. */
function toStoreError(error: unknown): unknown {
  if (error instanceof BonafideError) return error;
  return convertPostgresErrorToBonafideError(error instanceof Error ? (error.cause ?? error) : error);
}

/** Number of the PostgreSQL advisory lock for migrations (the letters "BONM"). If two servers start together, one of them migrates. */
const MIGRATION_LOCK = 0x42_4f_4e_4d;

/** Maximum number of versions by which a store may be newer than this program, so that older servers run on while servers are upgraded one by one. */
const MAX_AHEAD = 1;

function readVersion(bridge: BlockingPostgresConnection): number {
  const table = `${STORE_SCHEMA_NAME}.version`;
  if (bridge.prepare<[], unknown>(`SELECT to_regclass('${table}')`).pluck().get() === null) return 0;
  return bridge.prepare<[], number>(`SELECT count FROM ${table}`).pluck().get() ?? 0;
}

/** Applies the missing migrations to a store. Errors: newer_database, and those of the engine. */
function migrate(bridge: BlockingPostgresConnection): void {
  const migrations = readMigrationFiles({ migrationsFolder: POSTGRES_MIGRATIONS_FOLDER });
  const version = readVersion(bridge);
  if (version > migrations.length + MAX_AHEAD)
    throw new BonafideError(
      'newer_database',
      'The store’s PostgreSQL was written by a newer Bonafide. Run that version.',
    );
  if (version >= migrations.length) return;
  const apply = () => {
    bridge.prepare(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`).get();
    const applied = readVersion(bridge);
    if (applied === 0) {
      bridge.exec(`CREATE SCHEMA IF NOT EXISTS ${STORE_SCHEMA_NAME}`);
      bridge.exec('CREATE TABLE version (count bigint NOT NULL); INSERT INTO version VALUES (0)');
    }
    // One round trip for all statements: a new store has some ninety.
    bridge.exec(
      migrations
        .slice(applied)
        .flatMap(({ sql }) => sql)
        .join('\n;\n'),
    );
    bridge.prepare('UPDATE version SET count = ? WHERE count < ?').run(migrations.length, migrations.length);
  };
  bridge.transaction(apply).immediate();
}

/** Comment on the store's PostgreSQL schema that marks an unfinished copy of `bonafide migrate-to`. */
const UNFINISHED_COPY = 'a copy that is not whole';

export const isUnfinishedStoreCopy = ({ raw }: Pick<Store, 'raw'>): boolean =>
  raw.prepare<[], unknown>(`SELECT obj_description('${STORE_SCHEMA_NAME}'::regnamespace)`).pluck().get() ===
  UNFINISHED_COPY;

export const setStoreCopyFinished = ({ raw }: Pick<Store, 'raw'>, isFinished: boolean): void =>
  void raw.exec(`COMMENT ON SCHEMA ${STORE_SCHEMA_NAME} IS ${isFinished ? 'NULL' : `'${UNFINISHED_COPY}'`}`);

const unfinishedError = () =>
  new BonafideError(
    'data_missing',
    'The store in this PostgreSQL is a copy that was interrupted. Run bonafide migrate-to again.',
  );

export interface StoreSecretCheckValue {
  /** Value computed from a server's secret, which does not reveal the secret. Equal secrets give equal values. */
  check: string;
  /** True to store this value if the store has none yet. */
  claims: boolean;
}

/**
 * Throws if the server's secret is not that of the store's other servers, by the value that the store contains. With another secret, Idempotency-Keys
 * would have other fingerprints, so that calls could be counted twice. Errors: wrong_secret, and those of the engine.
 */
export function storeOrRequireSharedSecret(
  store: Pick<Store, 'raw'>,
  { check, claims }: StoreSecretCheckValue,
): void {
  if (claims && readSecretCheck(store) === null) {
    store.raw.exec('ALTER TABLE version ADD COLUMN IF NOT EXISTS secret_check text');
    // If two servers start at the same time, the first one sets the value.
    store.raw.prepare('UPDATE version SET secret_check = ? WHERE secret_check IS NULL').run(check);
  }
  const stored = readSecretCheck(store);
  if (stored === null || stored === check) return;
  throw new BonafideError(
    'wrong_secret',
    'The secret of this server differs from that of the other servers of this store. Replace the file "secret" by theirs, or set BONAFIDE_SECRET to its content. If all servers have a new secret, follow the page postgres: bonafide docs postgres',
  );
}

/** Replaces the value by which the store's servers recognise their common secret. Does nothing if the store contains no such value. */
export function replaceSharedSecretCheckValue(store: Pick<Store, 'raw'>, check: string): void {
  if (readSecretCheck(store) !== null) store.raw.prepare('UPDATE version SET secret_check = ?').run(check);
}

/** Returns the stored value by which servers recognise their common secret; null if there is none. */
const readSecretCheck = ({ raw }: Pick<Store, 'raw'>): string | null =>
  raw.prepare<[], string | null>(`SELECT to_jsonb(version) ->> 'secret_check' FROM version`).pluck().get() ??
  null;
