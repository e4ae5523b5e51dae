// The thread of one Parquet file: bytes that were made up can keep its reader busy for ever, or have it ask for all memory.
import { parentPort, workerData } from 'node:worker_threads';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { FileMetaData } from 'hyparquet';
import type { Line } from '../input/lines.ts';

/** Rows that are handed over at a time. */
const ROWS = 2000;
/** A page or a group of rows that is larger is no list of people. */
const MOST_PAGE = 64 * 1024 * 1024;
const MOST_GROUP = 512 * 1024 * 1024;
const MOST_GROUP_ROWS = 2_000_000;
/** Of one row, in a column of lists. */
const MOST_VALUES = 100;

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
  refuseOdd(metadata, buffer.byteLength);
  const file = {
    byteLength: buffer.byteLength,
    slice: (start: number, end?: number) => buffer.slice(start, end),
  };
  let start = 0;
  for (const group of metadata.row_groups) {
    // A group of rows is unpacked as a whole, however few of them are asked for.
    const rowEnd = start + Number(group.num_rows);
    const options = { file, metadata, rowStart: start, rowEnd, compressors: COMPRESSORS };
    const rows = await parquetReadObjects(options);
    for (let at = 0; at < rows.length; at += ROWS) {
      const first = start + at + 1;
      const some = rows.slice(at, at + ROWS);
      yield some.map((row, i) => ({ line: first + i, text: JSON.stringify(row, plain) }));
    }
    start = rowEnd;
  }
}

/** What the file says of itself has to fit together: else its reader would make room for whatever is said. */
function refuseOdd({ num_rows: all, row_groups: groups }: FileMetaData, length: number): void {
  const count = groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
  let isOdd = count !== Number(all);
  for (const { num_rows: rows, total_byte_size: size, columns } of groups) {
    isOdd ||= rows < 0 || Number(rows) > MOST_GROUP_ROWS || Number(size) > MOST_GROUP;
    for (const { meta_data: meta } of columns) {
      if (!meta) throw new Error('a column says nothing of itself');
      const [values, packed, unpacked] = [
        meta.num_values,
        meta.total_compressed_size,
        meta.total_uncompressed_size,
      ].map(Number);
      const [start, most] = [Number(meta.dictionary_page_offset ?? meta.data_page_offset), Number(rows)];
      isOdd ||= !(start >= 0 && packed !== undefined && packed >= 0 && start + packed <= length);
      isOdd ||= (unpacked ?? 0) > MOST_GROUP || (values ?? 0) > MOST_VALUES * Math.max(most, 1);
    }
  }
  if (isOdd) throw new Error('what it says of itself does not fit');
}

/** Numbers of 64 bits, days and bytes as texts. */
function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  return value;
}

if (parentPort === null) throw new Error('Parquet is read in a thread of its own.');
const port = parentPort;
const rows = rowsOf(workerData as ArrayBuffer);

/** One batch for each time that it is asked. */
port.on('message', () => {
  rows.next().then(
    ({ done, value }) => port.postMessage((done ? { ended: true } : { lines: value }) satisfies ParquetReply),
    () => port.postMessage({ failed: true } satisfies ParquetReply),
  );
});
