import {
  createTransactionRunner,
  type SqlRowValues,
  type SqlSession,
  type UpsertTableColumns,
  type TransactionHooks,
} from '../sql/session.ts';
import type {
  PostgresCopyCell,
  PostgresConnection,
  PostgresPool,
  ReservedPostgresConnection,
} from './connect.ts';
import { toGraphError, isConnectionLostError } from './errors.ts';
import { withDatabaseDeadline } from './health.ts';
import { ADVISORY_LOCK_NUMBERS } from './schema.ts';

/** Connection by which all changes of a graph are made, one after the other. */
export interface PostgresSession extends SqlSession, PostgresConnection {
  query: PostgresConnection['query'];
  copy: ReservedPostgresConnection['copy'];
  upsert(table: UpsertTableColumns, rows: SqlRowValues[]): Promise<void>;
  /** Returns the connection to the pool. Rolls back an open transaction. */
  close(): void;
}

export interface PostgresSessionOptions extends Pick<PostgresPool, 'reserve' | 'renew'> {
  hooks: TransactionHooks;
  onLost(handle: () => void): void;
  /** Called at the beginning of each transaction. Throws if the graph may not be changed. Errors: `data_missing`. */
  admit(connection: PostgresConnection): Promise<void>;
}

/** Time (ms) without a statement after which the connection is tested before its next use. */
const TESTED_AFTER_MS = 1000;
/** Time (ms) in which a connection must answer the test. */
const TEST_MS = 5000;

export function createPostgresSession({
  reserve,
  renew,
  hooks,
  onLost,
  admit,
}: PostgresSessionOptions): PostgresSession {
  let reserved: ReservedPostgresConnection | null = null;
  let hasBegun = false;
  let pendingReservation: Promise<ReservedPostgresConnection> | null = null;
  let [pendingStatements, lastAnswerAt] = [0, 0];
  onLost(() => void (reserved = null));
  /** Tests a connection that was not used for some time, and replaces it if it does not answer: its host may have disappeared from the network. */
  const replaceIfDead = async (connection: ReservedPostgresConnection): Promise<void> => {
    if (pendingStatements > 0 || performance.now() - lastAnswerAt < TESTED_AFTER_MS) return;
    try {
      await withDatabaseDeadline(TEST_MS, connection.query('SELECT 1'));
    } catch {
      if (reserved === connection) renew();
    }
  };
  const getConnection = async (): Promise<ReservedPostgresConnection> => {
    // A transaction begun on a lost connection must not continue on another connection.
    if (!reserved && hasBegun) throw toGraphError({ code: 'CONNECTION_CLOSED' });
    if (reserved && !hasBegun) await replaceIfDead(reserved);
    if (reserved) return reserved;
    // The pool has one connection: a second reservation would wait for the release of the first.
    pendingReservation ??= reserve().finally(() => (pendingReservation = null));
    return (reserved = await pendingReservation);
  };
  /** Runs work on the session's connection. If the connection is lost, the session gets another one for later work. */
  const onConnection = async <T>(
    work: (connection: ReservedPostgresConnection) => Promise<T>,
  ): Promise<T> => {
    const connection = await getConnection();
    pendingStatements++;
    try {
      return await work(connection);
    } catch (error) {
      if (isConnectionLostError(error) && reserved === connection) reserved = null;
      throw error;
    } finally {
      pendingStatements--;
      lastAnswerAt = performance.now();
    }
  };
  const query: PostgresConnection['query'] = (text, values) =>
    onConnection((connection) => connection.query(text, values));
  const copy: ReservedPostgresConnection['copy'] = (target, rows) =>
    onConnection((connection) => connection.copy(target, rows));
  const begin = async (mode: string) => {
    await query(`BEGIN ISOLATION LEVEL ${mode}`);
    hasBegun = true;
  };
  const commit = async () => void (await query('COMMIT').finally(() => (hasBegun = false)));
  const rollback = async () => {
    if (reserved) await query('ROLLBACK').catch(() => undefined);
    hasBegun = false;
  };
  const transactions = createTransactionRunner(
    {
      async begin(mostWaitMs) {
        await begin('READ COMMITTED');
        try {
          await query(`SELECT set_config('lock_timeout', $1, true)`, [`${Math.ceil(mostWaitMs)}ms`]);
          await query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCK_NUMBERS.writing]);
          await query(`SELECT set_config('lock_timeout', '0', true)`);
          await admit({ query });
        } catch (error) {
          await rollback();
          throw error;
        }
      },
      beginSnapshot: () => begin('REPEATABLE READ READ ONLY'),
      commit,
      rollback,
    },
    hooks,
  );
  return {
    query,
    copy,
    async upsert(table, rows) {
      if (rows.length === 0) return;
      const { create, columns, insert, clear } = upsertTexts(table);
      await query(create);
      await copy(columns, rows as PostgresCopyCell[][]);
      await query(insert);
      await query(clear);
    },
    dialect: {
      records:
        '(SELECT r.id, r.key, r.ref, r.sealed, m.identity FROM record r LEFT JOIN member m ON m.record = r.id)',
      members: 'member',
      rowColumn: 'record',
      toTimeColumn: (time) => time,
      fromTimeColumn: (value) => value,
    },
    isInNumbers: (parameter) => `= ANY(${parameter}::bigint[])`,
    isInHex: (parameter) => `IN (SELECT decode(hex, 'hex') FROM unnest(${parameter}::text[]) AS hex)`,
    ...transactions,
    close() {
      reserved?.release();
      reserved = null;
    },
  };
}

/** Returns the SQL statements that insert or replace rows. Rows are copied to a temporary table first, because COPY cannot replace rows. */
function upsertTexts({ name, columns, key }: UpsertTableColumns) {
  const [stage, all] = [`pg_temp.upsert_${name}`, columns.join()];
  const others = columns.filter((column) => !key.includes(column));
  const set = others.map((column) => `${column} = excluded.${column}`);
  return {
    create: `CREATE TEMPORARY TABLE IF NOT EXISTS upsert_${name} ON COMMIT DELETE ROWS AS SELECT ${all} FROM ${name} WITH NO DATA`,
    columns: `${stage} (${all})`,
    insert: `INSERT INTO ${name} (${all}) SELECT ${all} FROM ${stage}
     ON CONFLICT (${key.join()}) DO ${set.length > 0 ? `UPDATE SET ${set.join()}` : 'NOTHING'}`,
    clear: `DELETE FROM ${stage}`,
  };
}
