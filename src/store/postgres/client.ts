// Connections to a PostgreSQL that has a store.
import postgres from 'postgres';
import { poolOptions, renewed } from '../../platform/postgres.ts';
import { toPostgresError } from './errors.ts';
import { randomUUID } from 'node:crypto';

/** Where the store's tables are: beside them the database may hold others, such as a graph. */
export const STORE_SCHEMA = 'bonafide_store';

export interface ClientOptions {
  url: string;
  /** Connections at most. */
  connections: number;
  /** Told of each connection that is lost. */
  onLost?: () => void;
  /** A statement that takes longer is ended, in milliseconds; 0 for none. */
  longestMs?: number;
}

/** Asks on any of the connections. */
export interface PostgresClient {
  readonly unsafe: postgres.Sql['unsafe'];
  /** Has the next question asked on new connections: nothing comes over those of now. */
  renew(): void;
  end(): Promise<void>;
}

/** Connections are made when they are needed, and again when they were lost. Numbers are numbers: none of the store's is beyond 2^53. */
export function connectPostgres({ url, connections, onLost, longestMs = 0 }: ClientOptions): PostgresClient {
  const pool = renewed(
    (told) =>
      postgres(url, {
        ...poolOptions(url, connections),
        ...told,
        types: { whole: { to: 20, from: [20, 1700], serialize: String, parse: Number } },
        connection: {
          application_name: 'bonafide',
          search_path: STORE_SCHEMA,
          jit: 'off',
          statement_timeout: longestMs,
          // What holds a lock in a transaction that goes no further would hold up every other server.
          idle_in_transaction_session_timeout: 60_000,
        },
      }),
    onLost,
  );
  return {
    get unsafe() {
      return pool.now().unsafe;
    },
    renew: pool.renew,
    end: pool.close,
  };
}

/** Asks a function of the store: `admit_1($1)` and its values; what it answers as JSON. Errors: store_unavailable and what else the engine has. */
export type CallFunction = <T>(call: string, values: unknown[]) => Promise<T | null>;

/** A call does not wait longer for the store: who asks would be gone. */
const MOST_MS = 5000;

/** `onFailed` hears of what failed, as it is thrown. */
export function createFunctionCaller(
  client: PostgresClient,
  onFailed: (error: unknown) => void,
): CallFunction {
  return async <T>(call: string, values: unknown[]) => {
    try {
      const asked = client.unsafe<{ answer: T }[]>(`SELECT ${call} AS answer`, values as never[], {
        prepare: true,
      });
      const [row] = await withDeadline(MOST_MS, asked);
      return row?.answer ?? null;
    } catch (error) {
      const told = toPostgresError(error);
      onFailed(told);
      throw told;
    }
  };
}

/**
 * What PostgreSQL answers, if it does within so many milliseconds; `onLate` is told else.
 * Errors: those of `asked`; one whose code says that the way was lost where it is late.
 */
export async function withDeadline<T>(ms: number, asked: PromiseLike<T>, onLate?: () => void): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    onLate?.();
    reject(Object.assign(new Error('PostgreSQL does not answer in time.'), { code: LATE }));
  }, ms);
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** In the form of the driver's own codes; see trouble.ts. */
const LATE = 'CONNECTION_LATE';

// Whether the store's PostgreSQL is there, as this server finds by saying every second that it lives, with and without calls.
export interface Heartbeat {
  /** Errors: those of `Ask`, at once where the store is away. */
  ask: CallFunction;
  /** Which server this is, as its calls in flight are counted. */
  server(): string;
  renew(): void;
  /** Whether what was asked last was answered. */
  healthy(): boolean;
  /** What was asked last and failed, failed with; null where a sign of life was answered since. */
  failure(): unknown;
  close(): void;
}

const BEAT_MS = 1000;
/** So many signs of life in a row that failed: then the store is away, and nobody waits for what it would say. One alone may be a connection's. */
const AWAY_AFTER = 2;

/** Errors: those of the first sign of life. */
export async function startHeartbeat(client: PostgresClient, clock: () => number | null): Promise<Heartbeat> {
  let server: string = randomUUID();
  let healthy = true;
  let failed = 0;
  let failure: unknown = null;
  const asked = createFunctionCaller(client, (error) => ([healthy, failure] = [false, error]));
  const beat = async () => {
    try {
      await asked('alive_1($1, $2)', [server, clock()]);
      [healthy, failed, failure] = [true, 0, null];
    } catch (error) {
      if (++failed === AWAY_AFTER) client.renew();
      throw error;
    }
  };
  await beat();
  const beatOn = () => void beat().catch(() => undefined);
  const timer = setInterval(beatOn, BEAT_MS).unref();
  return {
    async ask(call, values) {
      if (failed >= AWAY_AFTER) throw failure;
      return asked(call, values);
    },
    server: () => server,
    renew() {
      server = randomUUID();
      beatOn();
    },
    healthy: () => healthy,
    failure: () => failure,
    close: () => clearInterval(timer),
  };
}
