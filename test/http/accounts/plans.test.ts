import { expect, test } from 'vitest';
import * as v from 'valibot';
import { usageSchema as USAGE } from '../../../src/http/schema/calls.ts';
import { endOfTurn } from '../../../src/platform/turn.ts';
import { closeAccount, createAccount, reopenAccount } from '../../../src/store/accounts.ts';
import { createPlan } from '../../../src/store/plans.ts';
import { createKey } from '../../../src/store/keys.ts';
import { freshApp, JANE, json } from '../../kit/app.ts';

/** Returns an app with a key of an account with these plan terms. */
async function planned(terms: object) {
  const test = await freshApp();
  const { store } = test.app;
  const now = Date.now();
  createPlan(store, 'starter', terms, now);
  const account = createAccount(store, { name: 'Shop', plan: 'starter' }, now).id;
  const addKey = () => createKey(store, { name: 'shop', scopes: ['validate'], account }, now).key;
  const key = addKey();
  const post = (path: string, body: unknown, by = key) =>
    test.send(path, {
      method: 'POST',
      key: by,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  const usage = async (query = '') => json(test.send(`/v1/usage${query}`, { key }));
  return { ...test, key, addKey, account, post, usage };
}

test('with one included call left, one of a thousand concurrent calls is answered, the others are refused until the next month', async () => {
  const { post, usage, app, addKey } = await planned({ included: 1, overage: 'block' });
  // Two keys of the account: one key with more than 600 refusals a minute would be slowed down.
  const keys = [addKey(), addKey()];
  // The calls come in waves below the in-flight limit, which would refuse some of them for another reason.
  const statuses: number[] = [];
  for (let wave = 0; wave < 5; wave++) {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => post('/v1/validate', JANE, keys[i % 2])),
    );
    statuses.push(...answers.map(({ status }) => status));
    for (const answer of answers) await answer.text();
  }
  expect(Map.groupBy(statuses, (status) => status).get(200)).toHaveLength(1);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(await usage()).toMatchObject({
    calls: 1,
    overage: 0,
    limits: { quota: { state: 'reached', remaining: 0 } },
  });
  expect(app.store.raw.prepare('SELECT count(*) FROM calls').pluck().get()).toBe(1);
  const refused = await post('/v1/validate', JANE);
  expect((await json(refused)).code).toBe('quota_exhausted');
  const now = new Date();
  const month = (Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime()) / 1000;
  expect(Math.abs(Number(refused.headers.get('retry-after')) - month)).toBeLessThan(30);
});

test('usage shows included calls, overage and its price, for this month and others', async () => {
  const { post, usage, account } = await planned({
    included: 2,
    price: '0.005',
    currency: 'EUR',
    rate: { calls: 10, seconds: 1, burst: 20 },
  });
  expect(await usage()).toMatchObject({
    calls: 0,
    included: 2,
    overage: 0,
    amount: '0.00',
    currency: 'EUR',
    lines: [],
  });
  for (let i = 0; i < 5; i++) await post('/v1/validate', JANE);
  await post('/v1/validate', { name: '' });
  const body = await usage();
  expect(body).toMatchObject({
    calls: 5,
    included: 2,
    overage: 3,
    amount: '0.02',
    currency: 'EUR',
    lines: [
      { plan: 'starter', version: 1, calls: 5, included: 2, overage: 3, price: '0.005', amount: '0.02' },
    ],
    limits: {
      plan: 'starter',
      overage: 'bill',
      rate: { calls: 10, seconds: 1, burst: 20 },
      concurrency: null,
    },
  });
  expect(v.is(USAGE, body)).toBe(true);
  expect(JSON.stringify(body)).not.toContain(account);
  const past = await usage('?month=2020-02');
  expect(past).toMatchObject({ month: '2020-02', calls: 0, overage: 0, limits: { quota: null } });
  expect(v.is(USAGE, past)).toBe(true);
  expect(await usage('?month=2020-2')).toMatchObject({ status: 422, errors: [{ code: 'invalid_month' }] });
});

test('operations and features outside the plan are forbidden, and count nothing', async () => {
  const { post, usage } = await planned({ included: 9, operations: ['validate'], features: [] });
  for (const [path, status] of [
    ['/v1/validate', 200],
    ['/v1/validate?ai=true', 403],
    ['/v1/validate/enhanced', 403],
  ] as const)
    expect((await post(path, JANE)).status).toBe(status);
  expect(await usage()).toMatchObject({ calls: 1 });
});

test('a feature outside the plan can be omitted by its flag', async () => {
  const { post } = await planned({ included: 9, features: ['name_matching'] });
  const off = { include_trust_enhancement: false, include_fraud_detection: false };
  const refused = await post('/v1/validate/enhanced', JANE);
  expect([refused.status, (await json(refused)).detail]).toEqual([
    403,
    expect.stringContaining('include_trust_enhancement'),
  ]);
  expect((await post('/v1/validate/enhanced', { ...JANE, ...off })).status).toBe(200);
});

test('the keys of a closed account are refused, and accepted again when it is reopened', async () => {
  const { post, app, account } = await planned({ included: 9 });
  closeAccount(app.store, account, Date.now());
  expect((await post('/v1/validate', JANE)).status).toBe(401);
  await endOfTurn();
  reopenAccount(app.store, account);
  expect((await post('/v1/validate', JANE)).status).toBe(200);
});
