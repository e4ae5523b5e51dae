// The launcher: a process that an older Node started ends when that Node ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { freshFolder } from './kit/folder.ts';
import { SOURCE_LAUNCHER } from './kit/programs/launcher.ts';

/** Starts the server as the launcher does on an older Node, prints its process id and address, and then waits. */
const OLDER_NODE = `
  const { spawn } = require('node:child_process');
  const [launcher, folder] = process.argv.slice(1);
  const args = [launcher, 'serve', '--port', '0', '--init', '--json', '--data-dir', folder];
  const env = { ...process.env, BONAFIDE_LAUNCHED: '1', BONAFIDE_WORKERS: '1' };
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore', 'ipc'], env });
  let text = '';
  child.stdout.on('data', (part) => {
    text += part;
    const line = text.split('\\n').slice(0, -1).find((each) => each.startsWith('{"url"'));
    if (line) process.stdout.write(child.pid + ' ' + line);
  });
`;

test('after the launcher was killed, the server ends and its port is free', async () => {
  const parent = spawn(process.execPath, ['-e', OLDER_NODE, SOURCE_LAUNCHER, freshFolder()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const [pid = '', text = ''] = String(line).split(/ (.*)/s);
  const { url } = JSON.parse(text) as { url: string };
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  parent.kill('SIGKILL');
  await expect.poll(() => isRunning(Number(pid)), { timeout: 10_000 }).toBe(false);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed');
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
