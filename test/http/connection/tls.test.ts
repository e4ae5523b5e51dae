import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect as connectTcp } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'node:tls';
import { H3 } from 'h3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTextResponse } from '../../../src/http/response.ts';
import type { RequestContext } from '../../../src/http/response.ts';
import { startHttpServer, type ListenOptions } from '../../../src/http/connection/listen.ts';
import { freshFolder } from '../../kit/folder.ts';

const APP = new H3().all('/', () =>
  createTextResponse({ requestId: 'req_x' } as RequestContext, '{"here":true}'),
);

const REQ = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
/** Creates a certificate and its key, and replaces earlier ones. */
function certify(folder: string, name: string) {
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const args = [...REQ.split(' '), '-keyout', files.key, '-out', files.cert, '-subj', `/CN=${name}`];
  execFileSync('openssl', args, { stdio: 'ignore' });
  return files;
}

/** Returns the name in the certificate of a handshake, and the answer to a request over it. */
const shake = (port: number) =>
  new Promise<{ name: unknown; text: string }>((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      const name = socket.getPeerCertificate().subject.CN;
      let text = '';
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      socket.on('data', (data) => (text += data));
      socket.on('close', () => resolve({ name, text }));
    });
    socket.on('error', reject);
  });

async function serving(files: { cert: string; key: string }, timeouts?: ListenOptions['timeouts']) {
  const said: string[] = [];
  const log = { info: (text: string) => said.push(text), warn: (text: string) => said.push(text) };
  const listening = await startHttpServer(APP, {
    host: '127.0.0.1',
    port: 0,
    tls: files,
    log,
    ...(timeouts ? { timeouts } : {}),
  });
  onTestFinished(() => listening.close(0));
  return { said, listening, port: Number(new URL(listening.url).port) };
}

async function until(condition: () => boolean) {
  await expect.poll(condition).toBe(true);
}

describe('TLS', () => {
  it('answers many requests on one connection in order', async () => {
    const { listening, port } = await serving(certify(freshFolder(), 'first.example'));
    expect(listening.url).toBe(`https://127.0.0.1:${port}`);
    const { name, text } = await shake(port);
    expect(name).toBe('first.example');
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\{"here":true\}$/);
  });

  it('answers a client that has closed its half of the connection', async () => {
    const { port } = await serving(certify(freshFolder(), 'first.example'));
    const options = { port, host: '127.0.0.1', rejectUnauthorized: false, allowHalfOpen: true };
    const text = await new Promise<string>((resolve, reject) => {
      let answer = '';
      const socket = connect(options, () => socket.end('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
      socket.on('data', (data) => (answer += data)).on('error', reject);
      socket.on('close', () => resolve(answer));
    });
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\{"here":true\}$/);
  });

  it('uses a renewed certificate while it serves, and keeps the earlier one if the new one is unusable', async () => {
    const folder = freshFolder();
    const files = certify(folder, 'first.example');
    const { said, port } = await serving(files);
    certify(folder, 'second.example');
    await until(() => said.includes('the renewed certificate is in use'));
    expect((await shake(port)).name).toBe('second.example');
    writeFileSync(files.cert, 'no certificate');
    await until(() => said.some((text) => text.includes('stays in use')));
    expect((await shake(port)).name).toBe('second.example');
  });

  it('does not start with unusable files, and names them', async () => {
    const folder = freshFolder();
    const files = { cert: certify(folder, 'x').cert, key: join(folder, 'nothing.pem') };
    await expect(serving(files)).rejects.toMatchObject({
      code: 'unreadable_file',
      message: `tls.key names ${files.key}, which does not exist.`,
    });
  });

  it('answers the next request of every busy connection with Connection: close when the server stops', async () => {
    const { listening, port } = await serving(certify(freshFolder(), 'x'));
    const text = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
    let answered = 0;
    /** Sends one request after the other, until an answer says `Connection: close`. Resolves to the fault of the connection, or to null. */
    const client = () =>
      new Promise<string | null>((resolve) => {
        let [isWaiting, isLast, count] = [true, false, 0];
        const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () =>
          socket.write(text),
        );
        socket.on('data', (data) => {
          isWaiting = false;
          if (++count === 1) answered++;
          isLast ||= /connection: close/i.test(String(data));
          if (!isLast) setTimeout(() => (isWaiting = socket.write(text) || true), 5);
        });
        socket.on('error', ({ message }) => resolve(message));
        socket.on('close', () => resolve(isLast && !isWaiting ? null : 'closed without an answer'));
      });
    const clients = Array.from({ length: 32 }, client);
    await until(() => answered === clients.length);
    await listening.close();
    expect(await Promise.all(clients)).toEqual(clients.map(() => null));
  });

  /** Opens a connection without a handshake; resolves when the server closes it. */
  function stallHandshake(port: number): Promise<string> {
    const socket = connectTcp(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    // A connection that the server has not accepted yet is reset.
    socket.on('error', () => undefined);
    return new Promise((resolve) => socket.resume().on('close', () => resolve('closed')));
  }

  it('ends a handshake that does not come', { retry: 2 }, async () => {
    const { port } = await serving(certify(freshFolder(), 'x'), { handshakeTimeout: 100 });
    expect(await Promise.race([stallHandshake(port), pause(4000, 'open')])).toBe('closed');
  });

  it('stops within the grace period beside handshakes that do not come', { retry: 2 }, async () => {
    const { listening, port } = await serving(certify(freshFolder(), 'x'));
    const stalled = Array.from({ length: 8 }, () => stallHandshake(port));
    await pause(50);
    const began = performance.now();
    await listening.close(200);
    expect(performance.now() - began).toBeLessThan(4000);
    expect(await Promise.all(stalled)).toEqual(stalled.map(() => 'closed'));
  });

  it('cuts a body that does not arrive within its limit', async () => {
    const timeouts = { requestTimeout: 100, headersTimeout: 100, connectionsCheckingInterval: 10 };
    const { port } = await serving(certify(freshFolder(), 'x'), timeouts);
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    onTestFinished(() => void socket.destroy());
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 999\r\n\r\n');
    let text = '';
    for await (const data of socket) text += String(data);
    expect(text).toContain('HTTP/1.1 408 ');
  });

  it('refuses versions before TLS 1.2', async () => {
    const { port } = await serving(certify(freshFolder(), 'x'));
    const socket = connect({
      port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
    });
    const refused = new Promise((resolve) => socket.on('error', resolve));
    expect(await refused).toBeInstanceOf(Error);
  });
});
