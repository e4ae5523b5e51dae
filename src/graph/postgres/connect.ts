// Connections to PostgreSQL through the driver `postgres`: typed values, errors with codes, and COPY.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type postgres from 'postgres';
import { parsePostgresAddress, type PostgresHost } from '../../platform/postgres/address.ts';
import {
  createRenewablePool,
  createFixedHostChooser,
  getPostgresHostChooser,
  LOST_CLIENT_DETECTION_SETTINGS,
  toPostgresDriverArguments,
} from '../../platform/postgres/pool.ts';
import type { SqlRowValues, SqlValue } from '../sql/session.ts';
import { convertPostgresErrors } from './errors.ts';

/** Connection that runs statements in the order of the calls. It sends a statement without waiting for the result of the one before. */
export interface PostgresConnection {
  query<R extends SqlRowValues = SqlRowValues>(text: string, values?: readonly SqlValue[]): Promise<R[]>;
}

export interface PostgresPool extends PostgresConnection {
  /** Returns the host of the last connection as `host:port`; before the first connection, the first host in the URL. */
  getHost(): string;
  /** Makes the next statement open new connections, because the present ones do not answer. */
  renew(): void;
  /** Returns a connection that nothing else uses until it is released. */
  reserve(): Promise<ReservedPostgresConnection>;
  close(): Promise<void>;
}

export interface ReservedPostgresConnection extends PostgresConnection {
  /**
   * Copies rows into a table with the statement COPY.
   *
   * @param target table with its columns, such as `merged (number, heir)`
   */
  copy(target: string, rows: Iterable<PostgresCopyCell[]>): Promise<void>;
  release(): void;
}

export interface PostgresPoolOptions {
  /** URL such as postgres://user:password@host:port/database. The folder of a socket can stand in place of the host. */
  url: string;
  host?: PostgresHost;
  connections: number;
  settings?: Record<string, string | number>;
  onClose?: () => void;
}

/** Creates a connection pool. Loads the driver and opens connections at first use. */
export function openPostgresPool({
  url,
  host,
  connections,
  settings = {},
  onClose,
}: PostgresPoolOptions): PostgresPool {
  const chooser = host ? createFixedHostChooser(host) : getPostgresHostChooser(url);
  let [current] = host ? [host] : parsePostgresAddress(url).hosts;
  const hosts = { ...chooser, choose: async () => (current = await chooser.choose()) };
  const connect = async () => {
    const driver = await import('postgres');
    const [address, options] = toPostgresDriverArguments(url, connections);
    return createRenewablePool({
      make: (handlers) =>
        driver.default(address, {
          ...options,
          ...(handlers as object),
          types: TYPES,
          connection: {
            application_name: 'bonafide',
            jit: 'off',
            ...LOST_CLIENT_DETECTION_SETTINGS,
            ...settings,
          },
        }),
      hosts,
      onLost: onClose,
    });
  };
  let opened: ReturnType<typeof connect> | undefined;
  const getPool = () => (opened ??= connect());
  return {
    async query(text, values) {
      const pool = await getPool();
      return queryOn(pool.getPool(), pool.follow)(text, values);
    },
    async reserve() {
      const pool = await getPool();
      const sql = pool.getPool();
      // Opens a connection first: with an empty pool, `reserve` of the driver never returns.
      await convertPostgresErrors(pool.follow(sql.unsafe('SELECT 1')));
      const reserved = await convertPostgresErrors(sql.reserve());
      return {
        query: queryOn(reserved, pool.follow),
        copy: (target, rows) => convertPostgresErrors(pool.follow(copyInto(reserved, target, rows))),
        release: () => reserved.release(),
      };
    },
    getHost: () => (current ? `${current.host}:${current.port}` : ''),
    renew: () => void opened?.then((pool) => pool.renew()),
    close: async () => (await opened)?.close(),
  };
}

/** Settings of the driver for types of values. A bigint becomes a JavaScript number, which is exact for the 52 bits of a fingerprint. */
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
  (
    sql: Pick<postgres.Sql, 'unsafe'>,
    follow: <Q extends PromiseLike<unknown>>(query: Q) => Q,
  ): PostgresConnection['query'] =>
  <R extends SqlRowValues>(text: string, values: readonly SqlValue[] = []) => {
    const rows = sql.unsafe(text, [...values], { prepare: true }).values();
    return convertPostgresErrors(follow(rows) as unknown as PromiseLike<R[]>);
  };

/** Value that COPY writes to a column of the type bigint, bytea or bigint[]; or null. */
export type PostgresCopyCell = number | Buffer | number[] | null;

/** Copies rows to a table with COPY in the binary format, which takes a quarter of the CPU time of the text format. */
async function copyInto(
  sql: Pick<postgres.Sql, 'unsafe'>,
  target: string,
  rows: Iterable<PostgresCopyCell[]>,
): Promise<void> {
  const query = sql.unsafe(`COPY ${target} FROM STDIN (FORMAT binary)`);
  const failure = onRejection(query);
  const stream = await query.writable();
  const copied = pipeline(Readable.from(encodeRows(rows), { objectMode: false }), stream);
  await Promise.race([copied, failure]);
}

/**
 * Returns a promise that rejects if the query fails, even after the query has resolved: the driver (postgres 3.4.9) does not report errors of a COPY
 * after the end of its stream.
 */
function onRejection(query: object): Promise<never> {
  const driverQuery = query as { reject(error: unknown): void };
  const failure = new Promise<never>((_, reject) => {
    const rejectQuery = driverQuery.reject;
    driverQuery.reject = (error) => {
      rejectQuery(error);
      reject(error);
    };
  });
  failure.catch(() => undefined);
  return failure;
}

const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const TRAILER = Buffer.from([0xff, 0xff]);
/** Minimum number of bytes that are sent at once. */
const PIECE_BYTES = 128 * 1024;
/** PostgreSQL object id (OID) of the type bigint. */
const BIGINT = 20;

function* encodeRows(rows: Iterable<PostgresCopyCell[]>): Generator<Buffer> {
  let [bytes, at] = [Buffer.allocUnsafe(2 * PIECE_BYTES), 0];
  at += HEADER.copy(bytes, at);
  for (const row of rows) {
    const length = row.reduce((sum: number, cell) => sum + 4 + lengthOf(cell), 2);
    if (at + length > bytes.length || at > PIECE_BYTES) {
      yield bytes.subarray(0, at);
      [bytes, at] = [Buffer.allocUnsafe(Math.max(2 * PIECE_BYTES, length)), 0];
    }
    at = bytes.writeInt16BE(row.length, at);
    for (const cell of row) at = writeCell(bytes, at, cell);
  }
  yield Buffer.concat([bytes.subarray(0, at), TRAILER]);
}

function lengthOf(cell: PostgresCopyCell): number {
  if (cell === null) return 0;
  if (typeof cell === 'number') return 8;
  return Array.isArray(cell) ? 20 + 12 * cell.length : cell.length;
}

/** Writes one cell at `from`, and returns the position after it. */
function writeCell(bytes: Buffer, from: number, cell: PostgresCopyCell): number {
  let at = bytes.writeInt32BE(cell === null ? -1 : lengthOf(cell), from);
  if (cell === null) return at;
  if (typeof cell === 'number') return writeBigint(bytes, at, cell);
  if (!Array.isArray(cell)) return at + cell.copy(bytes, at);
  for (const part of [1, 0, BIGINT, cell.length, 1]) at = bytes.writeInt32BE(part, at);
  for (const number of cell) at = writeBigint(bytes, bytes.writeInt32BE(8, at), number);
  return at;
}

function writeBigint(bytes: Buffer, at: number, value: number): number {
  const high = Math.floor(value / 2 ** 32);
  return bytes.writeUInt32BE(value - high * 2 ** 32, bytes.writeInt32BE(high, at));
}
