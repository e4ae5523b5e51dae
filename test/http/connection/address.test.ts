import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { H3 } from 'h3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTextResponse } from '../../../src/http/response.ts';
import type { RequestContext } from '../../../src/http/response.ts';
import { startHttpServer } from '../../../src/http/connection/listen.ts';
import { bonafide } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { bareEnvironment } from '../../kit/programs/environment.ts';
import { getLauncher } from '../../kit/programs/launcher.ts';

const APP = new H3().all('/', () =>
  createTextResponse({ requestId: 'req_x' } as RequestContext, '{"here":true}'),
);
const PLACE = { host: '127.0.0.1', port: 0 };

async function at(place: { listen: string; socketMode?: string }) {
  const listening = await startHttpServer(APP, { ...PLACE, ...place });
  onTestFinished(() => listening.close(0));
  return listening;
}

const ask = (socketPath: string) =>
  new Promise<string>((resolve, reject) => {
    request({ socketPath, path: '/' }, (response) => {
      let text = '';
      response.on('data', (data) => (text += data)).on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });

describe('a socket file', () => {
  it('is served, for its owner only unless the settings say otherwise, and removed at the end', async () => {
    const path = join(freshFolder(), 'bonafide.sock');
    const { url, close } = await at({ listen: `unix:${path}` });
    expect(url).toBe(`unix:${path}`);
    expect(await ask(path)).toBe('{"here":true}');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await close(0);
    expect(existsSync(path)).toBe(false);
    await at({ listen: `unix:${path}`, socketMode: '660' });
    expect(statSync(path).mode & 0o777).toBe(0o660);
  });

  it('of a killed server is replaced, and one in use is not', async () => {
    const path = join(freshFolder(), 'bonafide.sock');
    const left = `const s = require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
    expect(() => execFileSync(process.execPath, ['-e', left, path])).toThrow('SIGKILL');
    expect(existsSync(path)).toBe(true);
    await at({ listen: `unix:${path}` });
    await expect(at({ listen: `unix:${path}` })).rejects.toMatchObject({ code: 'port_in_use' });
    expect(await ask(path)).toBe('{"here":true}');
  });

  it('never replaces a file or a folder', async () => {
    const folder = freshFolder();
    const file = join(folder, 'graph.db');
    writeFileSync(file, 'records');
    for (const path of [file, folder]) {
      const told = {
        code: 'address_unavailable',
        message: `The path ${path} of --listen is not a socket file. Choose another path.`,
      };
      await expect(at({ listen: `unix:${path}` })).rejects.toMatchObject(told);
    }
    expect(readFileSync(file, 'utf8')).toBe('records');
  });

  it('is what --listen asks for', async () => {
    const { code, stderr } = await bonafide([
      'serve',
      '--listen',
      'tcp:1',
      '--data-dir',
      freshFolder(),
      '--init',
    ]);
    expect([code, stderr]).toEqual([1, 'error: listen (from --listen) must be unix:PATH.\n']);
  });
});

const ACTIVATE = `import os, socket, sys
s = socket.socket()
s.bind(('127.0.0.1', 0))
s.listen()
print(s.getsockname()[1], flush=True)
if s.fileno() != 3: os.dup2(s.fileno(), 3)
os.set_inheritable(3, True)
os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))
os.execv(sys.argv[1], sys.argv[1:])
`;
const hasPython = (() => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

it.skipIf(!hasPython)('a socket that systemd opened is served', async () => {
  const args = [
    '-c',
    ACTIVATE,
    process.execPath,
    getLauncher(),
    'serve',
    '--init',
    '--json',
    '--log',
    'silent',
  ];
  const child = spawn('python3', [...args, '--data-dir', join(freshFolder(), 'data')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: bareEnvironment(),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = await new Promise<string>((resolve) => {
    let text = '';
    child.stdout.on('data', (data) => {
      text += data;
      if (text.includes('}')) resolve(text);
    });
  });
  const [port, line = ''] = said.split('\n');
  expect(JSON.parse(line)).toEqual({ url: `http://127.0.0.1:${port}` });
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
});

it('a port in use is an error', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as { port: number };
  await expect(startHttpServer(APP, { host: '127.0.0.1', port })).rejects.toMatchObject({
    code: 'port_in_use',
  });
});
