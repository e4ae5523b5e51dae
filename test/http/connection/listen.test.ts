// Many requests on one connection.
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { H3 } from 'h3';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { createTextResponse } from '../../../src/http/response.ts';
import type { RequestContext } from '../../../src/http/response.ts';
import { startHttpServer, type ListenOptions } from '../../../src/http/connection/listen.ts';

/**
 * Returns a server with slow answers that name their request; it counts the requests that it serves at the
 * same time.
 */
async function slowServer(bytes = 0, timeouts?: ListenOptions['timeouts']) {
  const seen = { now: 0, most: 0, all: 0 };
  const app = new H3({ silent: true }).all('/:number', async (event) => {
    seen.most = Math.max(seen.most, ++seen.now);
    seen.all++;
    if (event.req.method === 'POST') await event.req.text();
    await pause(1);
    seen.now--;
    const { number } = event.context.params ?? {};
    return createTextResponse({ requestId: 'req_x' } as RequestContext, `<${number}>${'x'.repeat(bytes)}`);
  });
  const listening = await startHttpServer(app, {
    host: '127.0.0.1',
    port: 0,
    ...(timeouts ? { timeouts } : {}),
  });
  onTestFinished(() => listening.close(0));
  return { seen, listening, port: Number(new URL(listening.url).port) };
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const get = (i: number) => `GET /${i} HTTP/1.1\r\nHost: x\r\n\r\n`;
const post = (i: number) => `POST /${i} HTTP/1.1\r\nHost: x\r\nContent-Length: 400\r\n\r\n${'b'.repeat(400)}`;

/**
 * Sends requests over one connection, and returns the numbers of the answered requests in the order of the
 * answers.
 */
function pipelined(port: number, texts: string[]): Promise<number[]> {
  return new Promise((resolve, reject) => {
    let answers = '';
    const told = () => Array.from(answers.matchAll(/<(\d+)>/g), ([, number]) => Number(number));
    const socket = connect(port, '127.0.0.1', () => socket.write(texts.join('')));
    socket.on('data', (data) => {
      answers += data;
      if (told().length === texts.length) socket.end();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(told()));
  });
}

describe('a connection that sends many requests before the first is answered', () => {
  it.each([
    ['without bodies', get],
    ['with bodies', post],
  ])('%s: few are served at a time, and all are answered in order', async (_, text) => {
    const { seen, port } = await slowServer();
    const answered = await pipelined(port, numbers(1200).map(text));
    expect(answered).toEqual(numbers(1200));
    expect(seen.most).toBeLessThanOrEqual(16);
  });

  it('and reads no answer is no longer read from, and does not disturb others', async () => {
    const { seen, port } = await slowServer(20_000);
    const deaf = connect(port, '127.0.0.1', () => {
      deaf.pause();
      for (let i = 0; i < 40; i++) deaf.write(numbers(100).map(post).join(''));
    });
    onTestFinished(() => void deaf.destroy());
    deaf.on('error', () => undefined);
    await pause(500);
    expect(await pipelined(port, [get(7)])).toEqual([7]);
    expect(seen.all).toBeLessThan(1500);
  });

  it('is closed within the grace period, however much it still sends', async () => {
    const { listening, port } = await slowServer();
    const busy = connect(port, '127.0.0.1');
    busy.on('error', () => undefined);
    const closed = new Promise((resolve) => busy.on('close', resolve));
    busy.write(numbers(3000).map(get).join(''));
    await pause(50);
    const sending = setInterval(() => busy.writable && busy.write(get(1)), 1);
    onTestFinished(() => clearInterval(sending));
    await listening.close(300);
    expect(await closed).toBeDefined();
  });
});

describe('a server that stops', () => {
  /** Sends one request after the other over a connection, until an answer says `Connection: close` or the connection ends. */
  const client = (port: number, onFirst: () => void) =>
    new Promise<'answered' | 'lost'>((resolve) => {
      let isWaiting = true;
      const socket = connect(port, '127.0.0.1', () => socket.write(get(1)));
      socket.once('data', onFirst);
      socket.on('data', (data) => {
        isWaiting = false;
        if (/connection: close/i.test(String(data))) return resolve('answered');
        setTimeout(() => (isWaiting = socket.write(get(1)) || true), 5);
      });
      socket.on('error', () => resolve('lost'));
      socket.on('close', () => resolve(isWaiting ? 'lost' : 'answered'));
    });

  it('answers the next request of every busy connection with Connection: close', async () => {
    const { listening, port } = await slowServer();
    let served = 0;
    const clients = numbers(32).map(() => client(port, () => served++));
    await expect.poll(() => served).toBe(32);
    await listening.close();
    expect(await Promise.all(clients)).toEqual(numbers(32).map(() => 'answered'));
  });

  it('closes connections without requests after half a second', { retry: 2 }, async () => {
    const { listening, port } = await slowServer();
    const idle = connect(port, '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    const started = performance.now();
    await listening.close();
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

test(
  'headers that arrive slowly are cut within two seconds after the limit of 15',
  { retry: 2 },
  async () => {
    const { port } = await slowServer();
    const started = performance.now();
    const socket = connect(port, '127.0.0.1', () => socket.write('GET /1 HTTP/1.1\r\n'));
    const sending = setInterval(() => socket.writable && socket.write('X: y\r\n'), 500);
    onTestFinished(() => clearInterval(sending));
    let answer = '';
    socket.on('data', (data) => (answer += data));
    await new Promise((resolve) => socket.on('error', resolve).on('close', resolve));
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(performance.now() - started).toBeLessThan(17_000);
  },
);

test.each([
  [
    'too large headers',
    `X-Long: ${'a'.repeat(20_000)}`,
    'The headers are too large: together they may have 16 KiB.',
  ],
  [
    'too many headers',
    numbers(200)
      .map((i) => `X-${i}: a`)
      .join('\r\n'),
    'The request has more than 200 header fields.',
  ],
])('%s have a status of their own', async (_, headers, detail) => {
  const { port, seen } = await slowServer();
  const answer = await new Promise<string>((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET /1 HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`),
    );
    socket.on('data', (data) => (text += data));
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  for (const header of [
    'x-request-id: req_',
    'cache-control: no-store\r',
    'x-content-type-options: nosniff\r',
  ])
    expect(answer).toContain(`\n${header}`);
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    code: 'malformed_request',
    status: 431,
    detail,
  });
  expect(seen.all).toBe(0);
});

test.each([
  ['headers', 'POST /1 HTTP/1.1\r\nHost: x\r\nX-Slow: '],
  ['a body', 'POST /1 HTTP/1.1\r\nHost: x\r\nContent-Length: 999\r\n\r\n'],
])(
  '%s that do not arrive within their limit get 408, soon after the limit',
  { retry: 2 },
  async (_, head) => {
    const timeouts = { requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 10 };
    const { port } = await slowServer(0, timeouts);
    const socket = connect(port, '127.0.0.1');
    socket.write(head);
    let text = '';
    socket.on('data', (data) => (text += data));
    const began = performance.now();
    for (let i = 0; !socket.closed && i < 500; i++) {
      // A sender that goes on, a byte at a time, is cut as well.
      if (i % 4 === 0 && text === '') socket.write('x', () => undefined);
      await pause(10);
    }
    expect(performance.now() - began).toBeLessThan(4000);
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(text).toContain('The request did not arrive in time.');
  },
);

test('a client that does not read its answer is cut, one that reads slowly or waits is not', async () => {
  const big = Buffer.alloc(32 * 1024 * 1024, 'x');
  const app = new H3({ silent: true })
    .all('/big', () => createTextResponse({ requestId: 'req_x' } as RequestContext, big))
    .all('/late', async () => {
      await pause(4000);
      return createTextResponse({ requestId: 'req_x' } as RequestContext, 'late');
    });
  const timeouts = { stalledTimeout: 2000 };
  const listening = await startHttpServer(app, { host: '127.0.0.1', port: 0, timeouts });
  onTestFinished(() => listening.close(0));
  const ask = (path: string) => {
    const socket = connect(Number(new URL(listening.url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    socket.on('error', () => undefined);
    return socket;
  };
  const received = async (path: string, pauseMs: number) => {
    let bytes = 0;
    for await (const chunk of ask(path)) {
      bytes += (chunk as Buffer).length;
      if (pauseMs > 0) await pause(pauseMs);
    }
    return bytes;
  };
  const stalled = ask('/big').pause();
  expect(await received('/late', 0)).toBeGreaterThan(0);
  expect(await received('/big', 5)).toBeGreaterThan(big.length);
  let rest = 0;
  stalled.on('data', (chunk: Buffer) => (rest += chunk.length)).resume();
  await new Promise((resolve) => stalled.on('close', resolve));
  expect(rest).toBeLessThan(big.length);
});

test('a client that never closes its half of the connection does not keep a refused request open', async () => {
  const timeouts = { requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 10 };
  const aborted = Promise.withResolvers<void>();
  const app = new H3({ silent: true }).all('/', async (event) => {
    await event.req.text().catch(() => aborted.resolve());
    return '';
  });
  const listening = await startHttpServer(app, { host: '127.0.0.1', port: 0, timeouts });
  onTestFinished(() => listening.close(0));
  const socket = connect({
    port: Number(new URL(listening.url).port),
    host: '127.0.0.1',
    allowHalfOpen: true,
  });
  onTestFinished(() => void socket.destroy());
  socket.resume().write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 999\r\n\r\n');
  expect(await Promise.race([aborted.promise, pause(4000, 'still open')])).toBeUndefined();
});

test('requests of one connection that are answered at once leave turns of the event loop to others', async () => {
  const served = { inTurn: 0, most: 0, all: 0 };
  const app = new H3({ silent: true }).all('/', () => {
    if (++served.inTurn === 1) setImmediate(() => (served.inTurn = 0));
    served.most = Math.max(served.most, served.inTurn);
    served.all++;
    return createTextResponse({ requestId: 'req_x' } as RequestContext, 'here');
  });
  const listening = await startHttpServer(app, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => listening.close(0));
  const socket = connect(Number(new URL(listening.url).port), '127.0.0.1').resume();
  onTestFinished(() => void socket.destroy());
  socket.write('GET / HTTP/1.1\r\n\r\n'.repeat(500));
  await expect.poll(() => served.all, { timeout: 10_000 }).toBe(500);
  expect(served.most).toBeLessThanOrEqual(32);
});
