// The thread that reads one Parquet file: a forged file can keep its reader busy for ever, or make it allocate all memory.
import { parentPort, workerData } from 'node:worker_threads';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { FileMetaData } from 'hyparquet';
import type { Line } from '../input/lines.ts';
import { INPUT_BOUNDS, isExpandedTooFar } from './bounds.ts';

const ROWS_PER_REPLY = 2000;
const LENGTH_PER_REPLY = 4 * INPUT_BOUNDS.recordBytes;
/** Most bytes of a page, and most bytes and rows of a group of rows: no list of people has larger ones. */
const MOST_PAGE = 64 * 1024 * 1024;
const MOST_GROUP = 512 * 1024 * 1024;
const MOST_GROUP_ROWS = 2_000_000;
const MOST_VALUES_PER_ROW = 100;

export type ParquetReply = { lines: Line[] } | { ended: true } | { failed: true };

const most = (length: number | undefined) => {
  if (length === undefined || length > MOST_PAGE) throw new Error('a page is too large');
  return { maxOutputLength: Math.max(length, 1) };
};

const COMPRESSORS = {
  GZIP: (input: Uint8Array, length?: number) => gunzipSync(input, most(length)),
  ZSTD: (input: Uint8Array, length?: number) => zstdDecompressSync(input, most(length)),
  BROTLI: (input: Uint8Array, length?: number) => brotliDecompressSync(input, most(length)),
};

async function* rowsOf(buffer: ArrayBuffer): AsyncGenerator<Line[]> {
  const { parquetMetadata, parquetReadObjects } = await import('hyparquet');
  const metadata = parquetMetadata(buffer);
  requireConsistent(metadata, buffer.byteLength);
  const file = {
    byteLength: buffer.byteLength,
    slice: (start: number, end?: number) => buffer.slice(start, end),
  };
  let [start, written] = [0, 0];
  for (const group of metadata.row_groups) {
    // The reader decompresses a whole group of rows, however few of its rows are requested.
    const rowEnd = start + Number(group.num_rows);
    const options = { file, metadata, rowStart: start, rowEnd, compressors: COMPRESSORS };
    const rows = await parquetReadObjects(options);
    let [lines, length]: [Line[], number] = [[], 0];
    for (const [i, row] of rows.entries()) {
      const text = JSON.stringify(row, toJsonValue);
      written += text.length;
      // Rows of a few bits can refer to one long text.
      if (isExpandedTooFar(written, buffer.byteLength)) throw new Error('the rows expand too far');
      const line = start + i + 1;
      const isTooLong = text.length > INPUT_BOUNDS.recordBytes;
      lines.push(isTooLong ? { line, text: '', problem: 'the row is longer than 1 MiB' } : { line, text });
      length += text.length;
      if (lines.length < ROWS_PER_REPLY && length < LENGTH_PER_REPLY) continue;
      yield lines;
      [lines, length] = [[], 0];
    }
    yield lines;
    start = rowEnd;
  }
}

/** Throws if the metadata of a file is inconsistent: the reader allocates memory by the metadata. */
function requireConsistent({ num_rows: all, row_groups: groups }: FileMetaData, length: number): void {
  const count = groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
  let isInconsistent = count !== Number(all);
  for (const { num_rows: rows, total_byte_size: size, columns } of groups) {
    isInconsistent ||= rows < 0 || Number(rows) > MOST_GROUP_ROWS || Number(size) > MOST_GROUP;
    for (const { meta_data: meta } of columns) {
      if (!meta) throw new Error('a column has no metadata');
      const [values, packed, unpacked] = [
        meta.num_values,
        meta.total_compressed_size,
        meta.total_uncompressed_size,
      ].map(Number);
      const [start, most] = [Number(meta.dictionary_page_offset ?? meta.data_page_offset), Number(rows)];
      isInconsistent ||= !(start >= 0 && packed !== undefined && packed >= 0 && start + packed <= length);
      isInconsistent ||=
        (unpacked ?? 0) > MOST_GROUP || (values ?? 0) > MOST_VALUES_PER_ROW * Math.max(most, 1);
    }
  }
  if (isInconsistent) throw new Error('the metadata is inconsistent');
}

/** Converts 64-bit numbers and bytes to texts. */
function toJsonValue(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  return value;
}

if (parentPort === null) throw new Error('This file has to run as a worker thread.');
const port = parentPort;
const rows = rowsOf(workerData as ArrayBuffer);

port.on('message', () => {
  rows.next().then(
    ({ done, value }) => port.postMessage((done ? { ended: true } : { lines: value }) satisfies ParquetReply),
    () => port.postMessage({ failed: true } satisfies ParquetReply),
  );
});
