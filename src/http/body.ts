// Bodies of requests: which are accepted, and how they are read within their limits.
import { createWriteStream, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { H3Event } from 'h3';
import { errorCode } from '../platform/files.ts';
import { ProblemError } from './problems.ts';

/** Media types and greatest size of a body. */
export interface BodyFormat {
  /** Accepted media types; error messages name the first. */
  types: readonly [string, ...string[]];
  /** Greatest size in KiB. */
  kib: number;
}

export const JSON_BODY: BodyFormat = { types: ['application/json'], kib: 64 };
/** JSON Lines, one value each; see jsonlines.org. */
export const JSON_LINES_BODY: BodyFormat = {
  types: ['application/x-ndjson', 'application/jsonl'],
  kib: 4096,
};
/** A file of labelled cases, which is kept in memory. */
export const LABELLED_CASES_BODY: BodyFormat = { types: ['application/octet-stream'], kib: 16 * 1024 };
/** A file of records in any format. */
export const RECORDS_FILE_BODY: BodyFormat = { types: ['application/octet-stream'], kib: 256 * 1024 };

/**
 * Reads a body. Reading stops at the size limit, whatever the header Content-Length says.
 *
 * Errors: unsupported_media_type, body_too_large, malformed_request if the sender hung up.
 */
export async function readBody(event: H3Event, format: BodyFormat = JSON_BODY): Promise<Uint8Array> {
  requireFormat(event, format);
  const stream = streamOf(event);
  // Plain listeners: iterating the stream would cost more than all the rest of reading a body.
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const end = (error: ProblemError | null) => {
      stream.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      if (error) reject(error);
      else resolve(concat(chunks));
    };
    const onData = (chunk: Uint8Array) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= format.kib * 1024) return;
      stream.pause();
      end(tooLarge(format));
    };
    const onEnd = () => end(null);
    const onBroken = () => end(broken());
    stream.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
    if (stream.destroyed) onBroken();
  });
}

/**
 * Writes a body to a new file with mode 0600, and returns its size in bytes. After an error no file remains.
 *
 * Errors: those of `readBody`, and those of the file system.
 */
export async function writeBody(event: H3Event, file: string, format: BodyFormat): Promise<number> {
  requireFormat(event, format);
  let size = 0;
  const count = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > format.kib * 1024) throw tooLarge(format);
      yield chunk;
    }
  };
  try {
    await pipeline(streamOf(event), count, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
    return size;
  } catch (error) {
    rmSync(file, { force: true });
    throw HANG_UPS.includes(errorCode(error)) ? broken() : error;
  }
}

const HANG_UPS = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'ABORT_ERR'];

/** Only a server has the stream of Node; warm-up and tests send requests without a connection. */
const streamOf = (event: H3Event): Readable =>
  event.runtime?.node?.req ?? Readable.from(event.req.body ?? []);

function requireFormat({ req: { headers } }: H3Event, format: BodyFormat): void {
  const encoding = headers.get('content-encoding');
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  if (!format.types.includes(type.trim().toLowerCase()))
    throw unsupported(`The body must be sent as Content-Type: ${format.types[0]}.`);
  if (encoding && encoding !== 'identity')
    throw unsupported('The body must be sent uncompressed, without Content-Encoding.');
  if (Number(headers.get('content-length') ?? 0) > format.kib * 1024) throw tooLarge(format);
}

function concat(chunks: Uint8Array[]): Uint8Array {
  const [first, ...more] = chunks;
  return first && more.length === 0 ? first : Buffer.concat(chunks);
}

const unsupported = (detail: string) => new ProblemError({ code: 'unsupported_media_type', detail });
const broken = () =>
  new ProblemError({ code: 'malformed_request', detail: 'The body ended before all of it had arrived.' });
const tooLarge = ({ kib }: BodyFormat) =>
  new ProblemError({
    code: 'body_too_large',
    detail: `The body has more than ${kib} KiB.`,
    // The rest of the body is not read, so the connection cannot be used again.
    headers: [['connection', 'close']],
  });
