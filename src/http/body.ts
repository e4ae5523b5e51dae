import { createWriteStream, rmSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { H3Event } from 'h3';
import { getErrorCode } from '../platform/files.ts';
import { convertStorageErrorToBonafideError, isStorageError } from '../platform/sqlite.ts';
import { ProblemError, toProblem } from './problems.ts';

export interface BodyFormat {
  /** Accepted media types. */
  types: readonly [string, ...string[]];
  /** Maximum size of a body in KiB. */
  kib: number;
}

const JSON_BODY_FORMAT: BodyFormat = { types: ['application/json'], kib: 64 };
export const JSON_LINES_BODY_FORMAT: BodyFormat = {
  types: ['application/x-ndjson', 'application/jsonl'],
  kib: 4096,
};
export const LABELLED_CASES_BODY_FORMAT: BodyFormat = { types: ['application/octet-stream'], kib: 16 * 1024 };
/** Format of a body with a file of records, in any file format that `bonafide import` reads. */
export const RECORDS_FILE_BODY_FORMAT: BodyFormat = { types: ['application/octet-stream'], kib: 256 * 1024 };

/**
 * Number of parts that any body may arrive in. Node takes microseconds to parse each part, also of a body that is refused unread: this number of
 * parts costs less than a check.
 */
const FREE_PARTS = 250;
/** Minimum mean size in bytes of the parts of a body beyond `FREE_PARTS`. */
const MIN_PART_BYTES = 32;

class PartCount {
  #parts = 0;
  #bytes = 0;

  /** Counts a part of a body. Returns false if the parts are too many for their size. */
  add(bytes: number): boolean {
    this.#bytes += bytes;
    return ++this.#parts <= FREE_PARTS + this.#bytes / MIN_PART_BYTES;
  }
}

/**
 * Number and size of the body parts that each connection received in this turn of the event loop. They are counted together, because a packet can
 * contain many requests.
 */
const PARTS_OF_TURN = new WeakMap<Socket, PartCount>();

function countPartsOfTurn(socket: Socket): PartCount {
  let count = PARTS_OF_TURN.get(socket);
  if (!count) {
    PARTS_OF_TURN.set(socket, (count = new PartCount()));
    setImmediate(() => PARTS_OF_TURN.delete(socket));
  }
  return count;
}

/** Maximum number of bytes that are read and dropped of a body that no handler read, so that the connection can be used again. */
const MAX_DROPPED_BYTES = 64 * 1024;

/**
 * HTTP request that counts the parts of its body, also if nobody reads the body. If they are too many, the body ends early, the event `excess` is
 * emitted, and further parts are dropped.
 */
export class BodyChunkLimitedRequest extends IncomingMessage {
  hasTooManyParts = false;
  /** Called when a handler begins to read the body: a client that sent `Expect: 100-continue` sends it only then. */
  onFirstRead: (() => unknown) | undefined;
  readonly #parsed = new PartCount();
  #droppableBytes = Infinity;

  /** True if the client may still be sending this request. */
  get isUnread(): boolean {
    return !this.complete || this.hasTooManyParts;
  }

  /**
   * Reads and drops the rest of a body that no handler read. Returns false, and reads nothing, if the body is too large: its connection must then be
   * closed. The same happens if a body of unknown length gets too large.
   */
  dropRest(): boolean {
    if (this.onFirstRead || Number(this.headers['content-length'] ?? 0) > MAX_DROPPED_BYTES) return false;
    this.#droppableBytes = MAX_DROPPED_BYTES;
    this.resume();
    return true;
  }

  override read(size?: number): unknown {
    this.onFirstRead?.();
    this.onFirstRead = undefined;
    return super.read(size);
  }

  override push(part: Buffer | null): boolean {
    if (part === null) return this.hasTooManyParts || super.push(null);
    this.#droppableBytes -= part.length;
    const isWithinLimit = this.#parsed.add(part.length) && this.#droppableBytes >= 0;
    if (countPartsOfTurn(this.socket).add(part.length) && isWithinLimit) return super.push(part);
    if (!this.hasTooManyParts) this.#endEarly();
    return true;
  }

  #endEarly(): void {
    this.hasTooManyParts = true;
    // Otherwise the end of the stream would destroy the connection, before the request is answered.
    this.complete = true;
    this.emit('excess');
    skipPartsOfPacket(this.socket);
    super.push(null);
  }
}

/**
 * Drops the further parts of the packet that node:http is parsing. One packet can contain ten thousand parts, and a connection can be closed only
 * after they are parsed. node:http has no option for this, so its parser calls no function for them until the end of the packet. The parser also
 * serves later connections.
 */
function skipPartsOfPacket(socket: Socket & { parser?: Record<string, unknown> | null }): void {
  const { parser } = socket;
  for (const [index, callback] of Object.entries(parser ?? {}))
    if (parser && typeof callback === 'function' && callback.name === 'parserOnBody') {
      parser[index] = null;
      const restore = () => void (parser[index] = callback);
      setImmediate(restore);
      socket.prependOnceListener('close', restore);
    }
}

/**
 * Reads the body of a request into memory, up to the size limit of the format. Errors: unsupported_media_type, body_too_large (also if it
 * arrives in too many small parts), malformed_request if the client closed the connection; those of `onBytes`, which is called for each part.
 */
export async function readBody(
  event: H3Event,
  format: BodyFormat = JSON_BODY_FORMAT,
  onBytes?: (bytes: number) => void,
): Promise<Uint8Array> {
  requireFormat(event, format);
  const stream = streamOf(event);
  // Events are faster here than iterating over the stream, which would cost more than all other steps of reading a body.
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const end = (error: ProblemError | null) => {
      stream.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      if (error) reject(error);
      else resolve(concat(chunks));
    };
    const onData = (chunk: Uint8Array) => {
      chunks.push(chunk);
      size += chunk.length;
      try {
        if (size > format.kib * 1024) throw overSize(format);
        onBytes?.(chunk.length);
      } catch (error) {
        stream.pause();
        end(withConnectionClosed(error));
      }
    };
    const onEnd = () => end(findExcessOfParts(stream));
    const onBroken = () => end(broken());
    stream.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
    if (stream.destroyed) onBroken();
  });
}

/**
 * Writes the body of a request to a new file with mode 0600, and returns its size in bytes. On an error, the file is deleted. Errors: those of
 * `readBody`; disk_full, read_only and others of the file.
 */
export async function writeBodyToFile(event: H3Event, file: string, format: BodyFormat): Promise<number> {
  requireFormat(event, format);
  const stream = streamOf(event);
  // `pipeline` would take the socket from a request that it is given itself, and the answer to an error needs the socket.
  const chunks: AsyncIterable<Uint8Array> = stream.iterator({ destroyOnReturn: false });
  let size = 0;
  const body = async function* () {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > format.kib * 1024) throw overSize(format);
      yield chunk;
    }
  };
  try {
    await pipeline(body, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
    const excess = findExcessOfParts(stream);
    if (excess) throw excess;
    return size;
  } catch (error) {
    rmSync(file, { force: true });
    if (HANG_UPS.includes(getErrorCode(error))) throw broken();
    throw isStorageError(error) ? convertStorageErrorToBonafideError(error, file, { name: 'upload' }) : error;
  }
}

const HANG_UPS = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'ABORT_ERR'];

/**
 * Returns the body of a request as a stream. Requests of the warm-up and of tests have no connection; their body is read from the web Request.
 */
const streamOf = (event: H3Event): Readable =>
  event.runtime?.node?.req ?? Readable.from(event.req.body ?? []);

function requireFormat({ req: { headers } }: H3Event, format: BodyFormat): void {
  const encoding = headers.get('content-encoding');
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  if (!format.types.includes(type.trim().toLowerCase()))
    throw unsupported(`The body must be sent as Content-Type: ${format.types.join(' or ')}.`);
  if (encoding && encoding !== 'identity')
    throw unsupported('The body must be sent uncompressed, without Content-Encoding.');
  if (Number(headers.get('content-length') ?? 0) > format.kib * 1024) throw overSize(format);
}

const findExcessOfParts = (stream: Readable): ProblemError | null =>
  stream instanceof BodyChunkLimitedRequest && stream.hasTooManyParts
    ? tooLarge('The body arrives in too many small parts. Send it in larger chunks.')
    : null;

function concat(chunks: Uint8Array[]): Uint8Array {
  const [first, ...more] = chunks;
  return first && more.length === 0 ? first : Buffer.concat(chunks);
}

const unsupported = (detail: string) => new ProblemError({ code: 'unsupported_media_type', detail });
const broken = () =>
  new ProblemError({
    code: 'malformed_request',
    detail: 'The connection ended before the whole body had arrived.',
  });
const overSize = ({ kib }: BodyFormat) => tooLarge(`The body has more than ${kib} KiB.`);
const tooLarge = (detail: string) =>
  withConnectionClosed(new ProblemError({ code: 'body_too_large', detail }));

/** Adds the header that closes the connection to an error, because the server does not read the rest of the body. */
function withConnectionClosed(error: unknown): ProblemError {
  const problem = toProblem(error);
  const headers = (problem.headers ?? []).filter(([name]) => name !== 'connection');
  return new ProblemError({ ...problem, headers: [...headers, ['connection', 'close']] });
}
