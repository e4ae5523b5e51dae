// Connections to a PostgreSQL that has a store.
import postgres from 'postgres';
import { poolOptions, renewed } from '../../platform/postgres.ts';

/** Where the store's tables are: beside them the database may hold others, such as a graph. */
export const SCHEMA = 'bonafide_store';

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
export interface Client {
  readonly unsafe: postgres.Sql['unsafe'];
  /** Has the next question asked on new connections: nothing comes over those of now. */
  renew(): void;
  end(): Promise<void>;
}

/** Connections are made when they are needed, and again when they were lost. Numbers are numbers: none of the store's is beyond 2^53. */
export function connectTo({ url, connections, onLost, longestMs = 0 }: ClientOptions): Client {
  const pool = renewed(
    (told) =>
      postgres(url, {
        ...poolOptions(url, connections),
        ...told,
        types: { whole: { to: 20, from: [20, 1700], serialize: String, parse: Number } },
        connection: {
          application_name: 'bonafide',
          search_path: SCHEMA,
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
