import { expect, it, vi } from 'vitest';
import { createAccount } from '../../../src/store/accounts.ts';
import { createPlan } from '../../../src/store/plans.ts';
import { createKey } from '../../../src/store/keys.ts';
import { listSuspiciousCheckSumsSince } from '../../../src/store/serving/writer-statements.ts';
import { freshApp, JANE, json } from '../../kit/app.ts';

it('a plan limits checks with a name alone or one value, and the operator sees the probes of a key', async () => {
  const test = await freshApp();
  const { store } = test.app;
  const now = Date.now();
  createPlan(store, 'starter', { included: 100, probes: 2 }, now - 1000);
  const account = createAccount(store, { name: 'Shop', plan: 'starter' }, now - 1000).id;
  const { key, info } = createKey(store, { name: 'shop', scopes: ['validate'], account }, now);
  const headers = { 'content-type': 'application/json' };
  const check = (body: object) =>
    test.send('/v1/validate', { key, method: 'POST', body: JSON.stringify(body), headers });
  const probes = [
    { name: 'Ann Zq7x' },
    { name: 'Bo Zq7x', phones: ['+1 415 555 0199'] },
    { name: 'Cy Zq7x' },
  ];
  const answers = [];
  for (const probe of probes) answers.push(await check(probe));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect((await json(answers[2] as Response)).code).toBe('rate_limited');
  expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(1500);
  expect((await check(JANE)).status).toBe(200);
  expect((await check({ name: 'Di Zq7x' })).status).toBe(429);
  const warnings = test
    .logged()
    .split('\n')
    .filter((line) => line.includes('probes of its plan are used up'));
  expect(warnings.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 'warn',
      request_id: answers[2]?.headers.get('x-request-id'),
      message: expect.stringContaining(info.id),
    },
  ]);
  const figures = await (await test.send('/metrics', { key: null })).text();
  const counted = Array.from(
    figures.matchAll(/^bonafide_(?:probes|keys_sus)\w+(?:\{\w+="(\w+)"\})? (\d+)$/gm),
    ([, kind, value]) => `${kind ?? 'refused'} ${value}`,
  );
  expect(counted).toEqual([
    'checks 3',
    'name_only 1',
    'one_value 1',
    'without_record 2',
    'different 2',
    'in_runs 0',
    'refused 2',
    'look 0',
    'harvesting 0',
  ]);
  await vi.waitFor(
    () =>
      expect(listSuspiciousCheckSumsSince(store.raw, now - 1)).toEqual([
        {
          key: info.id,
          checks: 3,
          nameOnly: 1,
          oneValue: 1,
          withoutRecord: 2,
          fresh: 2,
          runs: 0,
        },
      ]),
    { timeout: 120_000, interval: 200 },
  );
  expect(test.everyByte() + test.logged()).not.toContain('Zq7x');
});

it('a key that enumerates names is reported, and a test key is not counted', async () => {
  const test = await freshApp();
  const { store } = test.app;
  const headers = { 'content-type': 'application/json' };
  const keys = [{}, { test: true }].map(
    (kind) => createKey(store, { name: 'x', scopes: ['validate'], ...kind }, Date.now()).key,
  );
  for (const key of keys)
    for (let i = 0; i < 110; i++) {
      const body = JSON.stringify({
        name: `Ann Walker${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}`,
      });
      await test.send('/v1/validate', { key, method: 'POST', body, headers });
    }
  const figures = async () => (await test.send('/metrics', { key: null })).text();
  await vi.waitFor(
    async () => expect(await figures()).toContain('bonafide_keys_suspected{suspicion="harvesting"} 1'),
    {
      timeout: 120_000,
      interval: 200,
    },
  );
  expect(await figures()).toContain('bonafide_probes_total{kind="name_only"} 110');
});
