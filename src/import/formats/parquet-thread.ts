// Thread that reads one Parquet file. A forged file could keep its reader busy forever, or make it allocate
// all memory.
import { workerData } from 'node:worker_threads';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { FileMetaData } from 'hyparquet';
import { serveThreadCalls } from '../../platform/threads/calls.ts';
import type { TextLine } from '../input/lines.ts';
import { INPUT_LIMITS, isDecompressedSizeTooLarge, createExceededLimitError } from './limits.ts';

const ROWS_PER_REPLY = 2000;
const LENGTH_PER_REPLY = 4 * INPUT_LIMITS.recordBytes;
const { recordBytes, pageBytes, groupBytes, groupRows, groupCells, cellsPerByte, valuesPerRow, columns } =
  INPUT_LIMITS;

/** Operations of the Parquet thread. `next` returns the next rows as lines of JSON, and null after the last row. Errors: `createExceededLimitError`. */
export type ParquetThreadOperations = { next(input: null): Promise<TextLine[] | null> };

function requirePageSize(length: number | undefined): number {
  if (length === undefined || length > pageBytes)
    throw createExceededLimitError('has a page of more than 64 MiB');
  return length;
}

const most = (length: number | undefined) => ({ maxOutputLength: Math.max(requirePageSize(length), 1) });

const COMPRESSORS = {
  GZIP: (input: Uint8Array, length?: number) => gunzipSync(input, most(length)),
  ZSTD: (input: Uint8Array, length?: number) => zstdDecompressSync(input, most(length)),
  BROTLI: (input: Uint8Array, length?: number) => brotliDecompressSync(input, most(length)),
};

type Column = { name: string; pieces: ArrayLike<unknown>[] };

async function* rowsOf(buffer: ArrayBuffer): AsyncGenerator<TextLine[]> {
  const { parquetMetadata, parquetRead, parquetSchema, snappyUncompress } = await import('hyparquet');
  const metadata = parquetMetadata(buffer);
  requireBounds(metadata, buffer.byteLength);
  const file = {
    byteLength: buffer.byteLength,
    slice: (start: number, end?: number) => buffer.slice(start, end),
  };
  const SNAPPY = (input: Uint8Array, length?: number) => {
    const output = new Uint8Array(requirePageSize(length));
    snappyUncompress(input, output);
    return output;
  };
  const compressors = { ...COMPRESSORS, SNAPPY };
  const names = parquetSchema(metadata).children.map(({ element }) => element.name);
  let [rowStart, written] = [0, 0];
  for (const group of metadata.row_groups) {
    // The reader decompresses a whole group of rows, even if only a few of its rows are requested.
    const rowEnd = rowStart + Number(group.num_rows);
    const table = new Map(names.map((name): [string, Column] => [name, { name, pieces: [] }]));
    const onChunk = ({ columnName, columnData }: { columnName: string; columnData: ArrayLike<unknown> }) =>
      void table.get(columnName)?.pieces.push(columnData);
    await parquetRead({ file, metadata, rowStart, rowEnd, compressors, onChunk });
    // Objects of all rows at once would take several times the memory of their columns.
    const readers = [...table.values()].map(({ name, pieces }) => [name, createCellReader(pieces)] as const);
    let [lines, length]: [TextLine[], number] = [[], 0];
    for (let line = rowStart + 1; line <= rowEnd; line++) {
      const row = Object.fromEntries(readers.map(([name, next]) => [name, next()]));
      const text = JSON.stringify(row, toJsonValue);
      written += text.length;
      // Rows of a few bits can refer to one long text.
      if (isDecompressedSizeTooLarge(written, buffer.byteLength))
        throw createExceededLimitError(`expands to more than ${INPUT_LIMITS.expansion} times its size`);
      const isTooLong = text.length > recordBytes;
      lines.push(isTooLong ? { line, text: '', problem: 'the row is longer than 1 MiB' } : { line, text });
      length += text.length;
      if (lines.length < ROWS_PER_REPLY && length < LENGTH_PER_REPLY) continue;
      yield lines;
      [lines, length] = [[], 0];
    }
    yield lines;
    rowStart = rowEnd;
  }
}

/** Creates a function that returns one cell per call, in order, and undefined after the last cell. */
function createCellReader(pieces: ArrayLike<unknown>[]): () => unknown {
  let [piece, at] = [0, 0];
  return () => {
    while (pieces[piece] && at >= (pieces[piece]?.length ?? 0)) [piece, at] = [piece + 1, 0];
    return pieces[piece]?.[at++];
  };
}

/** Throws if a file exceeds a limit or has inconsistent metadata. The Parquet reader allocates memory according to the metadata. */
function requireBounds({ num_rows: all, row_groups: groups }: FileMetaData, length: number): void {
  const count = groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
  let isInconsistent = count !== Number(all);
  for (const { num_rows: rows, total_byte_size: size, columns: chunks } of groups) {
    isInconsistent ||= rows < 0;
    if (chunks.length > columns) throw createExceededLimitError(`has more than ${columns} columns`);
    const cells = Number(rows) * chunks.length;
    if (Number(rows) > groupRows || cells > groupCells || Number(size) > groupBytes)
      throw createExceededLimitError(
        `has a group of more than ${groupRows} rows, ${groupCells} cells or 512 MiB`,
      );
    if (cells > 1_000_000 && cells > cellsPerByte * length)
      throw createExceededLimitError(`has a group of more than ${cellsPerByte} cells a byte of the file`);
    for (const { meta_data: meta } of chunks) {
      if (!meta) throw new Error('a column has no metadata');
      const [values, packed, unpacked] = [
        meta.num_values,
        meta.total_compressed_size,
        meta.total_uncompressed_size,
      ].map(Number);
      const start = Number(meta.dictionary_page_offset ?? meta.data_page_offset);
      isInconsistent ||= !(start >= 0 && packed !== undefined && packed >= 0 && start + packed <= length);
      if ((unpacked ?? 0) > groupBytes || (values ?? 0) > valuesPerRow * Math.max(Number(rows), 1))
        throw createExceededLimitError(
          `has a column of more than 512 MiB, or of more than ${valuesPerRow} values for a row`,
        );
    }
  }
  if (isInconsistent) throw new Error('the metadata is inconsistent');
}

function toJsonValue(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  return value;
}

const rows = rowsOf(workerData as ArrayBuffer);

serveThreadCalls(async () => {
  const { done, value } = await rows.next();
  return done ? null : value;
});
