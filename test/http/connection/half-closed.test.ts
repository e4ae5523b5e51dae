// Clients that close their half of the connection after a request, clients that disconnect, and clients that wait for `100 Continue`.
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { H3 } from 'h3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startHttpServer } from '../../../src/http/connection/listen.ts';
import { createTextResponse, type RequestContext } from '../../../src/http/response.ts';

/** Returns a server that answers after `ms`, unless the client disconnects. It reads only the bodies of POST. */
async function serverOf(ms: number) {
  const ends: string[] = [];
  const app = new H3({ silent: true }).all('/:number', async (event) => {
    if (event.req.method === 'POST') await event.req.text();
    ends.push(await pause(ms, 'answered', { signal: event.req.signal }).catch(() => 'aborted'));
    return createTextResponse({ requestId: 'req_x' } as RequestContext, `<${event.context.params?.number}>`);
  });
  const listening = await startHttpServer(app, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => listening.close(0));
  return { ends, port: Number(new URL(listening.url).port) };
}

/** Sends a text, closes the half of the connection, and returns what the server sends before it closes the other half. */
const answersTo = (port: number, text: string) =>
  new Promise<string>((resolve, reject) => {
    let answers = '';
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.end(text));
    socket.on('data', (data) => (answers += data)).on('error', reject);
    socket.on('end', () => resolve(answers));
  });

const GET = 'GET /1 HTTP/1.1\r\nHost: x\r\n\r\n';
const head = (line: string, more = '') => `${line} HTTP/1.1\r\nHost: x\r\nContent-Length: 400\r\n${more}\r\n`;
const BODY = 'b'.repeat(400);

describe('a client that closes its half of the connection after its last request', () => {
  it.each([
    ['one', 1],
    ['many', 40],
  ])('gets its answers: %s', async (_, count) => {
    const { port } = await serverOf(1);
    const numbers = Array.from({ length: count }, (__, i) => i);
    const answers = await answersTo(port, numbers.map((i) => head(`POST /${i}`) + BODY).join(''));
    expect(Array.from(answers.matchAll(/<(\d+)>/g), ([, i]) => Number(i))).toEqual(numbers);
  });

  it('gets an answer that takes long, after interim answers', async () => {
    const { port } = await serverOf(1300);
    expect(await answersTo(port, GET)).toMatch(
      /^(?:HTTP\/1\.1 102 Processing\r\n\r\n)+HTTP\/1\.1 200 OK\r\n[^]*<1>$/,
    );
  });

  it('is not taken for a client that disconnects, whose request is aborted', async () => {
    const { ends, port } = await serverOf(10_000);
    const socket = connect(port, '127.0.0.1', () => socket.write(GET, () => socket.destroy()));
    await expect.poll(() => ends, { timeout: 5000 }).toEqual(['aborted']);
  });
});

describe('a client that waits for 100 Continue', () => {
  const expects = (line: string) => head(line, 'Expect: 100-continue\r\n');

  it('is asked for a body that is read', async () => {
    const { port } = await serverOf(1);
    const socket = connect(port, '127.0.0.1', () => socket.write(expects('POST /1')));
    onTestFinished(() => void socket.destroy());
    let answers = '';
    socket.on('data', (data) => (answers += data));
    await expect.poll(() => answers).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(BODY);
    await expect.poll(() => answers).toMatch(/^HTTP\/1\.1 100 [^]*HTTP\/1\.1 200 OK\r\n[^]*<1>$/);
  });

  it('is not asked for a body that is not read, and its connection is closed', async () => {
    const { port } = await serverOf(1);
    const answers = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(expects('PUT /1')));
      socket.on('data', (data) => (text += data)).on('close', () => resolve(text));
    });
    expect(answers).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Connection: close[^]*<1>$/);
  });
});
