// Packed inputs, told by their first bytes, whatever the name.
import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import { BonafideError } from '../../errors.ts';

export type Packing = 'gzip' | 'zstd';

const MAGIC: readonly [hex: string, packing: Packing][] = [
  ['1f8b', 'gzip'],
  ['28b52ffd', 'zstd'],
];
/** Exports shrink five to fifty times. Far beyond, and past this size, it is a bomb. */
const MOST_TIMES = 250;
const ALWAYS_UNPACKED = 64 * 1024 * 1024;

/** How an input that begins with these bytes is packed; null where it is not. */
export function packingOf(head: Buffer): Packing | null {
  const hex = head.toString('hex', 0, 4);
  return MAGIC.find(([magic]) => hex.startsWith(magic))?.[1] ?? null;
}

/**
 * Unpacks a stream, a chunk at a time.
 *
 * Errors: `unreadable_file` where it is damaged, cut off or a bomb.
 */
export async function* unpack(
  bytes: AsyncIterable<Uint8Array>,
  { name, packing }: { name: string; packing: Packing },
): AsyncGenerator<Uint8Array> {
  const unpacked: Transform = packing === 'gzip' ? createGunzip() : createZstdDecompress();
  let [packed, length] = [0, 0];
  const counted = async function* () {
    for await (const chunk of bytes) {
      packed += chunk.length;
      yield chunk;
    }
  };
  // The error arrives where the unpacked bytes are read.
  pipeline(Readable.from(counted(), { objectMode: false }), unpacked, () => {});
  try {
    for await (const chunk of unpacked) {
      length += (chunk as Buffer).length;
      if (length > ALWAYS_UNPACKED && length > MOST_TIMES * packed) throw bomb(name);
      yield chunk as Buffer;
    }
  } catch (error) {
    if (!/^Z(?:STD)?_/.test(String((error as NodeJS.ErrnoException).code))) throw error;
    throw new BonafideError(
      'unreadable_file',
      `${name} is a damaged or cut-off ${packing} file. Unpack or fetch it again, then repeat the import.`,
    );
  } finally {
    unpacked.destroy();
  }
}

const bomb = (name: string): BonafideError =>
  new BonafideError(
    'unreadable_file',
    `${name} unpacks to more than ${MOST_TIMES} times its size, as no list of people does. If it is one, unpack it first.`,
  );
