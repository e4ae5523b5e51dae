// Connections to a PostgreSQL that has a store.
import postgres from 'postgres';
import { socketIn } from '../../platform/postgres.ts';

/** Where the store's tables are: beside them the database may hold others, such as a graph. */
export const SCHEMA = 'bonafide_store';

const CONNECT_SECONDS = 5;
/** After a lost connection, until the next try. */
const AGAIN_SECONDS = 0.2;

export interface ClientOptions {
  url: string;
  /** Connections at most. */
  connections: number;
  /** Told of each connection that is lost. */
  onLost?: () => void;
  /** A statement that takes longer is ended, in milliseconds; 0 for none. */
  longestMs?: number;
}

/** Connections are made when they are needed, and again when they were lost. Numbers are numbers: none of the store's is beyond 2^53. */
export const connectTo = ({ url, connections, onLost, longestMs = 0 }: ClientOptions) =>
  postgres(url, {
    ...socketIn(url),
    max: connections,
    connect_timeout: CONNECT_SECONDS,
    backoff: () => AGAIN_SECONDS,
    max_lifetime: null,
    fetch_types: false,
    onnotice: () => undefined,
    onclose: onLost,
    types: { whole: { to: 20, from: [20, 1700], serialize: String, parse: Number } },
    connection: {
      application_name: 'bonafide',
      search_path: SCHEMA,
      jit: 'off',
      statement_timeout: longestMs,
      // What holds a lock in a transaction that goes no further would hold up every other server.
      idle_in_transaction_session_timeout: 60_000,
    },
  });

export type Client = ReturnType<typeof connectTo>;
