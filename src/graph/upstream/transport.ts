// HTTP requests to another server through node:http(s), which supports client certificates and keeps connections open.
import { once } from 'node:events';
import type * as Http from 'node:http';
import type * as Https from 'node:https';
import { createRequire } from 'node:module';
import { BonafideError } from '../../errors.ts';
import { getErrorCode } from '../../platform/files.ts';

/** Loads node:http when it is used. An import also loads undici: 30 ms of CPU time in every command and thread that opens a graph. */
const require = createRequire(import.meta.url);

export interface HttpTransportRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body: string;
  /** Aborts the request, which then fails with the reason of the signal. */
  signal: AbortSignal;
  /** True to open a new connection, because the other server may have closed the present ones. */
  newConnection: boolean;
}

export interface HttpTransportReply {
  status: number;
  /** Media type in lower case, without parameters. */
  type: string;
  /** Delay that the header Retry-After requests, in milliseconds; null if the header is missing or invalid. */
  retryAfterMs: number | null;
  body: Buffer;
}

export interface HttpTransportOptions {
  url: string;
  /** PEM texts: client certificate, its private key, and the certificate authorities that replace those of the system. */
  tls: { cert?: string | undefined; key?: string | undefined; ca?: string | undefined };
  connections: number;
  maxBytes: number;
}

/** Time (ms) after which a connection without requests is closed. Common servers close one after 5 seconds or more. */
const IDLE_MS = 4000;

export function openHttpTransport({ url, tls, connections, maxBytes }: HttpTransportOptions) {
  const base = new URL(url);
  const isSecure = base.protocol === 'https:';
  const pool = { keepAlive: true, timeout: IDLE_MS, maxSockets: connections, scheduling: 'lifo' } as const;
  const http: typeof Http | typeof Https = require(isSecure ? 'node:https' : 'node:http');
  const security = isSecure ? tls : {};
  const agent = new http.Agent({ ...pool, ...security });
  const prefix = base.pathname.replace(/\/$/, '');
  const request = (options: Https.RequestOptions) => http.request({ ...options, ...security });
  return {
    /** Sends a request without following redirects. Errors: graph_unavailable, graph_bad_response if the reply is too long. */
    async send(sending: HttpTransportRequest): Promise<HttpTransportReply> {
      const { path, method, headers, body, signal, newConnection } = sending;
      const sent = request({
        host: base.hostname.replace(/^\[|\]$/g, ''),
        port: base.port,
        path: prefix + path,
        method,
        agent: newConnection ? false : agent,
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        signal,
      });
      try {
        // `once` stops listening after the response; a later error event without a listener would end the process.
        sent.on('error', () => undefined);
        sent.end(body);
        const [response] = (await once(sent, 'response')) as [Http.IncomingMessage];
        return await readReply(response, maxBytes);
      } catch (error) {
        sent.destroy();
        if (signal.aborted) throw signal.reason;
        throw error instanceof BonafideError ? error : unreachableError(base.host, error);
      }
    },
    close: () => agent.destroy(),
  };
}

/** Error details that allow a second attempt: no request changes anything on the other server. */
const TRANSIENT = { transient: true };

/** Creates the error for an unreachable server. The message contains the code of the socket error, but not its text, which may contain a password. */
const unreachableError = (host: string, error: unknown) =>
  new BonafideError(
    'graph_unavailable',
    `The upstream graph at ${host} cannot be reached (${getErrorCode(error) || 'no connection'}). Check graph.url, and that the server is running.`,
    TRANSIENT,
  );

async function readReply(response: Http.IncomingMessage, maxBytes: number): Promise<HttpTransportReply> {
  const { headers, statusCode = 0 } = response;
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLongError(maxBytes);
  return {
    status: statusCode,
    type: (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
    retryAfterMs: parseRetryAfter(headers['retry-after'], headers.date),
    body: await readBody(response, maxBytes),
  };
}

async function readBody(response: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response) {
      size += chunk.length;
      if (size > maxBytes) throw tooLongError(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof BonafideError ? error : INCOMPLETE;
  }
  return Buffer.concat(chunks);
}

const tooLongError = (maxBytes: number) =>
  new BonafideError(
    'graph_bad_response',
    `The answer of the upstream graph has more than ${maxBytes} bytes. If such answers are expected, raise graph.answerKib.`,
  );

const INCOMPLETE = new BonafideError(
  'graph_unavailable',
  'The connection to the upstream graph was closed before the answer was complete. Try again.',
  TRANSIENT,
);

/** Matches the three date formats of HTTP (RFC 9110, 5.6.7), all in GMT. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w :-]+$/;

/**
 * Returns the delay of a Retry-After header in milliseconds: 0 for a date in the past; null if the header is missing or invalid.
 * @param date header Date of the reply, from which the delay is computed: the clocks of the servers may differ
 */
export function parseRetryAfter(header: string | undefined, date: string | undefined): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const ms = parseHttpDate(header) - parseHttpDate(date);
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

function parseHttpDate(text = ''): number {
  if (!HTTP_DATE.test(text)) return Number.NaN;
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}
