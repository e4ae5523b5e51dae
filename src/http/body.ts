import type { Readable } from 'node:stream';
import type { H3Event } from 'h3';
import { ProblemError } from './problems.ts';

/** The most that a request body may have, in bytes. */
const BODY_LIMIT = 64 * 1024;

const JSON_TYPE = /^application\/json[ \t]*(;|$)/i;
const tooLarge = () =>
  new ProblemError({
    code: 'body_too_large',
    detail: 'The body has more than 64 KiB.',
    // What is still being sent is not read, so the connection cannot be used again.
    headers: [['connection', 'close']],
  });

/**
 * The bytes of a JSON body. Reading stops at the limit, whatever the length header says.
 *
 * Errors: unsupported_media_type, body_too_large, malformed_request (the sender hung up).
 */
export async function readBytes(event: H3Event): Promise<Uint8Array> {
  const { headers } = event.req;
  const encoding = headers.get('content-encoding');
  if (!JSON_TYPE.test(headers.get('content-type') ?? '') || (encoding && encoding !== 'identity')) {
    throw new ProblemError({
      code: 'unsupported_media_type',
      detail: 'The body must be sent as Content-Type: application/json, not compressed.',
    });
  }
  if (Number(headers.get('content-length') ?? 0) > BODY_LIMIT) throw tooLarge();
  const node = event.runtime?.node?.req;
  return node ? collectNode(node) : collectWeb(event.req.body);
}

// Plain listeners: iterating the stream would cost more than all the rest of reading a body.
function collectNode(stream: Readable): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const done = (error: ProblemError | null) => {
      stream.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      if (error) reject(error);
      else resolve(join(chunks));
    };
    const onData = (chunk: Uint8Array) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= BODY_LIMIT) return;
      stream.pause();
      done(tooLarge());
    };
    const onEnd = () => done(null);
    const onBroken = () => done(broken());
    stream.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
    if (stream.destroyed) onBroken();
  });
}

async function collectWeb(stream: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw tooLarge();
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
