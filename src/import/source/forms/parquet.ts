// A Parquet file as lines of JSON, one a row.
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { BonafideError } from '../../../errors.ts';
import type { Line } from '../lines.ts';
import { gather } from './gather.ts';

const ROWS = 2000;
const WAY = 'Write it as CSV or JSON Lines';
/** A page or a group of rows that is larger is no list of people. */
const MOST_PAGE = 64 * 1024 * 1024;
const MOST_GROUP = 512 * 1024 * 1024;
const MOST_GROUP_ROWS = 4_000_000;

/** Errors: `unreadable_file` for a damaged file, and one that unpacks to too much. */
export async function* readParquet(
  bytes: AsyncIterable<Uint8Array>,
  { name }: { name: string },
): AsyncGenerator<Line[]> {
  const all = await gather(bytes, { name, way: WAY });
  try {
    yield* rowsOf(all);
  } catch (error) {
    if (error instanceof BonafideError) throw error;
    throw new BonafideError(
      'unreadable_file',
      `${name} is damaged, or packed as few are. ${WAY} and import that.`,
    );
  }
}

const most = (length: number | undefined) => {
  if (length === undefined || length > MOST_PAGE) throw new Error('a page is too large');
  return { maxOutputLength: Math.max(length, 1) };
};

const COMPRESSORS = {
  GZIP: (input: Uint8Array, length?: number) => gunzipSync(input, most(length)),
  ZSTD: (input: Uint8Array, length?: number) => zstdDecompressSync(input, most(length)),
  BROTLI: (input: Uint8Array, length?: number) => brotliDecompressSync(input, most(length)),
};

async function* rowsOf(all: Buffer): AsyncGenerator<Line[]> {
  const { parquetMetadata, parquetReadObjects } = await import('hyparquet');
  const buffer = all.buffer.slice(all.byteOffset, all.byteOffset + all.length) as ArrayBuffer;
  const metadata = parquetMetadata(buffer);
  for (const { num_rows: rows, total_byte_size: size } of metadata.row_groups)
    if (Number(rows) > MOST_GROUP_ROWS || Number(size) > MOST_GROUP) throw new Error('a group is too large');
  const file = {
    byteLength: buffer.byteLength,
    slice: (start: number, end?: number) => buffer.slice(start, end),
  };
  const count = metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
  for (let start = 0; start < count; start += ROWS) {
    const rowEnd = Math.min(start + ROWS, count);
    const rows = await parquetReadObjects({
      file,
      metadata,
      rowStart: start,
      rowEnd,
      compressors: COMPRESSORS,
    });
    yield rows.map((row, i) => ({ line: start + i + 1, text: JSON.stringify(row, plain) }));
  }
}

/** Numbers of 64 bits, days and bytes as texts. */
function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  return value;
}
