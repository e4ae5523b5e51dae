// Bodies that arrive in many parts.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { H3Event } from 'h3';
import { expect, it, onTestFinished, vi } from 'vitest';
import {
  BodyChunkLimitedRequest,
  RECORDS_FILE_BODY_FORMAT,
  writeBodyToFile,
} from '../../../src/http/body.ts';
import { toProblem } from '../../../src/http/problems.ts';
import { freshApp, JANE } from '../../kit/app.ts';

/** Returns a request whose body of 60,000 bytes is sent in chunks of one size. */
function inChunks(line: string, headers: string[], { json = '', bytes }: { json?: string; bytes: number }) {
  const body = json.padEnd(60_000);
  const chunks = Array.from({ length: Math.ceil(body.length / bytes) }, (_, i) => {
    const chunk = body.slice(i * bytes, (i + 1) * bytes);
    return `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
  });
  const head = [`${line} HTTP/1.1`, 'Host: x', ...headers, 'Transfer-Encoding: chunked', '', ''];
  return `${head.join('\r\n')}${chunks.join('')}0\r\n\r\n`;
}

/** Sends a text over a connection, and returns the answers when the server has closed it. */
function send(url: string, text: string) {
  const { hostname, port } = new URL(url);
  return new Promise<string>((resolve) => {
    let answers = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (data) => (answers += data)).on('error', () => undefined);
    socket.on('close', () => resolve(answers));
  });
}

it.each([
  ['/v1/validate', 'application/json', 200],
  ['/admin/v1/records', 'application/x-ndjson', 422],
  ['/admin/v1/graph/imports', 'application/octet-stream', 201],
])('%s refuses a body in tiny chunks, and takes it in larger ones', async (path, type, status) => {
  const { app, key } = await freshApp();
  const { url } = await app.listen();
  const headers = [`X-API-Key: ${key(['admin', 'validate'])}`, `Content-Type: ${type}`, 'Connection: close'];
  const json = JSON.stringify(JANE);
  const refused = await send(url, inChunks(`POST ${path}`, headers, { json, bytes: 1 }));
  expect(refused).toMatch(/^HTTP\/1.1 413 /);
  expect(refused).toContain('too many small parts');
  expect(await send(url, inChunks(`POST ${path}`, headers, { json, bytes: 64 }))).toMatch(
    `HTTP/1.1 ${status} `,
  );
});

it.each([
  ['401 of no key', 'POST /v1/validate', 401],
  ['403 of a missing scope', 'POST /admin/v1/plans', 403],
  ['404', 'POST /nowhere', 404],
  ['405', 'DELETE /v1/validate', 405],
  ['415', 'POST /v1/validate?media', 415],
  ['200 of a route without a body', 'GET /v1/usage', 200],
])(
  '%s: a body that nobody reads is read to its end, unless it comes in tiny chunks',
  async (_, line, status) => {
    const { app, key } = await freshApp();
    const { url } = await app.listen();
    const headers = status === 401 ? [] : [`X-API-Key: ${key()}`];
    const next = 'GET /v1/usage HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const answersTo = async (bytes: number) => {
      const answers = await send(url, inChunks(line, headers, { bytes }) + next);
      return Array.from(answers.matchAll(/HTTP\/1.1 (\d+)/g), ([, answered]) => Number(answered));
    };
    expect(await answersTo(1)).toEqual([status]);
    expect(await answersTo(64)).toEqual([status, 401]);
  },
);

it('a packet of ten thousand parts is parsed at the cost of some hundred, and its parser serves others', async () => {
  const { app, usual } = await freshApp();
  const { url } = await app.listen();
  const parts = vi.spyOn(BodyChunkLimitedRequest.prototype, 'push');
  onTestFinished(() => parts.mockRestore());
  expect(await send(url, inChunks('POST /nowhere', [], { bytes: 1 }))).toMatch(/^HTTP\/1.1 404 /);
  expect(parts.mock.calls.length).toBeLessThan(400);
  const headers = [`X-API-Key: ${usual}`, 'Content-Type: application/json', 'Connection: close'];
  const json = JSON.stringify(JANE);
  for (let i = 0; i < 3; i++)
    expect(await send(url, inChunks('POST /v1/validate', headers, { json, bytes: 64 }))).toMatch(
      /^HTTP\/1.1 200 /,
    );
});

it('the parts of all requests in a packet count together', async () => {
  const { app } = await freshApp();
  const { url } = await app.listen();
  const parts = vi.spyOn(BodyChunkLimitedRequest.prototype, 'push');
  onTestFinished(() => parts.mockRestore());
  const head = 'POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
  const answers = await send(url, `${head}${'1\r\nx\r\n'.repeat(200)}0\r\n\r\n`.repeat(40));
  expect(answers).toMatch(/^HTTP\/1.1 404 /);
  expect(parts.mock.calls.length).toBeLessThan(800);
});

it('a connection on which the client still sends is not reset as soon as the request is refused', async () => {
  const { app, usual } = await freshApp();
  const { hostname, port } = new URL((await app.listen()).url);
  const head = `POST /v1/validate HTTP/1.1\r\nHost: x\r\nX-API-Key: ${usual}\r\nContent-Type: application/json\r\n`;
  const socket = connect(Number(port), hostname, () =>
    socket.write(`${head}Content-Length: 9999999\r\n\r\n`),
  );
  onTestFinished(() => void socket.destroy());
  const errors: Error[] = [];
  socket.on('error', (error) => errors.push(error));
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1.1 413 /);
  for (let i = 0; i < 5; i++) {
    socket.write('x'.repeat(10_000));
    await pause(20);
  }
  expect(errors).toEqual([]);
});

it.each([
  ['of a known length', (bytes: number) => [`Content-Length: ${bytes}\r\n\r\n`, 'x'.repeat(bytes)]],
  [
    'of an unknown length',
    (bytes: number) => [
      `Transfer-Encoding: chunked\r\n\r\n${bytes.toString(16)}\r\n`,
      `${'x'.repeat(bytes)}\r\n0\r\n\r\n`,
    ],
  ],
])('a body %s that nobody reads is read up to 64 KiB, then its connection is closed', async (_, parts) => {
  const { app } = await freshApp();
  const { hostname, port } = new URL((await app.listen()).url);
  const read = vi.spyOn(BodyChunkLimitedRequest.prototype, 'push');
  onTestFinished(() => read.mockRestore());
  const answersTo = async (bytes: number) => {
    const [head = '', body = ''] = parts(bytes);
    let answers = '';
    read.mockClear();
    const socket = connect(Number(port), hostname, () =>
      socket.write(`POST /nowhere HTTP/1.1\r\nHost: x\r\n${head}`),
    );
    socket.on('data', (data) => (answers += data)).on('error', () => undefined);
    await once(socket, 'data');
    if (!socket.closed) socket.write(`${body}GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await new Promise((resolve) => socket.once('close', resolve));
    const bytesRead = read.mock.calls.reduce((sum, [part]) => sum + (part?.length ?? 0), 0);
    return [Array.from(answers.matchAll(/HTTP\/1.1 (\d+)/g), ([, status]) => Number(status)), bytesRead];
  };
  expect(await answersTo(60_000)).toEqual([[404, 200], 60_000]);
  const [statuses, bytesRead] = await answersTo(16_000_000);
  expect(statuses).toEqual([404]);
  expect(bytesRead).toBeLessThan(300_000);
});

it.each([
  ['413', 9_999_999, true],
  ['401', 100, false],
])('a body that is refused with %s is not asked for with 100 Continue', async (status, bytes, hasKey) => {
  const { app, usual } = await freshApp();
  const { hostname, port } = new URL((await app.listen()).url);
  const head = [
    'POST /v1/validate HTTP/1.1',
    'Host: x',
    'Content-Type: application/json',
    'Expect: 100-continue',
  ];
  const key = hasKey ? [`X-API-Key: ${usual}`] : [];
  const answer = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () =>
      socket.write([...head, ...key, `Content-Length: ${bytes}`, '', ''].join('\r\n')),
    );
    socket.on('data', (data) => (text += data)).on('close', () => resolve(text));
  });
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

it('an upload that cannot be written is answered as an unavailable store', async () => {
  const request = new Request('http://localhost/', {
    method: 'POST',
    body: 'name\n',
    headers: { 'content-type': 'application/octet-stream' },
  });
  const writing = writeBodyToFile(new H3Event(request), '/missing/upload', RECORDS_FILE_BODY_FORMAT);
  expect(toProblem(await writing.catch((error: unknown) => error)).code).toBe('store_unavailable');
});
