// Contract tests of stores: run on each engine that is installed.
import { beforeAll, beforeEach, describe, onTestFinished } from 'vitest';
import type { CallBatch, CallBatchResults } from '../../src/store/serving/ledger.ts';
import { createCallBatchCommitter } from '../../src/store/serving/ledger.ts';
import {
  type BlockingPostgresConnection,
  openBlockingPostgresConnection,
} from '../../src/store/postgres/bridge.ts';
import { STORE_SCHEMA_NAME } from '../../src/store/postgres/client.ts';
import { openPostgresStore } from '../../src/store/postgres/open.ts';
import { toBatchResults, toCommitFunctionInput } from '../../src/store/postgres/writer.ts';
import type { CommitFunctionResult } from '../../src/store/postgres/writer.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { Store, StoreLocation } from '../../src/store/store.ts';
import { freshFolder } from '../kit/folder.ts';
import { isWithoutPostgres } from '../kit/graphs/postgres.ts';
import { startPostgres } from '../kit/programs/postgres.ts';

interface Engine {
  fresh(): Store;
  /** Opens the same store again, as another process does. */
  again(store: Store): Store;
  locate(store: Store): StoreLocation;
  commits(store: Store): (batch: CallBatch, now: () => number) => CallBatchResults;
  /** Lists the columns of a table: name, and 1 if the column is NOT NULL. */
  columns: string;
  /**
   * SQL that removes the protection of the audit log (`unlock`), makes inserts fail (`fill`), and deletes all
   * entries and their number (`empty`).
   */
  audit: { unlock: string; fill: string; empty: string };
}

const files = new WeakMap<Store, string>();

const SQLITE: Engine = {
  fresh() {
    const store = openSqliteStore({ file: `${freshFolder()}/store.db` });
    files.set(store, store.file);
    return store;
  },
  again: (store) => openSqliteStore({ file: files.get(store) ?? '' }),
  locate: (store) => ({ file: files.get(store) ?? '' }),
  commits: ({ raw }) => createCallBatchCommitter(raw, { notify: true }),
  columns: 'SELECT name, "notnull" AS "notNull" FROM pragma_table_info(?)',
  audit: {
    unlock: 'DROP TRIGGER audit_unchanged; DROP TRIGGER audit_unremoved',
    fill: "CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no room'); END",
    empty: "DELETE FROM audit; DELETE FROM sqlite_sequence WHERE name = 'audit'",
  },
};

/** Engine in one database, which each test empties over a connection that they share. */
const postgresAt = (url: string, connection: BlockingPostgresConnection): Engine => ({
  fresh() {
    connection.exec(`DROP SCHEMA IF EXISTS ${STORE_SCHEMA_NAME} CASCADE`);
    return openPostgresStore(url);
  },
  again: () => openPostgresStore(url),
  locate: () => ({ url }),
  commits: ({ raw }) => {
    const commit = raw.prepare<unknown[], CommitFunctionResult>('SELECT commit_1(?, ?, ?)').pluck();
    return (batch, now) =>
      toBatchResults(
        commit.get({ ...toCommitFunctionInput(batch), again: false }, true, now()) as CommitFunctionResult,
      );
  },
  columns: `SELECT column_name AS name, CASE is_nullable WHEN 'NO' THEN 1 ELSE 0 END AS "notNull" FROM information_schema.columns
    WHERE table_schema = '${STORE_SCHEMA_NAME}' AND table_name = ?`,
  audit: {
    unlock: 'ALTER TABLE audit DISABLE TRIGGER audit_kept',
    fill: `CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no room'; END $$;
      CREATE TRIGGER no_room BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION no_room()`,
    empty: 'DELETE FROM audit; UPDATE audit_last SET seq = 0',
  },
});

let present: Engine = SQLITE;

/** Runs tests on each engine. */
export function onEngines(tests: () => void): void {
  describe('in SQLite', () => {
    beforeEach(() => void (present = SQLITE));
    tests();
  });
  describe.skipIf(isWithoutPostgres('a store'))('in PostgreSQL', () => {
    let engine = SQLITE;
    beforeAll(async () => {
      const postgres = await startPostgres({ fsync: 'off' });
      const url = await postgres.database();
      const connection = openBlockingPostgresConnection(url);
      engine = postgresAt(url, connection);
      return async () => {
        // The files that share this process and name no engine use SQLite.
        present = SQLITE;
        connection.close();
        await postgres.close();
      };
    });
    beforeEach(() => void (present = engine));
    tests();
  });
}

/** Returns an empty store of the engine under test. */
export function freshStore(): Store {
  const store = present.fresh();
  onTestFinished(() => store.close());
  return store;
}

/** Opens a store again. */
export function sameStore(store: Store): Store {
  const same = present.again(store);
  onTestFinished(() => same.close());
  return same;
}

/** Returns file or address of a store of the engine under test. */
export const getLocation = (store: Store): StoreLocation => present.locate(store);

/** Returns the commit of batches at any time. */
export const prepareCommitTo = (store: Store) => present.commits(store);

/** Returns the SQL for the audit log of the engine under test. */
export const getAuditSql = () => present.audit;

/** Returns the columns of a table as the engine reports them. */
export const listColumns = ({ raw }: Store, table: string) =>
  raw
    .prepare<[string], { name: string; notNull: number }>(present.columns)
    .all(table)
    .map(({ name, notNull }) => ({ name, notNull: notNull === 1 }));
