import { createServer, STATUS_CODES, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { Server as NetServer, type Socket } from 'node:net';
import type { H3 } from 'h3';
import { NodeRequest, sendNodeResponse } from 'srvx/node';
import { createRequestId } from '../../platform/request-id.ts';
import { waitForEventLoopTurn } from '../../platform/turn.ts';
import { BodyChunkLimitedRequest } from '../body.ts';
import { toProblemJsonText } from '../problems.ts';
import { createCommonHeaders, TextResponse } from '../response.ts';
import { startListening, type ListenAddress } from './address.ts';
import {
  closeConnectionWithUnreadData,
  isConnectionIdle,
  isOnlyRequestOfConnection,
  limitPipelining,
  serveOrQueueRequest,
} from './pipeline.ts';
import { readCertificateAndKey, watchCertificate, type TlsFiles } from './tls.ts';

export interface RunningServer {
  /** Address of the running server with its actual port, such as `http://127.0.0.1:8787`, or `unix:/run/bonafide.sock`. */
  url: string;
  /** Stops accepting connections, waits at most `graceMs` milliseconds for running calls, then closes all connections. */
  close(graceMs?: number): Promise<void>;
}

export interface ListenOptions extends ListenAddress {
  tls?: TlsFiles | undefined;
  /** Environment variables. In them, systemd passes a socket that is already open. */
  variables?: Readonly<Record<string, string | undefined>>;
  log?: { info(text: string): void; warn(text: string): void };
  /** Time limits in milliseconds that replace the defaults. */
  timeouts?: Partial<
    Pick<
      typeof SERVER,
      | 'requestTimeout'
      | 'headersTimeout'
      | 'connectionsCheckingInterval'
      | 'handshakeTimeout'
      | 'stalledTimeout'
    >
  >;
}

/** Idle time (ms) after which a stopping server closes a connection. Closing a busy connection could lose its next request. */
const IDLE_MS = 500;
const CHECK_IDLE_MS = 20;
const NO_LOG = { info: () => undefined, warn: () => undefined };

/**
 * Options of node:http. They make sure that requests without Host or with an unknown Expect reach the application, which gives each a request
 * id.
 */
const SERVER = {
  keepAliveTimeout: 65_000,
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  // By default, node:http looks for slow requests twice a minute, so that they would get up to 30 s more.
  connectionsCheckingInterval: 1000,
  // Time limit of a TLS handshake. The default of node:tls is two minutes.
  handshakeTimeout: 15_000,
  // Time in which a client must read a part of an answer that is sent. Otherwise answers that no client reads would fill the memory.
  stalledTimeout: 60_000,
  requireHostHeader: false,
  maxHeaderSize: 16 * 1024,
  // Number of bytes of a body that are parsed before it is read. Of a body in parts of one byte, each one costs microseconds, also if the
  // request is refused unread.
  highWaterMark: 4096,
  IncomingMessage: BodyChunkLimitedRequest,
};

/**
 * Starts an HTTP server for the application, over TLS if `options` has a certificate. Port 0 means any free port. Errors: port_in_use,
 * address_unavailable, unreadable_file.
 */
export async function startHttpServer(app: H3, options: ListenOptions): Promise<RunningServer> {
  const { tls, variables = {}, log = NO_LOG, timeouts } = options;
  const settings = { ...SERVER, ...timeouts };
  let isClosing = false;
  const handle = (req: BodyChunkLimitedRequest, res: ServerResponse) => {
    const isAfterClose = isClosing;
    const isLast = () => isAfterClose || (isClosing && isOnlyRequestOfConnection(req.socket));
    serveOrQueueRequest(req, res, () => void serve(app, { req, res, isLast }));
  };
  const server = tls
    ? createTlsServer({ ...settings, ...readCertificateAndKey(tls), allowHalfOpen: true }, handle)
    : createServer(settings, handle);
  // A client may close its half of the connection after its last request. By default, node:http then closes the other half without an answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  const sockets = trackSockets(server, tls ? 'secureConnection' : 'connection');
  // Connections below TLS: `closeAllConnections` of node:https does not close one whose handshake is incomplete.
  const rawSockets = tls ? trackSockets(server, 'connection') : sockets;
  server.on(tls ? 'secureConnection' : 'connection', limitPipelining);
  server.on('clientError', refuse);
  server.timeout = settings.stalledTimeout;
  server.on('timeout', (socket: Socket) => {
    // An answer that is not ready yet is no reason to close its connection.
    if (socket.writableLength > 0 || isConnectionIdle(socket, 0)) socket.destroy();
  });
  server.on('checkExpectation', handle);
  server.on('checkContinue', (req: BodyChunkLimitedRequest, res: ServerResponse) => {
    req.onFirstRead = () => !res.headersSent && res.writeContinue();
    handle(req, res);
  });
  const address = await startListening(server, options, variables);
  const stopWatching = tls ? watchCertificate(server as TlsServer, tls, log) : () => undefined;
  return {
    url: address.startsWith('unix:') ? address : `${tls ? 'https' : 'http'}://${address}`,
    close: (graceMs = 10_000) =>
      new Promise((resolve) => {
        isClosing = true;
        stopWatching();
        const closeIdle = () => {
          for (const socket of sockets) if (isConnectionIdle(socket, IDLE_MS)) socket.destroySoon();
        };
        // `setImmediate` runs after the poll phase of the event loop: a request that has arrived is read before its connection can be
        // closed as idle.
        const idleTimer = setInterval(() => setImmediate(closeIdle), CHECK_IDLE_MS);
        const graceTimer = setTimeout(() => {
          server.closeAllConnections();
          for (const socket of rawSockets) socket.destroy();
        }, graceMs);
        // `server.close()` of node:http also closes every idle connection at once. So it is called at the end, when there is none.
        NetServer.prototype.close.call(server, () => {
          clearInterval(idleTimer);
          clearTimeout(graceTimer);
          server.close(() => resolve());
        });
      }),
  };
}

/** Returns the set of a server's open connections, which stays up to date. `event` is emitted for each new connection. */
function trackSockets(server: NetServer, event: string): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on(event, (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  return sockets;
}

/**
 * Returns the group of a request for `waitForEventLoopTurn`, before its key is verified: `keyed` for requests with a key or session, valid or not, and
 * `open` for all others. Later waits, after the key is verified, use one group per account.
 */
const getTurnGroup = ({ headers }: BodyChunkLimitedRequest): string =>
  (headers['x-api-key'] ?? headers.authorization ?? headers.cookie) === undefined ? 'open' : 'keyed';

/** Serves one request. Sends headers and body of a TextResponse with one write, which is faster than the adapter of h3. */
async function serve(
  app: H3,
  { req, res, isLast }: { req: BodyChunkLimitedRequest; res: ServerResponse; isLast(): boolean },
): Promise<void> {
  if (req.rawHeaders.length > 2 * MAX_HEADER_FIELDS) return refuseHeaders(res);
  try {
    // A packet can contain hundreds of requests, and one turn of the event loop can read many packets.
    await waitForEventLoopTurn(getTurnGroup(req));
    const response = await app.fetch(new NodeRequest({ req, res }));
    // A stopping server closes each connection after its answer. Otherwise a busy client could keep its connection open until the grace
    // period ends.
    if (isLast()) res.shouldKeepAlive = false;
    // Otherwise node:http would read the rest of a body that no handler read, however large it is.
    if (!req.complete && req.readableFlowing === null && res.shouldKeepAlive && !req.dropRest())
      res.shouldKeepAlive = false;
    if (!(response instanceof TextResponse)) return await sendNodeResponse(res, response);
    const { payload, code, pairs } = response;
    const length = Buffer.byteLength(payload);
    const headers: string[] = [];
    for (const [name, value] of pairs) headers.push(name, value);
    headers.push('content-length', String(length));
    res.writeHead(code, headers);
    if (typeof payload !== 'string') return void res.end(payload);
    // A text with as many bytes as characters is ASCII, which Node writes faster as Latin-1.
    res.end(payload, length === payload.length ? 'latin1' : 'utf8');
  } catch {
    // The application answers every error, so an error here means that the socket is closed.
    res.destroy();
  }
}

/** Maximum number of header fields of a request. Clients and proxies together send some 40; hundreds would cost more than a check. */
const MAX_HEADER_FIELDS = 200;

function refuseHeaders(res: ServerResponse): void {
  const detail = `The request has more than ${MAX_HEADER_FIELDS} header fields.`;
  const { headers, body } = createRefusal(431, detail);
  res.writeHead(431, headers.flat());
  res.end(body);
}

/** Creates the answer to a request that the application does not receive. Its connection is then closed. */
function createRefusal(status: number, detail: string) {
  const id = createRequestId(Date.now());
  const body = toProblemJsonText({ code: 'malformed_request', detail, status }, id);
  const headers = [
    ...createCommonHeaders('application/problem+json', id),
    ['content-length', String(Buffer.byteLength(body))],
    ['connection', 'close'],
  ];
  return { headers, body };
}

const NOT_HTTP = { status: 400, detail: 'This is not a well-formed HTTP request.' };
const REFUSALS: Record<string, typeof NOT_HTTP> = {
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'The headers are too large: together they may have 16 KiB.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'The request did not arrive in time.' },
};

/**
 * Answers a connection that does not send valid HTTP with a problem and a request id, then closes it. The application never receives such a
 * request.
 */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, detail } = REFUSALS[error.code ?? ''] ?? NOT_HTTP;
  const { headers, body } = createRefusal(status, detail);
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers.map((pair) => pair.join(': '))];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  closeConnectionWithUnreadData(socket);
}
