// Who may not administer is refused, at every address that is declared, before anything else is looked at.
import { describe, expect, test } from 'vitest';
import { ROUTES } from '../../../src/http/server.ts';
import { createKey } from '../../../src/store/keys.ts';
import type { Scope } from '../../../src/accounts/model.ts';
import { freshApp, json } from '../../kit/app.ts';

const ADMIN = ROUTES.filter(({ path }) => path.startsWith('/admin/'));

test('there are administrative routes', () => {
  expect(ADMIN.length).toBeGreaterThan(30);
  for (const { key, tag } of ADMIN) expect([key, tag]).toEqual([true, 'Administration']);
});

describe('whoever has', () => {
  const keys: [string, Scope[], { test?: boolean; expires?: number }][] = [
    ['a key that may check', ['validate'], {}],
    ['a key that only reads', ['read'], {}],
    ['a key with every other scope', ['validate', 'read', 'raw', 'metrics'], {}],
    ['a test key', ['validate'], { test: true }],
    ['a test key that is said to administer', ['admin'], { test: true }],
    ['a key that has ended', ['admin'], { expires: 1 }],
  ];

  test.each(keys)('%s is refused everywhere', async (_, scopes, kind) => {
    const { app, send } = await freshApp();
    const { key } = createKey(app.store, { name: 'x', scopes, ...kind }, Date.now());
    const told = kind.expires ? '401 invalid_api_key' : '403 forbidden';
    expect(await answersOf(send, key)).toEqual(new Set([told]));
  });

  test.each([
    ['no key', null, 'missing_api_key'],
    ['a wrong key', 'bf_live_0000000000000000000000000000000000000', 'invalid_api_key'],
    ['no key by far', '__proto__', 'invalid_api_key'],
  ])('%s is refused everywhere', async (_, key, code) => {
    const { send } = await freshApp();
    expect(await answersOf(send, key)).toEqual(new Set([`401 ${code}`]));
  });
});

/** What every administrative address answers to a key, each asked in order and out of it. */
async function answersOf(send: Awaited<ReturnType<typeof freshApp>>['send'], key: string | null) {
  const answers = new Set<string>();
  for (const { method, path } of ADMIN) {
    const address = `${path.replaceAll(/:\w+/g, 'anything')}?limit=-1`;
    const nonsense = { body: '{"name":', headers: { 'content-type': 'text/plain' } };
    for (const sent of method === 'GET' ? [{}] : [{}, nonsense]) {
      const response = await send(address, { method, key, ...sent });
      answers.add(`${response.status} ${(await json(response)).code}`);
    }
  }
  return answers;
}
