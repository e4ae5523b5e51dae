import { BonafideError, type ErrorCode } from '../../errors.ts';
import { NO_USABLE_HOST_ERROR_CODE } from '../../platform/postgres/hosts.ts';

export const DATABASE_RETRY_AFTER_MS = 1000;

/**
 * Waits for `work`, and converts errors of the driver and of PostgreSQL to BonafideErrors without their messages, which may contain submitted values.
 */
export async function convertPostgresErrors<T>(work: PromiseLike<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toGraphError(error);
  }
}

/** SQLSTATE of a statement that took too long, so that it was cancelled. */
export const QUERY_CANCELLED_SQLSTATE = '57014';

/** Error codes and messages by SQLSTATE, or by its first two characters. */
const CONDITIONS: Record<string, [ErrorCode, string]> = {
  [QUERY_CANCELLED_SQLSTATE]: [
    'graph_timeout',
    'The database of the graph did not answer in time. Try again, or raise graph.deadlineMs.',
  ],
  '55P03': [
    'database_busy',
    'Another process is changing the records of the graph. Try again when it has ended.',
  ],
  '53100': ['disk_full', 'The disk of the graph’s database is full. Free some space.'],
  XX: ['graph_bad_response', 'The database of the graph is damaged. See the log of the database.'],
};

export function toGraphError(error: unknown): BonafideError {
  if (error instanceof BonafideError) return error;
  const state = String((error as { code?: unknown } | null)?.code ?? '');
  const condition = CONDITIONS[state] ?? CONDITIONS[state.slice(0, 2)];
  if (condition) return new BonafideError(...condition);
  return new BonafideError('graph_unavailable', `${reasonOf(state)}${state && ` (${state})`}`, {
    retryAfterMs: DATABASE_RETRY_AFTER_MS,
    isLost: !isOfServer(state),
  });
}

export const isConnectionLostError = (error: unknown): boolean =>
  error instanceof BonafideError && error.details.isLost === true;

/**
 * True if PostgreSQL itself reported the error and the connection can still be used. Its SQLSTATE codes have five characters; codes of the driver and
 * of the system do not.
 */
const isOfServer = (state: string) => /^[0-9A-Z]{5}$/.test(state) && !/^(?:08|57P|25006|E)/.test(state);

function reasonOf(state: string): string {
  if (state === '25006' || state === NO_USABLE_HOST_ERROR_CODE)
    return 'No host in graph.database accepts writes: the database is a standby, or set to read-only. Name the primary';
  if (state.startsWith('28'))
    return 'The database of the graph refused the login. Check the user and the password in graph.database';
  if (state === '53300')
    return 'The database of the graph has no free connection. Raise its max_connections: allow 25 per server or worker';
  if (state === '3D000')
    return 'The database in graph.database does not exist. Create it, or correct its name';
  if (state === '42501')
    return 'The role in graph.database lacks a privilege. See the page postgres for what it needs';
  if (/^(?:3F000|42P01|42703)$/.test(state))
    return 'The tables of the graph are missing, or not of this version: import records first';
  if (isOfServer(state) && !state.startsWith('53'))
    return 'The database of the graph refused a statement. See the log of PostgreSQL';
  if (/^CONNECT(?:_TIMEOUT|ION_DESTROYED)$/.test(state))
    return 'The address in graph.database does not answer as a PostgreSQL server does. Check the address';
  return 'The database of the graph cannot be reached. Check that it runs, and graph.database';
}
