// Decompression of inputs: gzip, Zstandard and zip, with limits against files that expand without end.
// Layout of zip archives: PKWARE's APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16.
import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { BonafideError } from '../../errors.ts';
import { INPUT_LIMITS, isDecompressedSizeTooLarge } from './limits.ts';

export type InputCompression = 'gzip' | 'zstd';

const MAGIC: readonly [hex: string, compression: InputCompression][] = [
  ['1f8b', 'gzip'],
  ['28b52ffd', 'zstd'],
];

/** Error for data that expands more than `INPUT_LIMITS.expansion` allows. Normal exports become five to fifty times as large. */
export class DecompressionBombError extends Error {}

/** Error for bytes that are not a zip archive, a damaged archive, or one with too many entries. */
export class DamagedZipError extends Error {}

/** Detects gzip or Zstandard from the first bytes of an input; null for other data, also for a zip archive. */
export function detectCompression(head: Buffer): InputCompression | null {
  const hex = head.toString('hex', 0, 4);
  return MAGIC.find(([magic]) => hex.startsWith(magic))?.[1] ?? null;
}

/** Decompresses a stream chunk by chunk. Errors: `unreadable_file` if the stream is damaged, truncated or a decompression bomb. */
export async function* decompressStream(
  bytes: AsyncIterable<Uint8Array>,
  { name, compression }: { name: string; compression: InputCompression },
): AsyncGenerator<Uint8Array> {
  try {
    yield* decompressed(bytes, compression === 'gzip' ? createGunzip() : createZstdDecompress());
  } catch (error) {
    if (error instanceof DecompressionBombError)
      throw new BonafideError(
        'unreadable_file',
        `${name} decompresses to more than ${INPUT_LIMITS.expansion} times its size, as a decompression bomb does. If you trust the file, decompress it and import the decompressed file.`,
      );
    if (!/^Z(?:STD)?_/.test(String((error as NodeJS.ErrnoException).code))) throw error;
    throw new BonafideError(
      'unreadable_file',
      `${name} is a damaged or cut-off ${compression} file. Decompress or download it again, then repeat the import.`,
    );
  }
}

async function* decompressed(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  transform: Transform,
  always?: number,
): AsyncGenerator<Buffer> {
  let [read, written] = [0, 0];
  const counted = async function* () {
    for await (const chunk of bytes) {
      read += chunk.length;
      yield chunk;
    }
  };
  // The pipeline passes errors to the reader of the decompressed bytes.
  pipeline(Readable.from(counted(), { objectMode: false }), transform, () => {});
  try {
    for await (const chunk of transform) {
      written += (chunk as Buffer).length;
      if (isDecompressedSizeTooLarge(written, read, always)) throw new DecompressionBombError();
      yield chunk as Buffer;
    }
  } finally {
    transform.destroy();
  }
}

/**
 * Reads all bytes of an input into memory. Errors: `unreadable_file` for more than 256 MiB.
 *
 * @param options `advice`: how to import a larger file, such as "Save it as CSV"
 */
export async function readInputIntoMemory(
  bytes: AsyncIterable<Uint8Array>,
  { name, advice }: { name: string; advice: string },
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > INPUT_LIMITS.wholeFileBytes)
      throw new BonafideError(
        'unreadable_file',
        `${name} is larger than 256 MiB. ${advice}, then import the new file.`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export interface ZipEntry {
  name: string;
  /** Decompresses this entry. Errors: `DamagedZipError`, `DecompressionBombError`. */
  read(): AsyncIterable<Buffer>;
}

const [END, CENTRAL] = [0x06_05_4b_50, 0x02_01_4b_50];
const END_BYTES = 22;
const MOST_COMMENT = 65_535;

/** Lists the entries of a zip archive in memory. Errors: `DamagedZipError`. */
export function listZipEntries(zip: Buffer): ZipEntry[] {
  const end = findEndRecord(zip);
  const count = zip.readUInt16LE(end + 10);
  if (count > INPUT_LIMITS.zipEntries) throw new DamagedZipError();
  const entries: ZipEntry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let i = 0; i < count; i++) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== CENTRAL) throw new DamagedZipError();
    const [name = 0, extra = 0, comment = 0] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const [method, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const local = zip.readUInt32LE(at + 42);
    const text = zip.toString('utf8', at + 46, at + 46 + name);
    entries.push({ name: text, read: () => readEntry(dataOf(zip, local, size), method) });
    at += 46 + name + extra + comment;
  }
  return entries;
}

/** Returns the offset of the zip end record, the last record of the archive. Only a comment may follow it. */
function findEndRecord(zip: Buffer): number {
  for (let at = zip.length - END_BYTES; at >= Math.max(0, zip.length - END_BYTES - MOST_COMMENT); at--)
    if (zip.readUInt32LE(at) === END) return at;
  throw new DamagedZipError();
}

function dataOf(zip: Buffer, local: number, size: number): Buffer {
  if (local + 30 > zip.length) throw new DamagedZipError();
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  if (start + size > zip.length) throw new DamagedZipError();
  return zip.subarray(start, start + size);
}

const [STORED, DEFLATED] = [0, 8];

async function* readEntry(data: Buffer, method: number): AsyncGenerator<Buffer> {
  if (method === STORED) {
    yield data;
    return;
  }
  if (method !== DEFLATED) throw new DamagedZipError();
  try {
    yield* decompressed([data], createInflateRaw(), INPUT_LIMITS.workbookExpandedBytes);
  } catch (error) {
    throw error instanceof DecompressionBombError ? error : new DamagedZipError();
  }
}
