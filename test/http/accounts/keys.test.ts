import { describe, expect, it, vi } from 'vitest';
import { createKey, getKey } from '../../../src/store/keys.ts';
import type { ApiKeySettings } from '../../../src/accounts/keys.ts';
import { freshApp, JANE, json } from '../../kit/app.ts';

/** Returns an app with one key with these settings, and a function that checks with it. */
async function world(over: Partial<ApiKeySettings>) {
  const test = await freshApp();
  const { key, info } = createKey(test.app.store, { name: 'x', scopes: ['validate'], ...over }, Date.now());
  const headers = { 'content-type': 'application/json' };
  const check = (body: object = JANE) =>
    test.send('/v1/validate', { key, method: 'POST', body: JSON.stringify(body), headers });
  const keptNow = () => getKey(test.app.store, info.id);
  return { ...test, check, keptNow, get: (path: string) => test.send(path, { key }) };
}

describe('a key', () => {
  it('with a region reads phone numbers there, another key in the region of the server', async () => {
    const { check, post } = await world({ region: 'GB' });
    const body = { name: 'Jane Quimby', phones: ['020 7946 0958'] };
    const read = async (answer: Promise<Response>) =>
      (await json(answer)).input_validation.phone.inputs[0].standardized;
    expect(await read(check(body))).toBe('+442079460958');
    expect(await read(post('/v1/validate', body))).not.toBe('+442079460958');
  });

  it('is refused from an address outside its networks, without details', async () => {
    const { check, get } = await world({ allowedAddresses: '192.0.2.0/24' });
    for (const answer of [await check(), await get('/v1/usage')])
      expect([answer.status, (await json(answer)).code]).toEqual([403, 'forbidden']);
  });

  it('is accepted from an address of its networks', async () => {
    const { check } = await world({ allowedAddresses: '2001:db8::/32,127.0.0.0/8' });
    expect((await check()).status).toBe(200);
  });

  it('that may only read sees its calls and cannot check', async () => {
    const { check, get } = await world({ scopes: ['read'] });
    expect((await check()).status).toBe(403);
    expect((await get('/v1/usage')).status).toBe(200);
    expect((await get('/v1/requests/req_x')).status).toBe(404);
  });

  it('that may not read is refused', async () => {
    const { get } = await world({ scopes: ['raw'] });
    expect((await get('/v1/usage')).status).toBe(403);
  });

  it('has its last use recorded, at most once a minute', async () => {
    const { check, keptNow } = await world({});
    expect(keptNow().lastUsed).toBeNull();
    const before = Date.now();
    await check();
    await vi.waitFor(() => expect(keptNow().lastUsed).toBeGreaterThanOrEqual(before), { timeout: 120_000 });
    const first = keptNow().lastUsed;
    await check();
    expect(keptNow().lastUsed).toBe(first);
  });
});
