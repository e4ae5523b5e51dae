// One HTTP exchange with another server. By node:http(s), which takes a client's certificate and keeps connections by itself.
import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { BonafideError } from '../../errors.ts';
import { errorCode } from '../../platform/files.ts';

export interface TransportRequest {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body: string;
  /** Its reason is what the exchange fails with. */
  signal: AbortSignal;
  /** On a connection of its own: one that was kept may be gone. */
  newConnection: boolean;
}

export interface TransportReply {
  status: number;
  /** The media type, without parameters. */
  type: string;
  /** What Retry-After says, in milliseconds; null where it says nothing that can be read. */
  retryAfterMs: number | null;
  body: Buffer;
}

export interface TransportOptions {
  url: string;
  /** In PEM: what is shown of ourselves, and who is believed in place of those that the system believes. */
  tls: { cert?: string | undefined; key?: string | undefined; ca?: string | undefined };
  /** Connections at a time. */
  connections: number;
  /** The most that an answer may have, in bytes. */
  maxBytes: number;
}

export interface Transport {
  /** Redirects are answers like any other. Errors: graph_unavailable, graph_bad_response for one that is too long. */
  send(sending: TransportRequest): Promise<TransportReply>;
  close(): void;
}

/** The servers that we know of close what is idle after five seconds or more. */
const IDLE_MS = 4000;

export function openTransport({ url, tls, connections, maxBytes: mostBytes }: TransportOptions): Transport {
  const base = new URL(url);
  const secure = base.protocol === 'https:';
  const kept = { keepAlive: true, timeout: IDLE_MS, maxSockets: connections, scheduling: 'lifo' } as const;
  const agent = secure ? new HttpsAgent({ ...kept, ...tls }) : new HttpAgent(kept);
  const prefix = base.pathname.replace(/\/$/, '');
  const request = (options: RequestOptions): ClientRequest =>
    secure ? httpsRequest({ ...options, ...tls }) : httpRequest(options);
  return {
    send: ({ method, path, headers, body, signal, newConnection: fresh }) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        const sent = request({
          host: base.hostname.replace(/^\[|\]$/g, ''),
          port: base.port,
          path: prefix + path,
          method,
          agent: fresh ? false : agent,
          headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        });
        const ended = (work: () => void) => {
          signal.removeEventListener('abort', aborted);
          work();
        };
        const failed = (error: Error) => ended(() => (sent.destroy(), reject(error)));
        const aborted = () => failed(signal.reason as Error);
        signal.addEventListener('abort', aborted, { once: true });
        sent.on('error', (error) => failed(unreachable(base.host, error)));
        sent.on('response', (response) =>
          collect(response, mostBytes).then((reply) => ended(() => resolve(reply)), failed),
        );
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}

/** Worth a second try: that it was asked changed nothing there. */
const AGAIN = { transient: true };

/** By the code of the socket's error, never its text: that may hold an address with a password. */
const unreachable = (host: string, error: unknown) =>
  new BonafideError(
    'graph_unavailable',
    `The upstream graph at ${host} cannot be reached (${errorCode(error) || 'no connection'}).`,
    AGAIN,
  );

function collect(response: IncomingMessage, mostBytes: number): Promise<TransportReply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const tooLong = () =>
      reject(
        new BonafideError(
          'graph_bad_response',
          `The upstream graph’s answer has more than ${mostBytes} bytes.`,
        ),
      );
    if (Number(response.headers['content-length'] ?? 0) > mostBytes) return tooLong();
    response.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > mostBytes) return tooLong();
      chunks.push(chunk);
    });
    response.on('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        type: (response.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
        retryAfterMs: parseRetryAfter(response.headers['retry-after'], response.headers.date),
        body: Buffer.concat(chunks),
      }),
    );
    // After 'end' it has no say.
    response.on('close', () => reject(CUT));
    response.on('error', () => reject(CUT));
  });
}

const CUT = new BonafideError(
  'graph_unavailable',
  'The connection to the upstream graph ended before all of its answer had arrived.',
  AGAIN,
);

// When another server says to come again.

const SECONDS = /^\d+$/;
/** In any of the three forms that HTTP has for a date (RFC 9110, 5.6.7), which are all of Greenwich. */
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w :-]+$/;

/**
 * How long the header Retry-After says to wait: milliseconds, 0 for a date that is past; null where it says nothing that can be read.
 *
 * @param date the header Date beside it: a date counts from the clock of who says it
 */
export function parseRetryAfter(header: string | undefined, date: string | undefined): number | null {
  if (header === undefined) return null;
  if (SECONDS.test(header)) return Number(header) * 1000;
  const ms = timeIn(header) - timeIn(date);
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

function timeIn(header = ''): number {
  if (!DATE.test(header)) return Number.NaN;
  return Date.parse(header.endsWith('GMT') ? header : `${header} GMT`);
}
