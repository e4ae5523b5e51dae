// A fake graph server that answers as a test sets it: correctly, or with one of many faults.
import { createServer as createPlain } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer as createSecure, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';

export type Behaviour = (response: ServerResponse, request: IncomingMessage, body: string) => void;

export interface StandIn {
  url: string;
  /** Sets the behaviour for all later requests. */
  behave(behaviour: Behaviour): void;
  /** Each request so far: its path, headers and body. */
  requests: { path: string; headers: IncomingMessage['headers']; body: string }[];
  /** Number of connections so far, and of bytes that were sent over all of them. */
  connections(): number;
  sent(): number;
}

export const EMPTY = {
  total: 0,
  newest: null,
  values: [],
  name: { identities: [], bearers: 0, given: [] },
  identities: [],
};

export const answering =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value));

/** Answers as a graph without people: an empty list of hits for each value. */
export const nobody: Behaviour = (response, request, body) => {
  const {
    emailAddresses = [],
    phoneNumbers = [],
    nameAddresses = [],
    otherPhoneNumbers = [],
  } = body ? JSON.parse(body) : {};
  const addresses = nameAddresses.filter(({ address }: { address?: object }) => address);
  const values = [emailAddresses, phoneNumbers, addresses, otherPhoneNumbers].flat().map(() => []);
  answering({ ...EMPTY, values })(response, request, body);
};

const MISBEHAVING = {
  'never begins to answer': () => undefined,
  'sends headers and no body': (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders(),
  'sends a body drop by drop': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(timer));
  },
  'sends half a body and hangs up': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"total":', () => response.destroy());
  },
  'hangs up at once': (_, request) => request.socket.destroy(),
  'resets the connection': (_, request) => (request.socket as Socket).resetAndDestroy(),
  'answers what is no HTTP': (_, request) => request.socket.end('SSH-2.0-OpenSSH_9.9\r\n'),
  'answers another type': answering('<html>', 200, { 'content-type': 'text/html' }),
  'answers no JSON': answering('{"total":'),
  'answers what is no UTF-8': answering(
    Buffer.from([...Buffer.from('{"total":"'), 0xff, 0xfe, ...Buffer.from('"}')]),
  ),
  'answers packed': answering(gzipSync(JSON.stringify(EMPTY)), 200, { 'content-encoding': 'gzip' }),
  'answers another shape': answering({ people: [] }),
  'answers null': answering('null'),
  'answers a body without end': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => {
      while (response.writable && response.write('x'.repeat(65_536)));
      response.once('drain', more);
    };
    more();
  },
  'says that its body is huge': answering('{}', 200, { 'content-length': '999999999' }),
  'answers 500': answering({}, 500),
  'answers 401': answering({}, 401),
  'answers 422': answering({}, 422),
  'answers 429': answering({}, 429),
  'answers 503 with Retry-After': answering({}, 503, { 'retry-after': '7' }),
  'answers 503 for years': answering({}, 503, { 'retry-after': '99999' }),
  'answers 503 for longer than anybody lives': answering({}, 503, { 'retry-after': '9'.repeat(400) }),
  'answers 508': answering({}, 508),
  'answers 504': answering({}, 504),
  redirects: answering('', 302, { location: 'http://127.0.0.1:1/' }),
  'answers 204': (response) => response.writeHead(204).end(),
  'sends headers without end': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-much': 'x'.repeat(60_000) }).end('{}');
  },
} as const satisfies Record<string, Behaviour>;

export type Fault = keyof typeof MISBEHAVING;
export const FAULTS = Object.keys(MISBEHAVING) as Fault[];
export const behaviourOf = (fault: Fault): Behaviour => MISBEHAVING[fault];

/** Starts a fake server on a free port; with TLS if it gets a certificate. */
export async function standIn(tls?: ServerOptions): Promise<StandIn> {
  let behaviour: Behaviour = nobody;
  const requests: StandIn['requests'] = [];
  const sockets = new Set<Socket>();
  let before = 0;
  const listener: RequestListener = (request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      behaviour(response, request, body);
    });
  };
  const server = tls ? createSecure(tls, listener) : createPlain(listener);
  let count = 0;
  server.on('connection', (socket: Socket) => {
    count++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      before += socket.bytesWritten;
      sockets.delete(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    behave: (now) => (behaviour = now),
    requests,
    connections: () => count,
    sent: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, before),
  };
}
