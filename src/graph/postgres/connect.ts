import type postgres from 'postgres';
import { poolOptions, renewed } from '../../platform/postgres.ts';
import type { SqlRow, SqlValue } from '../sql/session.ts';
import { translated } from './errors.ts';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

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

// Rows in PostgreSQL's binary form of COPY (postgresql.org/docs/15/sql-copy.html, "Binary Format").
/** A column: a whole number (bigint), bytes, a list of whole numbers (bigint[]), a text in bytes, or nothing. */
export type Cell = number | Buffer | number[] | null;

const HEAD = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const TAIL = Buffer.from([0xff, 0xff]);
/** Bytes that go over together. */
const PIECE = 128 * 1024;
const BIGINT = 20;

async function copyInto(sql: Pick<postgres.Sql, 'unsafe'>, text: string, pieces: Iterable<Buffer>) {
  const into = await sql.unsafe(`COPY ${text} FROM STDIN (FORMAT binary)`).writable();
  await pipeline(Readable.from(pieces, { objectMode: false }), into);
}

/** All rows, in pieces that take a write each. */
export function* binaryRows(rows: Iterable<Cell[]>): Generator<Buffer> {
  let [bytes, at] = [Buffer.allocUnsafe(2 * PIECE), 0];
  at += HEAD.copy(bytes, at);
  for (const row of rows) {
    const length = row.reduce((sum: number, cell) => sum + 4 + lengthOf(cell), 2);
    if (at + length > bytes.length || at > PIECE) {
      yield bytes.subarray(0, at);
      [bytes, at] = [Buffer.allocUnsafe(Math.max(2 * PIECE, length)), 0];
    }
    at = bytes.writeInt16BE(row.length, at);
    for (const cell of row) at = writeCell(bytes, at, cell);
  }
  yield bytes.subarray(0, at);
  yield TAIL;
}

function lengthOf(cell: Cell): number {
  if (cell === null) return 0;
  if (typeof cell === 'number') return 8;
  return Array.isArray(cell) ? 20 + 12 * cell.length : cell.length;
}

function writeCell(bytes: Buffer, from: number, cell: Cell): number {
  let at = bytes.writeInt32BE(cell === null ? -1 : lengthOf(cell), from);
  if (cell === null) return at;
  if (typeof cell === 'number') return writeWhole(bytes, at, cell);
  if (!Array.isArray(cell)) return at + cell.copy(bytes, at);
  for (const part of [1, 0, BIGINT, cell.length, 1]) at = bytes.writeInt32BE(part, at);
  for (const one of cell) at = writeWhole(bytes, bytes.writeInt32BE(8, at), one);
  return at;
}

const HIGH = 2 ** 32;

/** A safe integer as a bigint. */
function writeWhole(bytes: Buffer, at: number, value: number): number {
  const high = Math.floor(value / HIGH);
  return bytes.writeUInt32BE(value - high * HIGH, bytes.writeInt32BE(high, at));
}
