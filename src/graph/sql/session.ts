// Connection to the database of a graph, for the code that both engines share.
import type { Awaitable } from '../../model.ts';

export type SqlValue = string | number | boolean | Buffer | number[] | string[] | null;

export type SqlRow = SqlValue[];

/** Differences between the tables of the two engines. */
export interface SqlDialect {
  /** Table of all records with the columns `id`, `key`, `ref`, `sealed` and `identity` (null for a record that is not linked yet). */
  records: string;
  /** Table with a column `identity` for each linked record. */
  members: string;
  /** Column with the row of the record in the tables `bore` (previous identity numbers) and `undo`. */
  rowColumn: string;
  /** The value of a time column for a time in milliseconds since 1970. */
  toTimeColumn(time: number | null): number | null;
  fromTimeColumn(value: number | null): number | null;
}

/** Name and columns of a table for `upsert`. */
export interface UpsertTableColumns {
  name: string;
  columns: readonly string[];
  key: readonly string[];
}

/**
 * Connection to the database of a graph, for one change at a time. Statements number their parameters ($1, $2) and use table names without a
 * schema, which both databases understand.
 */
export interface SqlSession {
  /** Runs one statement and returns its rows; an empty list for a statement without a result. Errors: those of the engine. */
  query<R extends SqlRow = SqlRow>(text: string, values?: readonly SqlValue[]): Awaitable<R[]>;
  readonly dialect: SqlDialect;
  /** Inserts rows and replaces rows with the same key. Must be called inside a transaction. */
  upsert(table: UpsertTableColumns, rows: SqlRow[]): Awaitable<void>;
  /** Condition that a column is in the list of numbers in a parameter, such as `$1`. */
  isInNumbers(parameter: string): string;
  /** Condition that a column of bytes is in the list of hex texts in a parameter, such as `$1`. */
  isInHex(parameter: string): string;
  isInTransaction(): boolean;
  isInSnapshot(): boolean;
  /** Begins a snapshot for all reads, until the returned function is called. Does nothing inside a transaction or another snapshot. */
  beginSnapshot(): Awaitable<() => Awaitable<void>>;
  /**
   * Runs `work` in a transaction that excludes all other changes of records. A nested call joins the outer transaction.
   *
   * Errors: `database_busy` if another change does not end within `mostWaitMs`; those of `work`, after which everything is rolled back.
   */
  runAtomically<T>(work: () => Promise<T>, mostWaitMs?: number): Promise<T>;
}

/** Called at the beginning and end of each transaction of a session, but not of nested transactions. */
export interface TransactionHooks {
  afterBegin(): Awaitable<void>;
  beforeCommit?(): Awaitable<void>;
  afterCommit(): void;
  afterRollback(): void;
}

interface TransactionCommands {
  /** Errors: `database_busy`. */
  begin(mostWaitMs: number): Promise<void>;
  /** Begins a snapshot for all reads; `rollback` ends it. */
  beginSnapshot(): Awaitable<unknown>;
  commit(): Awaitable<void>;
  rollback(): Awaitable<void>;
  /** Runs a nested transaction, for example inside a savepoint; by default just runs `work`. */
  runPart?<T>(work: () => Promise<T>): Promise<T>;
}

/** Longest wait for another change, in milliseconds: linking all records of a large graph takes minutes. */
const LONGEST_WAIT_MS = 10 * 60 * 1000;

/** Runs transactions one after the other; see `SqlSession`. */
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

/** Returns a function that runs one piece of work after the other, in the order of its calls, also after one has failed. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
