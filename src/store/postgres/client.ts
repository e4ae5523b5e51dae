// Connections of a store to its PostgreSQL server.
import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import {
  createRenewablePool,
  getPostgresHostChooser,
  LOST_CLIENT_DETECTION_SETTINGS,
  toPostgresDriverArguments,
} from '../../platform/postgres/pool.ts';
import { withDeadline } from '../../platform/threads/calls.ts';
import { convertPostgresErrorToBonafideError } from './errors.ts';

/** Name of the PostgreSQL schema that contains the tables of the store. */
export const STORE_SCHEMA_NAME = 'bonafide_store';

export interface PostgresClientOptions {
  url: string;
  connections: number;
  onLost?: () => void;
  /** Time (ms) after which PostgreSQL cancels a statement; 0 for no limit. */
  longestMs?: number;
}

export interface PostgresClient {
  readonly unsafe: postgres.Sql['unsafe'];
  /** Closes all present connections, because they do not answer. The next request opens new ones. */
  renew(): void;
  end(): Promise<void>;
}

/**
 * Creates a PostgreSQL client. It opens connections when they are needed, and again after they were lost. Numbers are returned as JavaScript numbers,
 * because all are below 2^53.
 */
export function createPostgresClient({
  url,
  connections,
  onLost,
  longestMs = 0,
}: PostgresClientOptions): PostgresClient {
  const [address, options] = toPostgresDriverArguments(url, connections);
  const pool = createRenewablePool({
    make: (handlers) =>
      postgres(address, {
        ...options,
        ...(handlers as object),
        types: { whole: { to: 20, from: [20, 1700], serialize: String, parse: Number } },
        connection: {
          application_name: 'bonafide',
          ...LOST_CLIENT_DETECTION_SETTINGS,
          search_path: STORE_SCHEMA_NAME,
          jit: 'off',
          statement_timeout: longestMs,
          // A lock of an idle transaction would block every other server.
          idle_in_transaction_session_timeout: 60_000,
        },
      }),
    hosts: getPostgresHostChooser(url),
    onLost,
  });
  return {
    unsafe: (text, values, settings) => pool.follow(pool.getPool().unsafe(text, values, settings)),
    renew: pool.renew,
    end: pool.close,
  };
}

/**
 * Function that calls an SQL function of the store, such as `admit_1($1)`, and returns the JSON result; null if it returns NULL. Errors: store_unavailable, and
 * those of the engine.
 */
export type SqlFunctionCaller = <T>(call: string, values: unknown[]) => Promise<T | null>;

/** Maximum wait of a call for the store, in milliseconds. A client would hardly wait longer. */
const MAX_WAIT_MS = 5000;

/** Creates the function that calls SQL functions of the store. `onFailed` receives the error of each failed call. */
function createFunctionCaller(client: PostgresClient, onFailed: (error: unknown) => void): SqlFunctionCaller {
  return async <T>(call: string, values: unknown[]) => {
    try {
      const text = `SELECT ${call} AS result`;
      const query = client.unsafe<{ result: T }[]>(text, values as never[], { prepare: true });
      const [row] = await withDeadline(query, MAX_WAIT_MS, createQueryTimeoutError);
      return row?.result ?? null;
    } catch (thrown) {
      const error = convertPostgresErrorToBonafideError(thrown);
      onFailed(error);
      throw error;
    }
  };
}

/** Creates the error of a query that was not answered in time. Its code has the form of the driver's codes. */
export const createQueryTimeoutError = () =>
  Object.assign(new Error('PostgreSQL does not answer in time.'), { code: 'CONNECTION_LATE' });

/**
 * Heartbeat between this server and PostgreSQL: tells PostgreSQL every second that this server is running, and detects when PostgreSQL does not
 * answer.
 */
export interface PostgresHeartbeat {
  /**
   * Calls an SQL function of the store. Fails at once while PostgreSQL does not answer. `countedAs` is the server name under which the function may
   * count calls in progress; null if it counts none. If the call fails, this server gets a new name, because PostgreSQL may have counted calls
   * without its knowledge. Errors: those of `SqlFunctionCaller`.
   */
  ask<T>(call: string, values: unknown[], countedAs?: string | null): Promise<T | null>;
  /** Returns the server name under which PostgreSQL counts the calls in progress of this server. */
  server(): string;
  /** Gives this server a new name. Calls that are counted under the old name expire. */
  renew(): void;
  /** Returns true if PostgreSQL answered the last request. */
  isHealthy(): boolean;
  /** Returns the error of the last failed request; null after a successful heartbeat. */
  getFailure(): unknown;
  close(): void;
}

const HEARTBEAT_MS = 1000;
/** Milliseconds between two heartbeats while PostgreSQL does not answer. */
const RETRY_HEARTBEAT_MS = 250;
/** Number of failed heartbeats in a row after which requests fail at once. A single failure may be due to one lost connection. */
const AWAY_AFTER = 2;

/**
 * Begins to send a heartbeat of this server to PostgreSQL every second. Throws the error of the first one.
 * @param clock returns the time, for tests; null to use the clock of PostgreSQL
 * @param onAway called when PostgreSQL no longer answers and requests begin to fail at once, so that other clients can renew their connections
 */
export async function startHeartbeatOfThisServer(
  client: PostgresClient,
  clock: () => number | null,
  onAway: () => void = () => undefined,
): Promise<PostgresHeartbeat> {
  let server: string = randomUUID();
  let isHealthy = true;
  let failedBeats = 0;
  let failure: unknown = null;
  const callFunction = createFunctionCaller(client, (error) => ([isHealthy, failure] = [false, error]));
  let [beatenAt, pendingBeats] = [-Infinity, 0];
  const beat = async () => {
    beatenAt = performance.now();
    pendingBeats++;
    try {
      await callFunction('alive_1($1, $2)', [server, clock()]);
      [isHealthy, failedBeats, failure] = [true, 0, null];
    } catch (error) {
      if (++failedBeats === AWAY_AFTER) {
        client.renew();
        onAway();
      }
      throw error;
    } finally {
      pendingBeats--;
    }
  };
  await beat();
  const tryBeat = () => void beat().catch(() => undefined);
  const isDue = () => performance.now() - beatenAt >= HEARTBEAT_MS - RETRY_HEARTBEAT_MS / 2;
  const timer = setInterval(() => {
    if (isDue() || (failedBeats > 0 && pendingBeats === 0)) tryBeat();
  }, RETRY_HEARTBEAT_MS).unref();
  const renew = () => {
    server = randomUUID();
    tryBeat();
  };
  return {
    async ask<T>(call: string, values: unknown[], countedAs: string | null = null) {
      if (failedBeats >= AWAY_AFTER) throw failure;
      try {
        return await callFunction<T>(call, values);
      } catch (error) {
        if (countedAs === server) renew();
        throw error;
      }
    },
    server: () => server,
    renew,
    isHealthy: () => isHealthy,
    getFailure: () => failure,
    close: () => clearInterval(timer),
  };
}
