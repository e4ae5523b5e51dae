import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BonafideError } from '../../errors.ts';

export type Format = 'jsonl' | 'csv';

/** Bytes of an input, unpacked, with what they hold. */
export interface OpenedSource {
  bytes: AsyncIterable<Uint8Array>;
  format: Format;
}

const JSON_ENDING = /\.(?:jsonl|ndjson|jsonlines|json)(?:\.gz)?$/i;
const CSV_ENDING = /\.(?:csv|tsv|tab|txt)(?:\.gz)?$/i;

/**
 * Unpacks gzip, told by its magic bytes, and says the format: by the name's ending, else JSON Lines where the first character is `{`.
 *
 * Errors: `unreadable_file` for damaged gzip, for UTF-16 and for one big JSON array.
 */
export async function openSource(source: AsyncIterable<Uint8Array>, name: string): Promise<OpenedSource> {
  let peeked = await peek(source);
  if (peeked.head[0] === 0x1f && peeked.head[1] === 0x8b) peeked = await peek(gunzip(peeked.bytes, name));
  const { head, bytes } = peeked;
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) {
    throw new BonafideError(
      'unreadable_file',
      `${name} is encoded in UTF-16. Save it as UTF-8 and import it again.`,
    );
  }
  const first = head.toString('utf8').trimStart()[0];
  const format = JSON_ENDING.test(name)
    ? 'jsonl'
    : CSV_ENDING.test(name)
      ? 'csv'
      : first === '{' || first === '['
        ? 'jsonl'
        : 'csv';
  if (format === 'jsonl' && first === '[') {
    throw new BonafideError(
      'unreadable_file',
      `${name} is one JSON array. Write one record a line, for example with: jq -c '.[]'`,
    );
  }
  return { bytes, format };
}

const HEAD_BYTES = 64;

/** The first bytes, and all bytes again from the start. */
async function peek(
  source: AsyncIterable<Uint8Array>,
): Promise<{ head: Buffer; bytes: AsyncIterable<Uint8Array> }> {
  const iterator = source[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < HEAD_BYTES) {
    const next = await iterator.next();
    if (next.done === true) break;
    chunks.push(next.value);
    length += next.value.length;
  }
  return { head: Buffer.concat(chunks).subarray(0, HEAD_BYTES), bytes: resume(chunks, iterator) };
}

async function* resume(
  chunks: Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks.splice(0);
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

async function* gunzip(bytes: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const unpacked = createGunzip();
  // The error arrives where the unpacked bytes are read.
  pipeline(Readable.from(bytes, { objectMode: false }), unpacked, () => {});
  try {
    for await (const chunk of unpacked) yield chunk as Buffer;
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error;
    throw new BonafideError(
      'unreadable_file',
      `${name} is a damaged or cut-off gzip file. Unpack or fetch it again, then repeat the import.`,
    );
  } finally {
    unpacked.destroy();
  }
}
