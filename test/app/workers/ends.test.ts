// Workers that end, by themselves and after a signal.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { bonafide } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { startWorkers } from './kit.ts';

const POLL = { interval: 50 };

it('a worker that throws is replaced: its calls end without an answer and uncounted, those of the other go on', async () => {
  const server = await startWorkers();
  const answered: string[] = [];
  let lost = 0;
  const load = { on: true };
  const caller = async () => {
    while (load.on) {
      const answer = await server.ask().catch(() => null);
      if (answer?.status === 200) answered.push(answer.id);
      else if (answer) throw new Error(`answered ${answer.status}`);
      else {
        lost++;
        await pause(5);
      }
    }
  };
  const callers = Array.from({ length: 16 }, caller);
  const begun = Array.from({ length: 20 }, () => server.begin());
  while (answered.length < 50) await pause(5);
  server.throwIn(1);
  await expect.poll(server.stdout, POLL).toContain('worker 1 serves again');
  const before = answered.length;
  while (answered.length < before + 50) await pause(5);
  load.on = false;
  await Promise.all(callers);

  for (const { finish } of begun) finish();
  const statuses = await Promise.all(begun.map(({ status }) => status));
  const cut = statuses.filter((status) => status === null).length;
  expect(statuses.filter((status) => status !== null && status !== 200)).toEqual([]);
  expect([cut > 0, cut < 20]).toEqual([true, true]);

  const metrics = await (await server.get('/metrics')).text();
  expect(metrics).toContain('bonafide_workers 2\n');
  expect(metrics).toContain('bonafide_workers_replaced_total 1\n');
  expect(metrics).toContain('bonafide_calls_in_flight 0\n');
  const { ids, calls } = server.counted();
  expect(ids.size).toBe(calls);
  expect(answered.filter((id) => !ids.has(id))).toEqual([]);
  // Calls in progress when the worker ended may be counted, but not those whose body had not arrived completely.
  expect(calls).toBeGreaterThanOrEqual(answered.length + 20 - cut);
  expect(calls).toBeLessThanOrEqual(answered.length + 20 - cut + lost);
  const thrown = server
    .stdout()
    .split('\n')
    .find((line) => line.includes('worker 1 ended'));
  expect(JSON.parse(thrown ?? '')).toMatchObject({ level: 'error', thrown: { name: 'Error' } });
});

it('SIGTERM lets calls in flight of both finish, takes no new one, and ends with 0', async () => {
  const server = await startWorkers();
  const begun = Array.from({ length: 12 }, () => server.begin());
  await expect.poll(async () => (await server.get('/metrics')).text(), POLL).toContain('in_flight 12\n');
  server.process.kill('SIGTERM');
  await expect
    .poll(
      () =>
        server.get('/healthz').then(
          () => 'answered',
          () => 'refused',
        ),
      POLL,
    )
    .toBe('refused');
  for (const { finish } of begun) finish();
  expect(new Set(await Promise.all(begun.map(({ status }) => status)))).toEqual(new Set([200]));
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(server.stderr()).toBe('');
  expect(server.counted().calls).toBe(12);
  expect(server.stdout().match(/stopping/g)).toHaveLength(1);
  expect(server.stdout().match(/plugins built in/g)).toHaveLength(1);
});

it('workers cannot share a socket file, and a port that is in use is told as ever', async () => {
  const serve = (...args: string[]) =>
    bonafide(['serve', '--data-dir', freshFolder(), '--init', '--log', 'silent', '--workers', '2', ...args]);
  const atFile = await serve('--listen', `unix:${freshFolder()}/socket`);
  expect([atFile.code, atFile.stderr]).toEqual([
    1,
    expect.stringMatching(/^error: Several workers can share a port/),
  ]);
  const server = await startWorkers();
  const beside = await serve('--port', new URL(server.url).port);
  expect([beside.code, beside.stderr]).toEqual([1, expect.stringMatching(/^error: Port \d+ .* is in use/)]);
});
