// Connection to the database of a graph, for the code that both engines share.
import type { Awaitable } from '../../model.ts';

export type SqlValue = string | number | boolean | Buffer | number[] | string[] | null;

export type SqlRowValues = SqlValue[];

/** Names and conversions that are different in the tables of SQLite and PostgreSQL. */
interface SqlDialect {
  /** Table (or subquery) of all records, with the columns `id`, `key`, `ref`, `sealed` and `identity` (null if not linked yet). */
  records: string;
  /** Name of the table with the identity of each linked record, in the column `identity`. */
  members: string;
  /** Name of the column with the record's row in the tables `bore` (previous identity numbers) and `undo`: `record` or `row`. */
  rowColumn: string;
  /** Converts milliseconds since 1970 to the value of a time column: milliseconds in PostgreSQL, days in SQLite. */
  toTimeColumn(time: number | null): number | null;
  fromTimeColumn(value: number | null): number | null;
}

/** Name, columns and key columns of a table for `upsert`. */
export interface UpsertTableColumns {
  name: string;
  columns: readonly string[];
  key: readonly string[];
}

/**
 * Connection to the database of a graph, by which one change at a time is made. SQL texts have numbered parameters ($1, $2) and table names without a
 * schema, which both databases accept.
 */
export interface SqlSession {
  /** Runs one statement and returns its rows; an empty list for a statement without result. Errors: those of the engine. */
  query<R extends SqlRowValues = SqlRowValues>(text: string, values?: readonly SqlValue[]): Awaitable<R[]>;
  readonly dialect: SqlDialect;
  /** Inserts rows, and replaces rows that have the same primary key. Call it inside a transaction. */
  upsert(table: UpsertTableColumns, rows: SqlRowValues[]): Awaitable<void>;
  /** Returns the end of an SQL condition: the column is in the list of numbers that a parameter (such as `$1`) contains. */
  isInNumbers(parameter: string): string;
  /** Returns the end of an SQL condition: the column, of bytes, is in the list of hexadecimal texts that a parameter (such as `$1`) contains. */
  isInHex(parameter: string): string;
  isInTransaction(): boolean;
  isInSnapshot(): boolean;
  /** Begins a read snapshot, which the returned function ends. Does nothing inside a transaction or another snapshot. */
  beginSnapshot(): Awaitable<() => Awaitable<void>>;
  /**
   * Runs `work` in a transaction during which no other change of records is made. A nested call joins the outer transaction. If `work` throws,
   * everything is rolled back. Errors: `database_busy` if another change does not end within `mostWaitMs` milliseconds; those of `work`.
   */
  runAtomically<T>(work: () => Promise<T>, mostWaitMs?: number): Promise<T>;
}

/** Callbacks at the beginning and the end of each outer transaction of a session. */
export interface TransactionHooks {
  afterBegin(): Awaitable<void>;
  beforeCommit?(): Awaitable<void>;
  afterCommit(): void;
  afterRollback(): void;
}

interface TransactionCommands {
  /** Begins a transaction. Errors: `database_busy` if another change does not end within `mostWaitMs` milliseconds. */
  begin(mostWaitMs: number): Promise<void>;
  /** Begins a read snapshot; `rollback` ends it. */
  beginSnapshot(): Awaitable<unknown>;
  commit(): Awaitable<void>;
  rollback(): Awaitable<void>;
  /** Runs a nested transaction, such as in a savepoint. Default: runs `work` in the outer transaction. */
  runPart?<T>(work: () => Promise<T>): Promise<T>;
}

/** Default of `mostWaitMs`: maximum wait (ms) until another change ends. Linking all records of a large graph takes minutes. */
const LONGEST_WAIT_MS = 10 * 60 * 1000;

/** Creates the functions that run transactions one after the other; see `SqlSession`. */
export function createTransactionRunner(
  { begin, beginSnapshot, commit, rollback, runPart = (work) => work() }: TransactionCommands,
  hooks?: TransactionHooks,
): Pick<SqlSession, 'runAtomically' | 'isInTransaction' | 'beginSnapshot' | 'isInSnapshot'> {
  const enqueue = createQueue();
  let [isInside, isReading]: [boolean, boolean] = [false, false];
  const run = async <T>(work: () => Promise<T>, mostWaitMs: number): Promise<T> => {
    await begin(mostWaitMs);
    isInside = true;
    try {
      await hooks?.afterBegin();
      const result = await work();
      await hooks?.beforeCommit?.();
      await commit();
      hooks?.afterCommit();
      return result;
    } catch (error) {
      await rollback();
      hooks?.afterRollback();
      throw error;
    } finally {
      isInside = false;
    }
  };
  return {
    isInTransaction: () => isInside,
    isInSnapshot: () => isReading,
    async beginSnapshot() {
      if (isInside || isReading) return () => undefined;
      await enqueue(async () => beginSnapshot());
      isReading = true;
      return async () => {
        if (isReading) await rollback();
        isReading = false;
      };
    },
    runAtomically: (work, mostWaitMs = LONGEST_WAIT_MS) =>
      isInside ? runPart(work) : enqueue(() => run(work, mostWaitMs)),
  };
}

/** Creates a queue: it runs functions one after the other, even if one of them fails. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
