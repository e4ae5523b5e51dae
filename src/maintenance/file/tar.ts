// Subset of the tar format (POSIX ustar) that backups use: plain files in one folder.
import { BonafideError } from '../../errors.ts';

const BLOCK = 512;
const PIECE = 1024 * 1024;
/** Smallest file size that needs more than eleven octal digits. From this size on, sizes are written in binary as GNU tar does. */
const MOST_OCTAL = 8 ** 11;

export interface TarEntry {
  name: string;
  size: number;
  content: AsyncIterable<Uint8Array>;
}

/** Yields the bytes of a tar file with these entries. `time` is milliseconds since 1970. */
export async function* writeTar(entries: AsyncIterable<TarEntry>, time: number): AsyncGenerator<Uint8Array> {
  for await (const { name, size, content } of entries) {
    yield createHeader(name, size, time);
    yield* content;
    yield Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
  }
  yield Buffer.alloc(2 * BLOCK);
}

/**
 * Yields the entries of a tar file. Read the content of an entry before you request the next one. Errors: damaged_backup if the file is
 * truncated or was not written by a backup.
 */
export async function* readTarEntries(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const reader = createByteReader(source);
  const exactly = async (count: number) => {
    const chunk = await reader.take(count);
    if (chunk.length < count) throw damagedTarError();
    return chunk;
  };
  async function* content(size: number) {
    for (let remaining = size; remaining > 0; remaining -= Math.min(remaining, PIECE))
      yield await exactly(Math.min(remaining, PIECE));
  }
  for (;;) {
    const head = await exactly(BLOCK);
    if (head.every((byte) => byte === 0)) {
      await exactly(BLOCK);
      // Reads to the end, because the source may throw there, for example when its authentication fails.
      if ((await reader.take(1)).length > 0) throw damagedTarError();
      return;
    }
    const { name, size } = parseHeader(head);
    yield { name, size, content: content(size) };
    await exactly((BLOCK - (size % BLOCK)) % BLOCK);
  }
}

function createHeader(name: string, size: number, time: number): Buffer {
  const head = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number) =>
    head.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  head.write(name, 0, 100, 'latin1');
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  if (size < MOST_OCTAL) octal(size, 124, 12);
  else {
    head.writeUInt8(0x80, 124);
    head.writeBigUInt64BE(BigInt(size), 128);
  }
  octal(Math.floor(time / 1000), 136, 12);
  head.write('0', 156, 'latin1');
  head.write('ustar\u000000', 257, 'latin1');
  head.write(`${computeHeaderChecksum(head).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return head;
}

function parseHeader(head: Buffer): { name: string; size: number } {
  const text = (at: number, length: number) =>
    head
      .toString('latin1', at, at + length)
      .replace(/\0.*$/s, '')
      .trim();
  if (parseInt(text(148, 8), 8) !== computeHeaderChecksum(head) || text(156, 1) !== '0')
    throw damagedTarError();
  const size = head.readUInt8(124) === 0x80 ? Number(head.readBigUInt64BE(128)) : parseInt(text(124, 12), 8);
  const name = text(0, 100);
  // A backup has no name with a path: it could write outside the target folder.
  if (!/^\w[\w.-]*$/.test(name) || !Number.isSafeInteger(size) || size < 0) throw damagedTarError();
  return { name, size };
}

/** Returns the checksum of a tar header: the sum of its bytes, with blanks in place of the checksum field. */
function computeHeaderChecksum(head: Buffer): number {
  let sum = 8 * 32;
  for (const [i, byte] of head.entries()) if (i < 148 || i >= 156) sum += byte;
  return sum;
}

const damagedTarError = () =>
  new BonafideError(
    'damaged_backup',
    'The backup is damaged, or its end is missing. Use another copy of the backup.',
  );

/** Reader of a byte stream that returns pieces of the requested sizes. */
export interface ByteReader {
  /** Returns the next `count` bytes; fewer at the end of the stream, and an empty buffer after it. */
  take(count: number): Promise<Buffer>;
}

export function createByteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const pieces = source[Symbol.asyncIterator]();
  let buffered: Buffer[] = [];
  let length = 0;
  return {
    async take(count) {
      while (length < count) {
        const next = await pieces.next();
        if (next.done) break;
        buffered.push(Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength));
        length += next.value.byteLength;
      }
      const all = buffered.length === 1 && buffered[0] ? buffered[0] : Buffer.concat(buffered);
      const chunk = all.subarray(0, count);
      buffered = [all.subarray(chunk.length)];
      length = all.length - chunk.length;
      return chunk;
    },
  };
}
