// The tools that read watches, events and usage of the caller.
import type { Client } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { storeEvent } from '../../../src/store/events/events.ts';
import { freshApp, JANE, json } from '../../kit/app.ts';
import { callsOf, connected } from './client.ts';

/** Returns the answer or the problem of a tool. */
const read = async (client: Client, name: string, sent: object = {}) => {
  const { isError, structuredContent } = await client.callTool({ name, arguments: { ...sent } });
  return { isError, answer: structuredContent as Record<string, any> };
};

test('the tools that read answer as the routes of the API, and count nothing', async () => {
  const app = await freshApp({ settings: { watches: 'true' } });
  const watch = await json(app.post('/v1/watches', { ...JANE, reference: 'seller-17' }));
  await app.post('/v1/watches', JANE);
  storeEvent(
    app.app.store.raw,
    {
      owner: String(app.app.store.raw.prepare('SELECT owner FROM watches').pluck().get()),
      subject: watch.watch_id,
      type: 'watch.expired',
      body: { watch_id: watch.watch_id, reference: 'seller-17' },
    },
    Date.now(),
  );
  const { client } = await connected(app, app.usual);
  const same = async (name: string, path: string, sent: object = {}) =>
    expect(await read(client, name, sent)).toEqual({ isError: false, answer: await json(app.send(path)) });
  await same('watch', '/v1/watches');
  const first = await read(client, 'watch', { limit: 1 });
  expect(first.answer.watches).toEqual((await json(app.send('/v1/watches?limit=1'))).watches);
  await same('watch', `/v1/watches?cursor=${first.answer.next}`, { cursor: first.answer.next });
  await same('events', '/v1/events');
  await same('usage', '/v1/usage');
  await same('usage', '/v1/usage?month=2026-01', { month: '2026-01' });
  const { answer } = await read(client, 'watch', { watch_id: watch.watch_id });
  expect(answer).toEqual({ watches: [watch], next: null });
  expect((await read(client, 'events')).answer.events).toMatchObject([{ watch_id: watch.watch_id }]);
  expect(await callsOf(app, app.usual)).toBe(2);
});

test('the tools that read show the things of the caller only, to keys that may read', async () => {
  const app = await freshApp({ settings: { watches: 'true' } });
  const { watch_id: id } = await json(app.post('/v1/watches', JANE));
  const other = await connected(app, app.key(['read']));
  expect((await read(other.client, 'watch')).answer).toEqual({ watches: [], next: null });
  expect(await read(other.client, 'watch', { watch_id: id })).toMatchObject({
    isError: true,
    answer: { code: 'not_found' },
  });
  expect((await read(other.client, 'events')).answer.events).toEqual([]);
  expect((await read(other.client, 'usage')).answer.calls).toBe(0);
  const blind = await connected(app, app.key(['metrics']));
  for (const name of ['watch', 'events', 'usage'])
    expect((await read(blind.client, name)).answer).toMatchObject({ code: 'forbidden' });
  for (const [name, sent, pointer] of [
    ['watch', { watch_id: 'x' }, '/watch_id'],
    ['watch', { limit: 501 }, '/limit'],
    ['events', { after: '' }, '/after'],
    ['usage', { month: '2026-13' }, '/month'],
    ['usage', { zqx: 1 }, ''],
  ] as const)
    expect((await read(other.client, name, sent)).answer).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer }],
    });
});
