// The graph of a server as another server queries it.
import { expect, test } from 'vitest';
import { createAccount } from '../../src/store/accounts.ts';
import { createPlan } from '../../src/store/plans.ts';
import { createKey } from '../../src/store/keys.ts';
import { freshApp, JANE, json } from '../kit/app.ts';

const serving = (more = '') => freshApp({ settings: { graph: `serve=true${more}` } });
const RESOLVE = '/graph/v1/resolve';
const QUESTION = {
  nameAddresses: [{ fullName: 'Jane Quimby' }],
  emailAddresses: ['jane.quimby@example.com', 'nobody@nowhere.example'],
  phoneNumbers: ['4155550134'],
};

test('a key with the scope gets the identities of each value, with names', async () => {
  const { post, key } = await serving();
  const answer = await json(post(RESOLVE, QUESTION, { 'x-api-key': key(['graph']) }));
  expect(answer).toMatchObject({
    total: 2,
    values: [[{ identity: 1, type: 'email', primary: true, share: 1 }], [], [{ identity: 1, type: 'phone' }]],
    name: { identities: [1], bearers: 1 },
    identities: [{ id: 1, names: ['Jane Quimby'], records: 1, sources: 1 }],
  });
});

test('without `serve` the address does not exist, whatever the key', async () => {
  const { post, send, key } = await freshApp();
  const own = { 'x-api-key': key(['graph', 'admin']) };
  expect((await post(RESOLVE, QUESTION, own)).status).toBe(404);
  expect((await send('/graph/v1/stats', { headers: own })).status).toBe(404);
});

test('keys without the scope are refused, also admin keys, and requests without a key', async () => {
  const { post, send, key } = await serving();
  for (const scopes of [['validate', 'raw'], ['admin'], ['read', 'metrics']] as const)
    expect((await post(RESOLVE, QUESTION, { 'x-api-key': key([...scopes]) })).status).toBe(403);
  expect((await send('/graph/v1/stats', { key: key(['validate']) })).status).toBe(403);
  expect((await send('/graph/v1/stats', { key: null })).status).toBe(401);
  expect((await post('/v1/validate', JANE, { 'x-api-key': key(['graph']) })).status).toBe(403);
});

test('every broken rule of a query is listed, and no input is repeated', async () => {
  const { post, key } = await serving();
  const secret = 'zq9.private@example.com';
  const answer = await post(
    RESOLVE,
    {
      emailAddresses: Array.from({ length: 6 }, () => secret),
      phoneNumbers: 7,
      region: 'usa',
      [secret]: 1,
      nameAddresses: [{ fullName: 'A' }, { fullName: 'B', adress: { line1: secret } }],
    },
    { 'x-api-key': key(['graph']) },
  );
  const text = await answer.text();
  expect(answer.status).toBe(422);
  expect(text).not.toContain('zq9');
  const told = JSON.parse(text).errors.map(
    ({ pointer, code }: Record<string, string>) => `${pointer} ${code}`,
  );
  expect(told).toEqual(
    expect.arrayContaining([
      ' unknown_field',
      '/emailAddresses too_many',
      '/phoneNumbers wrong_type',
      '/region invalid_region',
    ]),
  );
});

test('a query has one name', async () => {
  const { post, key } = await serving();
  const nameAddresses = [{ fullName: 'Jane Quimby' }, { fullName: 'Robert Vandermeer' }];
  const answer = await post(RESOLVE, { nameAddresses }, { 'x-api-key': key(['graph']) });
  expect((await json(answer)).errors).toMatchObject([{ pointer: '/nameAddresses', code: 'several_names' }]);
});

test('a query is not logged and not stored, and is not counted as a call', async () => {
  const { post, key, logged, everyByte, send } = await serving();
  const graph = key(['graph', 'read']);
  const odd = {
    nameAddresses: [{ fullName: 'Zebulon Markworth' }],
    emailAddresses: ['zeb@markworth.example'],
  };
  expect((await post(RESOLVE, odd, { 'x-api-key': graph })).status).toBe(200);
  expect(logged() + everyByte()).not.toMatch(/markworth/i);
  expect(logged()).toContain(RESOLVE);
  expect((await json(send('/v1/usage', { key: graph }))).calls).toBe(0);
});

test('the rate limit of a plan applies to queries as to checks; its quota does not', async () => {
  const { post, app } = await serving();
  const past = Date.now() - 1000;
  const rate = { calls: 1, seconds: 60, burst: 2 };
  createPlan(app.store, 'small', { included: 1, overage: 'block', rate }, past);
  const { id: account } = createAccount(app.store, { name: 'Branch', plan: 'small' }, past);
  const { key } = createKey(app.store, { name: 'laptop', scopes: ['graph'], account }, past);
  const ask = () => post(RESOLVE, QUESTION, { 'x-api-key': key });
  const [first, second, beyond] = [await ask(), await ask(), await ask()];
  expect([first.status, second.status, beyond.status]).toEqual([200, 200, 429]);
  expect(first.headers.get('ratelimit-policy')).toContain('"rate";q=2;w=120');
  expect(Number(beyond.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await json(beyond)).code).toBe('rate_limited');
});

test('a query that came through more than three servers is refused', async () => {
  const { post, key } = await serving();
  const status = async (hops: string) =>
    (await post(RESOLVE, {}, { 'x-api-key': key(['graph']), 'bonafide-hops': hops })).status;
  expect(await Promise.all(['1', '3', '4', '9', 'x'].map(status))).toEqual([200, 200, 508, 508, 508]);
});

test('the counts are those of the administrative route', async () => {
  const { send, key } = await serving();
  const answer = await json(send('/graph/v1/stats', { key: key(['graph']) }));
  expect(answer).toMatchObject({ records: 2, identities: 2, settled: true, warnings: [] });
});
