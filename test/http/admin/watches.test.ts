// Operators see and delete watches of all accounts, follow their events, and manage the addresses that receive events.
import { expect, test } from 'vitest';
import { createAccount } from '../../../src/store/accounts.ts';
import { openWebhookMessageQueue } from '../../../src/store/serving/notices.ts';
import { storeEvent } from '../../../src/store/events/events.ts';
import { createKey } from '../../../src/store/keys.ts';
import { JANE, json } from '../../kit/app.ts';
import { runHere } from '../../kit/cli.ts';
import { adminApp, allOf, sharedAdminApp } from './kit.ts';

const ON = { settings: { watches: 'true' } };
const open = sharedAdminApp(ON);

/** Returns a server with an account and a function that creates a watch with the key of the account. */
async function withAccount(it: Awaited<ReturnType<typeof open>>) {
  const { id: account } = createAccount(it.app.store, { name: 'Shop' }, Date.now());
  const { key, info } = createKey(it.app.store, { name: 'k', scopes: ['validate'], account }, Date.now());
  const watch = async (more: object = {}): Promise<Record<string, any>> =>
    json(
      it.send('/v1/watches', {
        key,
        method: 'POST',
        body: JSON.stringify({ ...JANE, ...more }),
        headers: { 'content-type': 'application/json' },
      }),
    );
  const cli = async (...args: string[]) =>
    JSON.parse((await runHere([...args, '--data-dir', it.folder, '--json'])).stdout);
  const record = (subject: string) =>
    storeEvent(
      it.app.store.raw,
      { owner: account, subject, type: 'watch.expired', body: { watch_id: subject, reference: null } },
      Date.now(),
    );
  return { ...it, account, key, keyId: info.id, watch, cli, record };
}

test('watches of all accounts are listed newest first, by owner, reference and band', async () => {
  const it = await withAccount(await adminApp(ON));
  const first = await it.watch({ reference: 'seller-1' });
  const second = await it.watch({ name: 'Somebody Else', emails: ['nobody@example.com'], phones: [] });
  const third = await json(it.post('/v1/watches', JANE));
  const ids = async (query = '') => (await allOf(it, `watches${query}`)).map(({ watch_id: id }) => id);
  const all = [third, second, first].map(({ watch_id: id }) => id);
  expect(await ids()).toEqual(all);
  expect(await ids('?limit=1')).toEqual(all);
  expect(await ids(`?owner=${it.account}`)).toEqual(all.slice(1));
  expect(await ids('?reference=seller-1&limit=1')).toEqual([first.watch_id]);
  expect(await ids(`?status=${second.status}`)).toEqual([second.watch_id]);
  expect(await ids('?reference=seller-2')).toEqual([]);
  const page = await it.get('watches');
  expect(page).toMatchObject({ on: true, total: 3, next: null });
  expect(page.items[2]).toMatchObject({ ...first, owner: it.account });
  expect(JSON.stringify(page)).not.toMatch(/quimby|larch/i);
  const { recheck_every_hours: _, ...shown } = await it.get(`watches/${first.watch_id}`);
  expect(await it.cli('watches', 'show', String(first.watch_id))).toEqual({
    ...shown,
    due_since: expect.toBeOneOf([null, expect.any(String)]),
  });
});

test('while watches are off, the list says so', async () => {
  expect(await (await adminApp()).get('watches')).toEqual({
    on: false,
    total: 0,
    due: 0,
    items: [],
    next: null,
  });
});

test('a watch is deleted, and the audit log has its creation and its deletion', async () => {
  const it = await withAccount(await open());
  const [byOperator, byCaller] = [await it.watch(), await it.watch({ reference: 'private' })];
  expect(await json(it.ask('DELETE', `watches/${byOperator.watch_id}`))).toEqual({
    watch_id: byOperator.watch_id,
    deleted: true,
  });
  await it.send(`/v1/watches/${byCaller.watch_id}`, { key: it.key, method: 'DELETE' });
  for (const method of ['GET', 'DELETE'])
    expect(await it.refusal(method, `watches/${byCaller.watch_id}`)).toMatchObject({
      status: 404,
      detail: 'There is no such watch.',
    });
  const { items } = await it.get('audit');
  const detail = { owner: it.account };
  expect(items.slice(0, 4)).toMatchObject([
    { act: 'watches.delete', target: byCaller.watch_id, actor: it.keyId, detail },
    { act: 'watches.delete', target: byOperator.watch_id, actor: it.admin.id, detail },
    { act: 'watches.create', target: byCaller.watch_id, actor: it.keyId, detail },
    { act: 'watches.create', target: byOperator.watch_id, actor: it.keyId, detail },
  ]);
  expect(JSON.stringify(items)).not.toContain('private');
  expect(await it.get('audit/verify')).toMatchObject({ broken: null });
});

test('a watch that a retry with the same Idempotency-Key returns is audited once', async () => {
  const it = await adminApp(ON);
  for (let i = 0; i < 2; i++) await it.post('/v1/watches', JANE, { 'idempotency-key': 'one' });
  expect((await it.get('audit?act=watches.create')).items).toHaveLength(1);
});

test('all watches are checked again on request', async () => {
  const it = await withAccount(await adminApp(ON));
  await it.watch();
  const response = await it.ask('POST', 'watches/recheck');
  expect([response.status, await json(response)]).toEqual([202, { watches: 1 }]);
  expect((await it.get('audit?act=watches.recheck')).items).toMatchObject([{ detail: { watches: 1 } }]);
});

test('events of all accounts are listed newest first, by owner and by watch', async () => {
  const it = await withAccount(await adminApp(ON));
  const events = ['wat_00000000001', 'wat_00000000002', 'wat_00000000001'].map(it.record).toReversed();
  const ids = async (query = '') => (await allOf(it, `events${query}`)).map(({ id }) => id);
  expect(await ids('?limit=2')).toEqual(events);
  expect(await ids('?subject=wat_00000000001')).toEqual([events[0], events[2]]);
  expect(await ids(`?owner=${it.account}`)).toEqual(events);
  expect(await ids('?owner=acc_other')).toEqual([]);
  expect((await it.get('events?limit=1')).items).toMatchObject([
    { owner: it.account, type: 'watch.expired', watch_id: 'wat_00000000001' },
  ]);
});

test('an address of an account is added, listed, given a new secret and removed', async () => {
  const it = await withAccount(await open());
  const url = 'https://shop.example/events';
  const added = await it.ask('POST', 'webhooks/endpoints', { account: it.account, url });
  expect(added.status).toBe(201);
  const { secret, ...endpoint } = await json(added);
  expect(secret).toMatch(/^whsec_/);
  expect(endpoint).toMatchObject({ account: it.account, url, both_secrets_until: null });
  const other = await it.do('webhooks/endpoints', { account: it.account, url: 'https://b.example/' });
  expect(await allOf(it, 'webhooks/endpoints?limit=1')).toMatchObject([endpoint, { id: other.id }]);
  expect((await it.get(`webhooks/endpoints?account=${it.account}`)).items).toHaveLength(2);
  expect(await it.cli('webhooks', 'endpoints', it.account)).toMatchObject([endpoint, { id: other.id }]);
  const rotated = await it.do(`webhooks/endpoints/${endpoint.id}/rotate`);
  expect(rotated).toMatchObject({ id: endpoint.id, both_secrets_until: expect.any(String) });
  expect(rotated.secret).not.toBe(secret);
  expect(it.everyByte()).not.toContain(rotated.secret);
  expect((await it.ask('DELETE', `webhooks/endpoints/${endpoint.id}`)).status).toBe(200);
  for (const [method, path] of [
    ['DELETE', `webhooks/endpoints/${endpoint.id}`],
    ['POST', `webhooks/endpoints/${endpoint.id}/rotate`],
  ] as const)
    expect(await it.refusal(method, path)).toMatchObject({ status: 404 });
  const { items } = await it.get('audit?limit=3');
  expect(items.map(({ act }: { act: string }) => act)).toEqual([
    'webhooks.remove',
    'webhooks.rotate',
    'webhooks.add',
  ]);
});

test.each([
  [{ url: 'ftp://shop.example/' }, '/url', 'invalid_url'],
  [{ url: 'https://user@shop.example/' }, '/url', 'invalid_url'],
  [{ url: 'https://:word@shop.example/' }, '/url', 'invalid_url'],
  [{ url: 'shop' }, '/url', 'invalid_url'],
  [{ account: 'acc_none' }, '/account', 'unknown_account'],
])('an address %j is refused', async (wrong, pointer, code) => {
  const it = await withAccount(await open());
  const body = { account: it.account, url: 'https://shop.example/', ...wrong };
  expect(await it.refusal('POST', 'webhooks/endpoints', body)).toMatchObject({
    status: 422,
    errors: [{ pointer, code }],
  });
});

test('messages about a watch are listed, and sent again while their address exists', async () => {
  const it = await withAccount(await open());
  const account = it.account;
  const { id } = await it.do('webhooks/endpoints', { account, url: 'https://shop.example/' });
  it.record('wat_00000000001');
  const event = it.record('wat_00000000002');
  const { items } = await it.get('webhooks?subject=wat_00000000002');
  expect(items).toMatchObject([{ endpoint: id, state: 'pending', data: { id: event } }]);
  expect((await it.get(`webhooks?endpoint=${id}`)).items).toHaveLength(2);
  expect((await it.get('webhooks?endpoint=whk_other')).items).toEqual([]);
  const queue = openWebhookMessageQueue(it.app.store.raw);
  queue.markFailed(items[0].id, { next: null, failure: 'status 500', now: Date.now() });
  expect(await it.do(`webhooks/${items[0].id}/send`)).toMatchObject({ state: 'pending' });
  await it.ask('DELETE', `webhooks/endpoints/${id}`);
  expect(await it.refusal('POST', `webhooks/${items[0].id}/send`)).toMatchObject({
    status: 422,
    errors: [{ detail: expect.stringContaining('was removed') }],
  });
});
