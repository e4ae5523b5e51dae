import { expect, onTestFinished, test, vi } from 'vitest';
import { createLiveMetricsSender } from '../../../src/http/console/live.ts';
import { endOfTurn } from '../../../src/platform/turn.ts';
import { createKey, revokeKey } from '../../../src/store/keys.ts';
import { freshApp } from '../../kit/app.ts';

test('an admin gets live metrics; the stream ends when the server stops', async () => {
  const { app, send } = await freshApp();
  const { key } = createKey(app.store, { name: 'x', scopes: ['admin'] }, Date.now());
  const response = await send('/console/live', { key });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ]);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const { value = '' } = (await reader?.read()) ?? {};
  expect(JSON.parse(value.slice('data: '.length))).toMatchObject({ in_flight: 0 });
  await reader?.cancel();
  expect((await send('/console/live')).status).toBe(403);
  expect((await send('/console/live', { key: null })).status).toBe(401);
});

test('HEAD opens no stream', async () => {
  const { app, send } = await freshApp();
  const { key } = createKey(app.store, { name: 'x', scopes: ['admin'] }, Date.now());
  for (let i = 0; i < 6; i++) expect((await send('/console/live', { key, method: 'HEAD' })).status).toBe(200);
});

test('metrics are read once for all open consoles, and not at all without consoles', async () => {
  let looks = 0;
  const live = createLiveMetricsSender(async () => `bonafide_calls_in_flight ${++looks}`);
  const told: string[] = [];
  const leave = [1, 2].map(() => live.add((event) => told.push(event), 'key_1'));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([looks, live.count(), told.length]).toEqual([1, 2, 2]);
  live.close();
  expect([live.count(), told.at(-1)]).toEqual([0, '']);
  for (const one of leave) one();
});

test('a stream ends within a second after its key was revoked, and its place is free', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { app, send } = await freshApp();
  const [key, other, ...more] = Array.from({ length: 5 }, () =>
    createKey(app.store, { name: 'x', scopes: ['admin'] }, Date.now()),
  );
  const open = (by = key) => send('/console/live', { key: by?.key ?? '' });
  const stream = (await open()).body?.getReader();
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await stream?.read())?.done).toBe(false);
  for (let i = 1; i < 5; i++) await open();
  for (const by of more) for (let i = 0; i < 5; i++) await open(by);
  expect((await send('/console/live', { key: other?.key ?? '' })).status).toBe(503);
  revokeKey(app.store, key?.info.id ?? '', Date.now());
  await vi.advanceTimersByTimeAsync(1000);
  const rest = async (): Promise<void> => ((await stream?.read())?.done ? undefined : rest());
  await rest();
  expect((await send('/console/live', { key: other?.key ?? '' })).status).toBe(200);
});

test('a console may close its stream while the server checks its key', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const rejected = vi.fn<(reason: unknown) => void>();
  process.on('unhandledRejection', rejected);
  onTestFinished(() => void process.off('unhandledRejection', rejected));
  const { app, send } = await freshApp();
  const { key, info } = createKey(app.store, { name: 'x', scopes: ['admin'] }, Date.now());
  const stream = (await send('/console/live', { key })).body;
  revokeKey(app.store, info.id, Date.now());
  await endOfTurn();
  vi.advanceTimersByTime(1000);
  await stream?.cancel();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(rejected).not.toHaveBeenCalled();
});

test('one key or session has at most five of the twenty streams', async () => {
  const { app, send } = await freshApp();
  const [key, other] = [0, 1].map(() => createKey(app.store, { name: 'x', scopes: ['admin'] }, Date.now()));
  const open = async (by: typeof key) => (await send('/console/live', { key: by?.key ?? '' })).status;
  const statuses = [];
  for (let i = 0; i < 6; i++) statuses.push(await open(key));
  expect(statuses).toEqual([200, 200, 200, 200, 200, 503]);
  expect(await open(other)).toBe(200);
});
