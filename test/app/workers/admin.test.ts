// Administration of a server with two workers: one worker does it, whichever of them receives the request.
import { expect, it } from 'vitest';
import { freshFolder } from '../../kit/folder.ts';
import { startWorkers } from './kit.ts';

const POLL = { interval: 50 };
/** Number of requests. The system spreads connections over workers: the chance that all reach the same one is two in a thousand million. */
const TIMES = Array.from({ length: 30 }, (_, i) => i);

it('administration is that of one server: each worker sees what the other did, and the same backup is the last', async () => {
  const backups = freshFolder();
  const server = await startWorkers({}, { BONAFIDE_BACKUP: `every=24h,to=${backups}` });
  const { administer } = server;
  const listed = async (path: string) =>
    Promise.all(TIMES.map(async () => (await administer('GET', path)).body));
  await administer('POST', 'plans', { id: 'small', included: 2, price: '0.02', currency: 'EUR' });
  const made = await Promise.all(
    TIMES.map(
      async (i) => (await administer('POST', 'accounts', { name: `shop ${i}`, plan: 'small' })).status,
    ),
  );
  expect(new Set(made)).toEqual(new Set([201]));
  for (const { items } of await listed('accounts')) expect(items).toHaveLength(TIMES.length);

  const { body: key } = await administer('POST', 'keys', { name: 'theirs' });
  const check = () =>
    fetch(`${server.url}/v1/validate`, {
      method: 'POST',
      headers: { 'x-api-key': key.key, 'content-type': 'application/json', connection: 'close' },
      body: '{"name":"Jane Quimby"}',
    });
  expect((await Promise.all(TIMES.map(check))).map(({ status }) => status)).toEqual(TIMES.map(() => 200));
  for (const { items } of await listed('usage/keys'))
    expect(items).toMatchObject([{ key: key.id, calls: TIMES.length }]);
  expect((await administer('POST', `keys/${key.id}/revoke`)).status).toBe(200);
  expect((await Promise.all(TIMES.map(check))).map(({ status }) => status)).toEqual(TIMES.map(() => 401));

  const { body: first } = await administer('POST', 'backups');
  const lasts = async () => (await listed('backups')).map(({ last }) => last);
  for (const last of await lasts()) expect(last).toMatchObject({ name: first.name, started: first.started });
  await expect.poll(async () => (await lasts()).every(({ ok }) => ok), POLL).toBe(true);
  for (const { items } of await listed('backups')) expect(items).toMatchObject([{ name: first.name }]);

  const acts = (await administer('GET', 'audit')).body.items.map(({ act }: { act: string }) => act);
  expect(acts.slice(0, 3)).toEqual(['backup.create', 'keys.revoke', 'keys.create']);
  expect((await administer('GET', 'audit/verify')).body).toMatchObject({ broken: null });
  expect((await administer('POST', 'plans', { id: 'small' })).body).toMatchObject({
    errors: [{ code: 'already_there' }],
  });
  for (const { records } of await listed('graph')) expect(records).toBe(2);
});
