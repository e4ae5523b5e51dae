import { expect, it, vi } from 'vitest';
import { openAccounts } from '../../../src/store/sqlite/billing/accounts.ts';
import { openPlans } from '../../../src/store/sqlite/billing/plans.ts';
import { createKey } from '../../../src/store/sqlite/keys.ts';
import { probesSince } from '../../../src/store/sqlite/probes/rows.ts';
import { freshApp, JANE, json } from '../../kit/app.ts';

it('a plan bounds checks with a name alone or one value, and the operator sees how a key asks', async () => {
  const test = await freshApp();
  const { store } = test.app;
  const now = Date.now();
  openPlans(store).create('starter', { included: 100, probes: 2 }, now - 1000);
  const account = openAccounts(store).create({ name: 'Shop', plan: 'starter' }, now - 1000).id;
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
  await vi.waitFor(
    () =>
      expect(probesSince(store.raw, now - 1)).toEqual([
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
    { timeout: 15_000, interval: 200 },
  );
  expect(test.everyByte()).not.toContain('Zq7x');
}, 30_000);
