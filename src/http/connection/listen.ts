import { createServer, STATUS_CODES } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { H3 } from 'h3';
import { NodeRequest, sendNodeResponse } from 'srvx/node';
import { inTurn, readWithMeasure } from './pipeline.ts';
import { startListening } from './address.ts';
import type { ListenAddress } from './address.ts';
import { watchCertificate, readCertificate } from './tls.ts';
import type { TlsFiles } from './tls.ts';
import { requestId } from '../../platform/request-id.ts';
import { turnWithTime } from '../../platform/turn.ts';
import { TextResponse } from '../response.ts';
import { problemBody } from '../problems.ts';

export interface RunningServer {
  /** `http://127.0.0.1:8787`, with the port that was really taken; `unix:/run/bonafide.sock`. */
  url: string;
  /** Stops accepting, lets calls in flight finish (at most `graceMs`), then closes every connection. */
  close(graceMs?: number): Promise<void>;
}

const SWEEP_MS = 20;
const QUIET = { info: () => undefined, warn: () => undefined };

export interface ListenOptions extends ListenAddress {
  tls?: TlsFiles | undefined;
  /** What systemd says of a socket that it has opened. */
  variables?: Readonly<Record<string, string | undefined>>;
  log?: { info(text: string): void; warn(text: string): void };
}

/** A missing Host or an unknown Expect would be answered by node:http itself, without a request id. */
const SERVER = {
  keepAliveTimeout: 65_000,
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  requireHostHeader: false,
  maxHeaderSize: 16 * 1024,
};

/**
 * Serves the app at a place (port 0 takes a free one), over TLS where there is a certificate.
 *
 * Errors: port_in_use, address_unavailable, unreadable_file.
 */
export async function listen(app: H3, options: ListenOptions): Promise<RunningServer> {
  const { tls, variables = {}, log = QUIET } = options;
  let closing = false;
  const takeOn = (req: IncomingMessage, res: ServerResponse) =>
    inTurn(req, res, () => void serve(app, { req, res, last: closing }));
  const server = tls
    ? createTlsServer({ ...SERVER, ...readCertificate(tls) }, takeOn)
    : createServer(SERVER, takeOn);
  server.on(tls ? 'secureConnection' : 'connection', readWithMeasure);
  server.on('clientError', refuse);
  server.on('checkExpectation', takeOn);
  const place = await startListening(server, options, variables);
  const unfollow = tls ? watchCertificate(server as TlsServer, tls, log) : () => undefined;
  return {
    url: place.startsWith('unix:') ? place : `${tls ? 'https' : 'http'}://${place}`,
    close: (graceMs = 10_000) =>
      new Promise((resolve) => {
        closing = true;
        unfollow();
        // A connection that finishes its call now would otherwise stay open for another one.
        const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
        const end = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearInterval(sweep);
          clearTimeout(end);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

/** h3 answers through its adapter, but for our own answers: one write for head and body costs a fifth less. */
async function serve(
  app: H3,
  { req, res, last }: { req: IncomingMessage; res: ServerResponse; last: boolean },
): Promise<void> {
  try {
    // One packet brings hundreds of requests, and one turn many packets.
    await turnWithTime();
    // Whoever goes on sending would keep its connection, and the server with it, until the time of grace is over.
    if (last) res.shouldKeepAlive = false;
    const response = await app.fetch(new NodeRequest({ req, res }));
    if (!(response instanceof TextResponse)) return await sendNodeResponse(res, response);
    const { payload, code, pairs } = response;
    const headers: string[] = [];
    for (const [name, value] of pairs) headers.push(name, value);
    headers.push('content-length', String(Buffer.byteLength(payload)));
    res.writeHead(code, headers);
    res.end(payload);
  } catch {
    // Only a socket that is gone can bring us here: the app turns every error into an answer.
    res.destroy();
  }
}

const NOT_HTTP = { status: 400, detail: 'This is not a well-formed HTTP request.' };
const REFUSALS: Record<string, typeof NOT_HTTP> = {
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'The headers are too large: all of them have at most 16 KiB.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'The request did not arrive in time.' },
};

/** What is not HTTP at all never reaches the app, and still gets a problem with an id. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, detail } = REFUSALS[error.code ?? ''] ?? NOT_HTTP;
  const id = requestId(Date.now());
  const body = problemBody({ code: 'malformed_request', detail, status }, id);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/problem+json\r\n` +
      `X-Request-Id: ${id}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
