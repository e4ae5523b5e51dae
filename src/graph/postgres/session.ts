import type { Connection, Pool, Reserved } from './connect.ts';
import { asGraphError, isLost } from './errors.ts';
import { LOCKS } from './schema.ts';

/** One connection, on which whoever writes does one thing after the other. */
export interface Session extends Connection {
  copy: Reserved['copy'];
  /** Is something going on that others do not see yet? */
  isInside(): boolean;
  /** Is everything read as of one moment? */
  isReading(): boolean;
  /**
   * Runs `work` in a transaction, alone among all servers and commands that change records or publish; inside another it is a part of that.
   * Errors: `database_busy` where others do not end within so many milliseconds, those of `work`; then nothing of it is there.
   */
  alone<T>(work: () => Promise<T>, mostWaitMs?: number): Promise<T>;
  /** From here until the answer is called, everything is read as of one moment; inside `alone` it is so anyway. */
  moment(): Promise<() => Promise<void>>;
  /** Gives the connection back; what is not done by then never is. */
  close(): void;
}

/** So long others that change records are waited for: linking all of a large graph takes minutes. */
const LONGEST_WAIT_MS = 10 * 60 * 1000;

export interface SessionOptions {
  /** Is given what is to be done when the connection is lost. */
  lost(then: () => void): void;
  /** Refuses, as the first in each transaction that writes, a graph that may not be changed. */
  admit(on: Connection): Promise<void>;
}

export function sessionOn(pool: Pool, { lost, admit }: SessionOptions): Session {
  let held: Reserved | null = null;
  let [inside, reading]: [boolean, boolean] = [false, false];
  let last: Promise<unknown> = Promise.resolve();
  lost(() => void (held = null));
  const connection = async (): Promise<Reserved> => {
    // What was begun on a connection that is lost must not go on upon another.
    if (!held && (inside || reading)) throw asGraphError({ code: 'CONNECTION_CLOSED' });
    return (held ??= await pool.reserve());
  };
  /** A connection that a statement was lost on is not asked again: the driver may never answer. */
  const onIt = async <T>(work: (on: Reserved) => Promise<T>): Promise<T> => {
    const on = await connection();
    try {
      return await work(on);
    } catch (error) {
      if (isLost(error) && held === on) held = null;
      throw error;
    }
  };
  const query: Connection['query'] = (text, values) => onIt((on) => on.query(text, values));
  /** Whoever comes meanwhile waits. */
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
  const finish = async (how: 'COMMIT' | 'ROLLBACK') => {
    if (held) await query(how);
    else if (how === 'COMMIT') throw asGraphError({ code: 'CONNECTION_CLOSED' });
  };
  const transaction = async <T>(work: () => Promise<T>, mostWaitMs: number): Promise<T> => {
    await query('BEGIN ISOLATION LEVEL READ COMMITTED');
    inside = true;
    try {
      await query(`SELECT set_config('lock_timeout', $1, true)`, [`${Math.ceil(mostWaitMs)}ms`]);
      await query('SELECT pg_advisory_xact_lock($1)', [LOCKS.writing]);
      await query(`SELECT set_config('lock_timeout', '0', true)`);
      await admit({ query });
      const done = await work();
      await finish('COMMIT');
      return done;
    } catch (error) {
      await finish('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      inside = false;
    }
  };
  return {
    query,
    copy: (text, pieces) => onIt((on) => on.copy(text, pieces)),
    isInside: () => inside,
    isReading: () => reading,
    alone: (work, mostWaitMs = LONGEST_WAIT_MS) =>
      inside ? work() : inTurn(() => transaction(work, mostWaitMs)),
    async moment() {
      if (inside || reading) return () => Promise.resolve();
      await inTurn(() => query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'));
      reading = true;
      return async () => {
        if (!reading) return;
        await finish('ROLLBACK').finally(() => (reading = false));
      };
    },
    close() {
      held?.release();
      held = null;
    },
  };
}
