import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createKey } from '../../../src/store/keys.ts';
import { openSqliteStore, getStoreFile } from '../../../src/store/sqlite/open.ts';
import { importPeople, JANE } from '../../kit/app.ts';
import { bonafide, runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { startServer } from '../../kit/server.ts';

async function folderWithKey() {
  const folder = freshFolder();
  await importPeople(folder);
  const store = openSqliteStore({ file: getStoreFile(folder) });
  const { key } = createKey(store, { name: 'load', scopes: ['validate'] }, Date.now());
  store.close();
  return { folder, key };
}

const BODY = JSON.stringify(JANE);
const headersOf = (key: string) => ({ 'content-type': 'application/json', 'x-api-key': key });

describe('SIGKILL under load', () => {
  it('loses no answered call from usage or the call log', async () => {
    const { folder, key } = await folderWithKey();
    const server = await startServer(folder);
    const answered: string[] = [];
    const load = { on: true };
    const client = async () => {
      while (load.on) {
        const response = await fetch(`${server.url}/v1/validate`, {
          method: 'POST',
          headers: headersOf(key),
          body: BODY,
        });
        if (response.status !== 200) throw new Error(`answered ${response.status}`);
        answered.push(response.headers.get('x-request-id')!);
        await response.arrayBuffer();
      }
    };
    const clients = Array.from({ length: 24 }, () => client().catch(() => undefined));
    while (answered.length < 1000) await pause(5);
    server.process.kill('SIGKILL');
    await server.ended;
    load.on = false;
    await Promise.all(clients);

    const again = await startServer(folder);
    const usage = await (await fetch(`${again.url}/v1/usage`, { headers: headersOf(key) })).json();
    again.process.kill('SIGTERM');
    await again.ended;
    const store = openSqliteStore({ file: getStoreFile(folder) });
    const recorded = new Set(store.raw.prepare('SELECT request_id FROM calls').pluck().all());
    store.close();
    expect(answered.length).toBeGreaterThanOrEqual(1000);
    expect(answered.filter((id) => !recorded.has(id))).toEqual([]);
    expect(usage).toMatchObject({ calls: recorded.size });
  });
});

describe('SIGTERM', () => {
  it('lets a call in flight finish, accepts no new call, and ends with 0', async () => {
    const { folder, key } = await folderWithKey();
    const server = await startServer(folder);
    const { port, hostname } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const head = `POST /v1/validate HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n`;
    socket.write(`${head}Content-Length: ${BODY.length}\r\n\r\n${BODY.slice(0, 20)}`);
    let answer = '';
    socket.on('data', (text) => (answer += text));
    const closed = new Promise((resolve) => socket.on('close', resolve));
    await pause(200);
    server.process.kill('SIGTERM');
    await pause(200);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow('fetch failed');
    socket.write(BODY.slice(20));
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(server.stderr()).toBe('');
    const store = openSqliteStore({ file: getStoreFile(folder) });
    expect(store.raw.prepare('SELECT calls FROM usage').pluck().get()).toBe(1);
    store.close();
  });

  it('sent twice ends the server at once', async () => {
    const { folder, key } = await folderWithKey();
    const server = await startServer(folder);
    const { port, hostname } = new URL(server.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.write(
      `POST /v1/validate HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    );
    await pause(200);
    server.process.kill('SIGTERM');
    await pause(200);
    server.process.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: null, signal: 'SIGKILL' });
  });
});

describe('on the wire', () => {
  it('bodies that are too large or incomplete are refused, also chunked ones, and the server goes on', async () => {
    const { folder, key } = await folderWithKey();
    const server = await startServer(folder);
    const { port, hostname } = new URL(server.url);
    const talk = (text: string, end = false) =>
      new Promise<string>((resolve) => {
        let answer = '';
        const socket = connect(Number(port), hostname, () => (end ? socket.end(text) : socket.write(text)));
        socket.on('data', (data) => (answer += data));
        socket.on('error', () => undefined);
        socket.on('close', () => resolve(answer));
      });
    const head = `POST /v1/validate HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n`;
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    const chunked = await talk(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(5)}`);
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /);
    expect(await talk(`${head}Content-Length: 99999999\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /);
    const nonsense = await talk('GET nonsense\r\n\r\n');
    expect(nonsense).toMatch(/^HTTP\/1\.1 400 /);
    expect(nonsense).toMatch(/x-request-id: (req_\w+)\r\n[^]*"request_id":"\1"/i);
    expect(await talk(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
    await talk(`${head}Content-Length: 50\r\n\r\n{"name":`, true);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });

  it('answers have the same bytes as without HTTP, and one content length', async () => {
    const { folder, key } = await folderWithKey();
    const server = await startServer(folder);
    const response = await fetch(`${server.url}/v1/validate`, {
      method: 'POST',
      headers: headersOf(key),
      body: JSON.stringify({ ...JANE, name: 'Jäne Quimby' }),
    });
    const text = await response.text();
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(JSON.parse(text).input_validation.name.input).toBe('Jäne Quimby');
    const head = await fetch(`${server.url}/healthz`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

describe('a start that fails', () => {
  const line = (folder: string, ...args: string[]) => [
    'serve',
    '--data-dir',
    folder,
    '--init',
    '--log',
    'silent',
    ...args,
  ];

  it('because the port is in use is reported in one line', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.on('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    const { code, stderr, stdout } = await bonafide(line(freshFolder(), '--port', String(port)));
    taken.close();
    expect([code, stdout]).toEqual([1, '']);
    // Linux tells which process uses the port.
    const owner = process.platform === 'linux' ? String.raw` by process ${process.pid} \(node\)` : '';
    expect(stderr).toMatch(
      new RegExp(
        `^error: Port ${port} on 127.0.0.1 is in use${owner}. Stop the process that uses it, or choose --port.\n$`,
      ),
    );
  });

  it('because the address belongs to another machine is reported in one line', async () => {
    const { code, stderr } = await bonafide(line(freshFolder(), '--host', '192.0.2.1'));
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^error: Cannot listen on 192\.0\.2\.1 port 8787 \(EADDRNOTAVAIL\).*\n$/),
    ]);
  });

  it.each([
    ['a port that is none', ['--port', '99999'], /^error: port \(from --port\) must be a whole number.*\n$/],
    ['a region that is none', ['--region', 'Atlantis'], /^error: region \(from --region\) must be.*\n$/],
    ['a folder that is a file', ['--data-dir', '/etc/passwd'], /^error: .*\/etc\/passwd.*\n$/],
  ])('with %s says so in one line', async (_, args, message) => {
    const { code, stderr } = await runHere(line(freshFolder(), ...args));
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
  });
});
