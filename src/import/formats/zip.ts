// The entries of a zip archive that is at hand as a whole. Source of the layout: PKWARE's APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16.
import { pipeline, Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { BonafideError } from '../../errors.ts';

export interface ZipEntry {
  name: string;
  /** Its bytes, unpacked. `read` throws where they are damaged. */
  read(): AsyncIterable<Buffer>;
}

const [END, CENTRAL] = [0x06_05_4b_50, 0x02_01_4b_50];
const END_BYTES = 22;
const MOST_COMMENT = 65_535;
const MOST_ENTRIES = 10_000;
/** Sheets shrink ten to thirty times. Far beyond, and past this size, it is a bomb. */
const MOST_TIMES = 250;
const ALWAYS_UNPACKED = 64 * 1024 * 1024;

export class DamagedZip extends Error {}
export class ZipBomb extends Error {}

/** Throws `DamagedZip` for what is none, or has more entries than any workbook. */
export function readZipEntries(zip: Buffer): ZipEntry[] {
  const end = endOf(zip);
  const count = zip.readUInt16LE(end + 10);
  if (count > MOST_ENTRIES) throw new DamagedZip();
  const entries: ZipEntry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let i = 0; i < count; i++) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== CENTRAL) throw new DamagedZip();
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const [method, packed] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const local = zip.readUInt32LE(at + 42);
    const text = zip.toString('utf8', at + 46, at + 46 + (name ?? 0));
    entries.push({ name: text, read: () => unpacked(bytesOf(zip, local, packed), method) });
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return entries;
}

function endOf(zip: Buffer): number {
  for (let at = zip.length - END_BYTES; at >= Math.max(0, zip.length - END_BYTES - MOST_COMMENT); at--)
    if (zip.readUInt32LE(at) === END) return at;
  throw new DamagedZip();
}

function bytesOf(zip: Buffer, local: number, packed: number): Buffer {
  if (local + 30 > zip.length) throw new DamagedZip();
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  if (start + packed > zip.length) throw new DamagedZip();
  return zip.subarray(start, start + packed);
}

async function* unpacked(bytes: Buffer, method: number): AsyncGenerator<Buffer> {
  if (method === 0) yield bytes;
  else if (method === 8) yield* inflated(bytes);
  else throw new DamagedZip();
}

async function* inflated(bytes: Buffer): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw();
  // The error arrives where the unpacked bytes are read.
  pipeline(Readable.from([bytes], { objectMode: false }), inflate, () => {});
  let length = 0;
  try {
    for await (const chunk of inflate) {
      length += (chunk as Buffer).length;
      if (length > ALWAYS_UNPACKED && length > MOST_TIMES * bytes.length) throw new ZipBomb();
      yield chunk as Buffer;
    }
  } catch (error) {
    if (error instanceof ZipBomb) throw error;
    throw new DamagedZip();
  } finally {
    inflate.destroy();
  }
}

/** What is read from its end, as workbooks and Parquet files are, has to be at hand as a whole. */
const MOST_BYTES = 256 * 1024 * 1024;

/** All bytes of an input. Errors: `unreadable_file` where they are too many. */
export async function readWholeInput(
  bytes: AsyncIterable<Uint8Array>,
  { name, way }: { name: string; way: string },
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > MOST_BYTES)
      throw new BonafideError('unreadable_file', `${name} is larger than 256 MiB. ${way} and import that.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
