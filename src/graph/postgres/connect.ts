import type postgres from 'postgres';
import { poolOptions, renewed } from '../../platform/postgres.ts';
import { copyInto } from './copy.ts';
import { translated } from './errors.ts';

/** One row, its columns in order. */
export type Row = (string | null)[];
type Value = string | number | boolean | Buffer | null;

/** Statements go through it one after the other, without waiting for the answer of the one before. */
export interface Connection {
  /** Every column comes back as PostgreSQL writes it. Errors: see errors.ts. */
  query(text: string, values?: Value[]): Promise<Row[]>;
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

/** Of a column of whole numbers. */
export const numberOf = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : Number(text);

/** Whole numbers as an array of them is written. */
export const listOf = (numbers: Iterable<number>): string => `{${[...numbers].join()}}`;

/** Of a column of bytes, as PostgreSQL writes it. */
export const bytesOf = (text: string | null | undefined): Buffer => Buffer.from((text ?? '').slice(2), 'hex');

/** Connections are made when they are needed. */
export async function openPool({ url, connections, settings = {}, onClose }: PoolOptions): Promise<Pool> {
  const { default: connect } = await import('postgres');
  const pool = renewed(
    (told) =>
      connect(url, {
        ...poolOptions(url, connections),
        ...told,
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

const queryOn =
  (sql: postgres.Sql): Connection['query'] =>
  (text, values = []) =>
    translated(asTexts(sql.unsafe(text, values.map(asText), { prepare: true })));

/** A promise of rows as texts: the driver's own reading of numbers and bytes is not asked for. */
async function asTexts(pending: postgres.PendingQuery<postgres.Row[]>): Promise<Row[]> {
  const rows = await pending.raw();
  return rows.map((row) => row.map((column) => (column as Buffer | null)?.toString() ?? null));
}

const asText = (value: Value) => (typeof value === 'number' ? String(value) : value);

function reservedOf(sql: postgres.ReservedSql): Reserved {
  return {
    query: queryOn(sql),
    copy: (text, pieces) => translated(copyInto(sql, text, pieces)),
    release: () => sql.release(),
  };
}
