import { drizzle } from '../drizzle.ts';
import { BonafideError } from '../../errors.ts';
import * as schema from '../schema.ts';
import type { Store } from '../store.ts';
import { openBridge } from './bridge.ts';
import type { Bridge } from './bridge.ts';
import { SCHEMA } from './client.ts';
import { migrate } from './migrate.ts';
import { asPostgresError } from './trouble.ts';

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
    if (of === 'store' && isUnfinished({ raw: bridge })) throw UNFINISHED;
  } catch (error) {
    bridge.close();
    throw asPostgresError(error);
  }
  return storeOn(bridge);
}

/** Opens one that is being filled as well. */
export const asUnfinished = 'unfinished';

/** Whether it is a copy that is not whole. */
export const isUnfinished = ({ raw }: Pick<Store, 'raw'>): boolean =>
  raw.prepare<[], unknown>(`SELECT obj_description('${SCHEMA}'::regnamespace)`).pluck().get() === MARK;

/** Says that it is whole, or that it is not. */
export const markFinished = ({ raw }: Pick<Store, 'raw'>, whole: boolean): void =>
  void raw.exec(`COMMENT ON SCHEMA ${SCHEMA} IS ${whole ? 'NULL' : `'${MARK}'`}`);

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
        throw asPostgresError(thrown);
      }
    },
    healthy: () => performance.now() - failedAt > UNHEALTHY_MS,
    lastAct: () => last.get() ?? 0,
    trouble: (error) => causeOf(error),
    close: bridge.close,
  };
}

const UNHEALTHY_MS = 5000;

/** The query builder wraps what was thrown. */
function causeOf(error: unknown): unknown {
  const inner = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return error instanceof BonafideError ? error : asPostgresError(inner);
}
