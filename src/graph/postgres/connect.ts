import type postgres from 'postgres';
import { poolOptions, renewed } from '../../platform/postgres.ts';
import { copyInto } from './copy.ts';
import type { SqlRow, SqlValue } from '../sql/session.ts';
import { translated } from './errors.ts';

/** Statements go through it one after the other, without waiting for the answer of the one before. */
export interface Connection {
  /** Errors: see errors.ts. */
  query<R extends SqlRow = SqlRow>(text: string, values?: readonly SqlValue[]): Promise<R[]>;
}

export interface Pool extends Connection {
  /** Has a connection to itself; of a pool that has one. */
  reserve(): Promise<Reserved>;
  close(): Promise<void>;
}

export interface Reserved extends Connection {
  /** COPY … FROM STDIN of what the pieces say. */
  copy(text: string, pieces: Iterable<Buffer>): Promise<void>;
  release(): void;
}

export interface PoolOptions {
  /** postgres://user:password@host:port/database, or a socket's folder in the place of the host */
  url: string;
  connections: number;
  /** Settings of each connection. */
  settings?: Record<string, string | number>;
  /** A connection was lost or ended. */
  onClose?: () => void;
}

/** Connections are made when they are needed. */
export async function openPool({ url, connections, settings = {}, onClose }: PoolOptions): Promise<Pool> {
  const { default: connect } = await import('postgres');
  const pool = renewed(
    (told) =>
      connect(url, {
        ...poolOptions(url, connections),
        ...told,
        types: TYPES,
        connection: { application_name: 'bonafide', jit: 'off', ...settings },
      }),
    onClose,
  );
  return {
    query: (text, values) => queryOn(pool.now())(text, values),
    async reserve() {
      const sql = pool.now();
      // The driver never answers where a connection would have to be made for it.
      await translated(sql.unsafe('SELECT 1'));
      return reservedOf(await translated(sql.reserve()));
    },
    close: pool.close,
  };
}

/** Whole numbers and lists as JavaScript has them: every whole number of a graph fits into a double, since fingerprints have 53 bits. */
const TYPES = {
  bigint: { to: 20, from: [20], serialize: String, parse: Number },
  bigints: {
    to: 1016,
    from: [1016],
    serialize: (numbers: number[]) => `{${numbers.join()}}`,
    parse: (text: string) => (text.length > 2 ? text.slice(1, -1).split(',').map(Number) : []),
  },
  texts: {
    to: 1009,
    from: [],
    serialize: (texts: string[]) => `{${texts.join()}}`,
    parse: (text: string) => text,
  },
};

const queryOn =
  (sql: Pick<postgres.Sql, 'unsafe'>): Connection['query'] =>
  <R extends SqlRow>(text: string, values: readonly SqlValue[] = []) =>
    translated(sql.unsafe(text, [...values], { prepare: true }).values() as unknown as PromiseLike<R[]>);

function reservedOf(sql: postgres.ReservedSql<{ bigint: number; bigints: number[] }>): Reserved {
  return {
    query: queryOn(sql),
    copy: (text, pieces) => translated(copyInto(sql, text, pieces)),
    release: () => sql.release(),
  };
}
