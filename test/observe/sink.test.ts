import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOutputSink } from '../../src/observe/sink.ts';
import { importPeople } from '../kit/app.ts';
import { freshFolder } from '../kit/folder.ts';
import { bareEnvironment } from '../kit/programs/environment.ts';
import { getLauncher } from '../kit/programs/launcher.ts';

/** A stream that never accepts data. */
const stuck = { fd: -1, writableLength: 2 ** 21, write: () => false, on: () => undefined };

describe('a log', () => {
  it('whose reader stands still keeps no more than it may, and counts the lines it loses', () => {
    const sink = createOutputSink(stuck as never);
    sink.write('one\ntwo\n');
    expect(sink.health()).toEqual({ failing: true, lost: 2 });
  });

  it('adds one listener to its output, however many logs a process opens', () => {
    const events: string[] = [];
    const output = { ...stuck, on: (event: string) => events.push(event) };
    for (let i = 0; i < 12; i++) createOutputSink(output as never);
    expect(events).toEqual(['error']);
  });

  it.skipIf(process.platform !== 'linux')('on a full disk loses lines and throws nothing', () => {
    const fd = openSync('/dev/full', 'w');
    const sink = createOutputSink({ ...stuck, fd } as never);
    sink.write('one\n');
    closeSync(fd);
    expect(sink.health()).toEqual({ failing: true, lost: 1 });
  });
});

/** Returns a port that was just free, because a server whose log cannot be read cannot report its port. */
async function freePort(): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  taken.close();
  return port;
}

/** Starts a server that logs to this standard output. */
async function serving(stdout: 'pipe' | number) {
  const port = await freePort();
  const folder = freshFolder();
  await importPeople(folder);
  const child = spawn(
    process.execPath,
    [getLauncher(), 'serve', '--data-dir', folder, '--port', String(port), '--log', 'json'],
    { stdio: ['ignore', stdout, 'ignore'], env: bareEnvironment() },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  const status = async (): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${url}/readyz`);
    return { code: answer.status, ...((await answer.json()) as object) };
  };
  while ((await status().catch(() => ({ code: 0 }))).code !== 200) await pause(50);
  return { child, status };
}

describe('a server', () => {
  it('outlives the reader of its log, and readiness says so', async () => {
    const { child, status } = await serving('pipe');
    child.stdout?.destroy();
    for (let i = 0; i < 5; i++) await status();
    expect(await status()).toMatchObject({ code: 200, log: 'failed', log_lines_lost: expect.any(Number) });
    expect(child.exitCode).toBeNull();
  });

  it.skipIf(process.platform !== 'linux')('serves while the disk of its log is full', async () => {
    const fd = openSync('/dev/full', 'w');
    const { child, status } = await serving(fd);
    closeSync(fd);
    await status();
    const { code, log, log_lines_lost: lost } = await status();
    expect([code, log, Number(lost) > 0, child.exitCode]).toEqual([200, 'failed', true, null]);
  });
});
