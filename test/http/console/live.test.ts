import { expect, test } from 'vitest';
import { openLiveMetrics } from '../../../src/http/console/live.ts';
import { createKey } from '../../../src/store/keys.ts';
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

test('metrics are read once for all open consoles, and not at all without consoles', async () => {
  let looks = 0;
  const live = openLiveMetrics(async () => `bonafide_calls_in_flight ${++looks}`);
  const told: string[] = [];
  const leave = [1, 2].map(() => live.add((event) => told.push(event)));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([looks, live.count(), told.length]).toEqual([1, 2, 2]);
  live.close();
  expect([live.count(), told.at(-1)]).toEqual([0, '']);
  for (const one of leave) one();
});
