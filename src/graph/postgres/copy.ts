// Rows in PostgreSQL's binary form of COPY (postgresql.org/docs/15/sql-copy.html, "Binary Format").
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type postgres from 'postgres';

/** A column: a whole number (bigint), bytes, a list of whole numbers (bigint[]), a text in bytes, or nothing. */
export type Cell = number | Buffer | number[] | null;

const HEAD = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const TAIL = Buffer.from([0xff, 0xff]);
/** Bytes that go over together. */
const PIECE = 128 * 1024;
const BIGINT = 20;

export async function copyInto(sql: Pick<postgres.Sql, 'unsafe'>, text: string, pieces: Iterable<Buffer>) {
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
