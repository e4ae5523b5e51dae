// Processes end with the process that started them: those of the launcher on an older Node, and those of the tests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { freshFolder } from './kit/folder.ts';
import { endWithThisProcess } from './kit/programs/environment.ts';
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
  await expect.poll(() => isRunning(Number(pid))).toBe(false);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed');
});

const STARTER = `
  const { spawn } = require('node:child_process');
  const child = spawn(...JSON.parse(process.argv[1]), { stdio: 'ignore' });
  process.stdout.write(String(child.pid));
  setInterval(() => undefined, 1000);
`;

test.runIf(process.platform === 'linux')('after a killed test run, no program of it goes on', async () => {
  const command = endWithThisProcess([process.execPath, '-e', 'setInterval(() => undefined, 1000)']);
  const parent = spawn(process.execPath, ['-e', STARTER, JSON.stringify(command)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [pid] = (await once(parent.stdout, 'data')) as [Buffer];
  expect(isRunning(Number(pid))).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isRunning(Number(pid))).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
