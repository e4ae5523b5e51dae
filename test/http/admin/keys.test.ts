import { expect, test } from 'vitest';
import { createKey } from '../../../src/store/keys.ts';
import { runHere } from '../../kit/cli.ts';
import { JANE } from '../../kit/app.ts';
import { adminApp, allOf, sharedAdminApp } from './kit.ts';

const open = sharedAdminApp();

test('a created key works, is shown once, and is listed without the secret', async () => {
  const it = await open();
  const made = await it.do('keys', { name: 'shop', region: 'gb', allowed_addresses: '192.0.2.0/24' });
  expect(made).toMatchObject({
    name: 'shop',
    scopes: ['validate'],
    region: 'GB',
    allowed_addresses: '192.0.2.0/24',
  });
  const other = await it.do('keys', { name: 'other' });
  const checked = await it.send('/v1/validate', {
    method: 'POST',
    key: other.key,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(JANE),
  });
  expect(checked.status).toBe(200);
  const shown = await it.get(`keys/${made.id}`);
  const { key, ...rest } = made;
  expect(shown).toEqual(rest);
  expect(JSON.stringify(await it.get('keys'))).not.toContain(key);
  expect(it.everyByte()).not.toContain(key);
  expect(it.logged()).not.toContain(key);
});

test('a key is rotated with a grace period, and revoked with the key it replaced', async () => {
  const it = await open();
  const { id, key } = await it.do('keys', { name: 'shop', scopes: ['read'] });
  const { made, old } = await it.do(`keys/${id}/rotate`, { grace: '1h' });
  expect(made).toMatchObject({ chain: id, scopes: ['read'], name: 'shop' });
  expect(old).toMatchObject({ id, rotated_to: made.id });
  expect(Date.parse(old.expires) - Date.now()).toBeGreaterThan(3_500_000);
  const works = async (key: string) => (await it.send('/v1/usage', { key })).status;
  expect([await works(key), await works(made.key)]).toEqual([200, 200]);
  expect((await it.do(`keys/${made.id}/revoke`)).revoked).not.toBeNull();
  expect([await works(key), await works(made.key)]).toEqual([401, 401]);
  expect(await it.refusal('POST', `keys/${id}/rotate`)).toMatchObject({
    status: 422,
    code: 'invalid_request',
  });
});

test('keys in a leaked text are found; the text is neither stored nor repeated', async () => {
  const it = await open();
  const { id, key } = await it.do('keys', { name: 'shop' });
  expect(await it.do('keys/verify', { text: key })).toMatchObject({ is: 'ours', live: true, key: { id } });
  const answer = await it.ask('POST', 'keys/verify', { text: 'Zqxmarked' });
  const body = await answer.text();
  expect(JSON.parse(body)).toEqual({ is: 'no key', key: null, live: false, keys: [] });
  const line = `token=${key}\n${'bf_live_'.padEnd(46, '0')}`;
  const found = await it.do('keys/verify', { text: line });
  expect(found).toMatchObject({ is: 'ours', live: true, key: { id }, keys: [{ is: 'ours', live: true }] });
  expect(found.keys).toHaveLength(1);
  expect(body + it.logged() + it.everyByte()).not.toContain('Zqxmarked');
});

test('the command line and the API show the same, and do the same', async () => {
  const it = await open();
  const run = async (...args: string[]) =>
    JSON.parse((await runHere([...args, '--data-dir', it.folder, '--json'])).stdout);
  const made = await it.do('keys', { name: 'shop', scopes: ['read', 'metrics'] });
  expect(await run('keys', 'show', made.id)).toEqual(await it.get(`keys/${made.id}`));
  const { id } = await run('keys', 'create', '--name', 'theirs');
  expect((await run('keys', 'revoke', id)).revoked).toBe((await it.get(`keys/${id}`)).revoked);
  expect(await run('keys', 'list')).toEqual((await it.get('keys')).items);
});

test('pages neither skip nor repeat keys while keys are added, and filters apply to every page', async () => {
  const it = await adminApp();
  const now = Date.now();
  for (let i = 0; i < 7; i++)
    createKey(it.app.store, { name: `k${i}`, scopes: ['read'] }, now - 5000 + (i >> 1));
  let added = 0;
  const names = (
    await allOf(it, 'keys?limit=2', () =>
      createKey(it.app.store, { name: `new${added++}`, scopes: ['read'] }, now + added),
    )
  ).map(({ name }) => name);
  expect(names.filter((name) => /^k\d$/.test(String(name))).toSorted()).toEqual([
    'k0',
    'k1',
    'k2',
    'k3',
    'k4',
    'k5',
    'k6',
  ]);
  expect(new Set(names).size).toBe(names.length);
  const { id } = await it.do('keys', { name: 'gone' });
  await it.do(`keys/${id}/revoke`);
  expect((await it.get('keys?state=revoked')).items).toMatchObject([{ id }]);
});

test('the probes of keys are listed', async () => {
  const it = await adminApp();
  expect(await it.get('probes')).toEqual({ items: [] });
});
