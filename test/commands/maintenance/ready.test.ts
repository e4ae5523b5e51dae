import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { startServer } from '../../kit/server.ts';

const ready = (url: string) => runHere(['ready', '--port', new URL(url).port]);

test('a running server is ready, and a stopped server is not', async () => {
  const { url, process, ended } = await startServer(freshFolder(), '--demo');
  expect(await ready(url)).toEqual({ code: 0, stdout: 'ready\n', stderr: '' });
  process.kill('SIGTERM');
  await ended;
  expect(await ready(url)).toMatchObject({ code: 1, stdout: expect.stringContaining('no server answers') });
});

test('a server that warms up, and a server that is not Bonafide, are not ready', async () => {
  const answers = ['{"status":"warming_up"}', '<html>'];
  const server = createServer((_, response) => response.writeHead(503).end(answers.shift())).listen(
    0,
    '127.0.0.1',
  );
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await ready(url)).toMatchObject({ code: 1, stdout: 'warming_up\n' });
  expect(await ready(url)).toMatchObject({ code: 1, stdout: 'the server at this address is not Bonafide\n' });
});
