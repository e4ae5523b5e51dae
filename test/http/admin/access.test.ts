// Callers without the scope admin are refused at every administrative address, before anything else is read.
import { describe, expect, test } from 'vitest';
import { ROUTES } from '../../../src/http/server.ts';
import { createKey } from '../../../src/store/keys.ts';
import type { Scope } from '../../../src/accounts/model.ts';
import { freshApp, json, type TestApp } from '../../kit/app.ts';

const ADMIN = ROUTES.filter(({ path }) => path.startsWith('/admin/'));

test('every administrative route needs a key and has the tag Administration', () => {
  expect(ADMIN.length).toBeGreaterThan(30);
  for (const { key, tag } of ADMIN) expect([key, tag]).toEqual([true, 'Administration']);
});

describe('a request with', () => {
  const keys: [string, Scope[], { test?: boolean; expires?: number }][] = [
    ['a key that may check', ['validate'], {}],
    ['a key that only reads', ['read'], {}],
    ['a key with every other scope', ['validate', 'read', 'raw', 'metrics'], {}],
    ['a test key', ['validate'], { test: true }],
    ['a test key that is said to administer', ['admin'], { test: true }],
    ['a key that has ended', ['admin'], { expires: 1 }],
  ];

  test.each(keys)('%s is refused everywhere', async (_, scopes, kind) => {
    const answers = await answersOf(
      ({ app }) => createKey(app.store, { name: 'x', scopes, ...kind }, Date.now()).key,
    );
    expect(answers).toEqual(new Set([kind.expires ? '401 invalid_api_key' : '403 forbidden']));
  });

  test.each([
    ['no key', null, 'missing_api_key'],
    ['a wrong key', 'bf_live_0000000000000000000000000000000000000', 'invalid_api_key'],
    ['no key by far', '__proto__', 'invalid_api_key'],
  ])('%s is refused everywhere', async (_, key, code) => {
    expect(await answersOf(() => key)).toEqual(new Set([`401 ${code}`]));
  });
});

/** An address is refused after 100 failures a minute: a server gets fewer requests than that. */
const ROUTES_PER_SERVER = 30;

/** Returns the answers of every administrative address to a key, to well-formed requests and to malformed ones. */
async function answersOf(keyFor: (server: TestApp) => string | null) {
  const answers = new Set<string>();
  for (let start = 0; start < ADMIN.length; start += ROUTES_PER_SERVER) {
    const server = await freshApp();
    const key = keyFor(server);
    for (const { method, path } of ADMIN.slice(start, start + ROUTES_PER_SERVER)) {
      const address = `${path.replaceAll(/:\w+/g, 'anything')}?limit=-1`;
      const malformed = { body: '{"name":', headers: { 'content-type': 'text/plain' } };
      for (const sent of method === 'GET' ? [{}] : [{}, malformed]) {
        const response = await server.send(address, { method, key, ...sent });
        answers.add(`${response.status} ${(await json(response)).code}`);
      }
    }
  }
  return answers;
}
