import { createWriteStream, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { H3Event } from 'h3';
import { errorCode } from '../platform/files.ts';
import { ProblemError } from './problems.ts';

/** What a body may be. */
export interface BodyFormat {
  /** Media types; the first is the one that is told. */
  types: readonly [string, ...string[]];
  /** The most that it may have, in KiB. */
  kib: number;
}

export const JSON_BODY: BodyFormat = { types: ['application/json'], kib: 64 };
/** Lines of JSON, one value each; see jsonlines.org. */
export const LINES_BODY: BodyFormat = { types: ['application/x-ndjson', 'application/jsonl'], kib: 4096 };
/** A file of labelled cases; it is read in memory. */
export const CASES_BODY: BodyFormat = { types: ['application/octet-stream'], kib: 16 * 1024 };
/** A file of any kind, as it is. */
export const FILE_BODY: BodyFormat = { types: ['application/octet-stream'], kib: 256 * 1024 };

const tooLarge = ({ kib }: BodyFormat) =>
  new ProblemError({
    code: 'body_too_large',
    detail: `The body has more than ${kib} KiB.`,
    // What is still being sent is not read, so the connection cannot be used again.
    headers: [['connection', 'close']],
  });

/**
 * The bytes of a body. Reading stops at the limit, whatever the length header says.
 *
 * Errors: unsupported_media_type, body_too_large, malformed_request (the sender hung up).
 */
export async function readBody(event: H3Event, kind: BodyFormat = JSON_BODY): Promise<Uint8Array> {
  requireKind(event, kind);
  const node = event.runtime?.node?.req;
  return node ? collectNode(node, kind) : collectWeb(event.req.body, kind);
}

/**
 * Writes a body to a file that is not there yet, mode 0600, and answers how many bytes it has. Nothing is left of one that cannot be taken.
 *
 * Errors: those of `readBytes`, and what the file system throws.
 */
export async function writeBody(event: H3Event, file: string, kind: BodyFormat): Promise<number> {
  requireKind(event, kind);
  let size = 0;
  const count = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > kind.kib * 1024) throw tooLarge(kind);
      yield chunk;
    }
  };
  try {
    await pipeline(
      event.runtime?.node?.req ?? Readable.from(event.req.body ?? []),
      count,
      createWriteStream(file, { flags: 'wx', mode: 0o600 }),
    );
    return size;
  } catch (error) {
    rmSync(file, { force: true });
    throw isBroken(error) ? broken() : error;
  }
}

/** Did the sender hang up? */
const isBroken = (error: unknown) =>
  ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'ABORT_ERR'].includes(errorCode(error));

const unsupported = (detail: string) => new ProblemError({ code: 'unsupported_media_type', detail });

/** Errors: unsupported_media_type, body_too_large. */
function requireKind(event: H3Event, kind: BodyFormat): void {
  const { headers } = event.req;
  const encoding = headers.get('content-encoding');
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  if (!kind.types.includes(type.trim().toLowerCase()))
    throw unsupported(`The body must be sent as Content-Type: ${kind.types[0]}.`);
  if (encoding && encoding !== 'identity')
    throw unsupported('The body must be sent as it is: unpack it, and leave Content-Encoding out.');
  if (Number(headers.get('content-length') ?? 0) > kind.kib * 1024) throw tooLarge(kind);
}

// Plain listeners: iterating the stream would cost more than all the rest of reading a body.
function collectNode(stream: Readable, kind: BodyFormat): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    const most = kind.kib * 1024;
    let size = 0;
    const done = (error: ProblemError | null) => {
      stream.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      if (error) reject(error);
      else resolve(join(chunks));
    };
    const onData = (chunk: Uint8Array) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= most) return;
      stream.pause();
      done(tooLarge(kind));
    };
    const onEnd = () => done(null);
    const onBroken = () => done(broken());
    stream.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
    if (stream.destroyed) onBroken();
  });
}

async function collectWeb(stream: ReadableStream<Uint8Array> | null, kind: BodyFormat): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.length;
    if (size > kind.kib * 1024) throw tooLarge(kind);
    chunks.push(chunk);
  }
  return join(chunks);
}

function join(chunks: Uint8Array[]): Uint8Array {
  const [first, ...more] = chunks;
  return first && more.length === 0 ? first : Buffer.concat(chunks);
}
const broken = () =>
  new ProblemError({ code: 'malformed_request', detail: 'The body ended before all of it had arrived.' });
