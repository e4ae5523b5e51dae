import { describe, expect, it } from 'vitest';
import type { PlanTermsInput } from '../../../src/accounts/billing/terms.ts';
import { createAccount } from '../../../src/store/accounts.ts';
import { createPlan } from '../../../src/store/plans.ts';
import { createKey } from '../../../src/store/keys.ts';
import { freshApp, JANE, json } from '../../kit/app.ts';

/** Returns an app with a key of an account with these plan terms. */
async function planned(terms: Partial<PlanTermsInput>) {
  const test = await freshApp();
  const { store } = test.app;
  const now = Date.now();
  createPlan(store, 'starter', terms, now - 1000);
  const account = createAccount(store, { name: 'Shop', plan: 'starter' }, now - 1000).id;
  const { key } = createKey(store, { name: 'shop', scopes: ['validate'], account }, now);
  const headers = { 'content-type': 'application/json' };
  const check = (body: object = JANE) =>
    test.send('/v1/validate', { key, method: 'POST', body: JSON.stringify(body), headers });
  return { ...test, key, check };
}
const told = ({ headers }: Response) => [headers.get('ratelimit-policy'), headers.get('ratelimit')];

describe('the limits in an authenticated answer', () => {
  it('of a key without a plan are the calls in flight', async () => {
    const test = await freshApp();
    const policy = '"in-flight";q=256;qu="concurrent-requests"';
    expect(told(await test.post('/v1/validate', JANE))).toEqual([policy, '"in-flight";r=255']);
    expect(told(await test.post('/v1/validate', { name: '' }))).toEqual([policy, '"in-flight";r=255']);
    expect(told(await test.send('/v1/usage'))).toEqual([policy, '"in-flight";r=256']);
    expect(told(await test.send('/v1/requests/req_x'))[0]).toBe(policy);
    expect(told(await test.send('/v1/usage', { key: null }))).toEqual([null, null]);
    expect(told(await test.send('/healthz'))).toEqual([null, null]);
  });

  it('are shown to a foreign page with a key too, but not without authentication or from a refused address', async () => {
    const test = await freshApp();
    const foreign = await test.post('/mcp', {}, { origin: 'https://evil.example' });
    expect([foreign.status, told(foreign)[1]]).toEqual([403, '"in-flight";r=256']);
    const bound = { name: 'bound', scopes: ['validate' as const], allowedAddresses: '192.0.2.0/24' };
    const { key } = createKey(test.app.store, bound, Date.now());
    const without = {
      404: await test.send('/v1/nowhere'),
      405: await test.send('/v1/validate', { method: 'PUT' }),
      403: await test.send('/v1/usage', { key }),
      200: await test.send('/metrics', { key: test.key(['metrics']) }),
    };
    for (const [status, answer] of Object.entries(without))
      expect([answer.status, ...told(answer)]).toEqual([Number(status), null, null]);
  });

  it('of a key with a plan are rate, quota and calls in flight, in this order', async () => {
    const test = await planned({
      included: 100,
      rate: { calls: 60, seconds: 60, burst: 10 },
      concurrency: 8,
    });
    await test.check();
    const [policy, limit] = told(await test.check());
    expect(policy).toMatch(
      /^"rate";q=10;w=10, "quota";q=100;w=\d+, "in-flight";q=8;qu="concurrent-requests"$/,
    );
    expect(limit).toMatch(/^"rate";r=[89];t=\d, "quota";r=98;t=\d+, "in-flight";r=7$/);
    expect(told(await test.send('/v1/usage', { key: test.key }))[1]).toMatch(/"quota";r=98/);
    expect(told(await test.check({ name: '' }))[1]).toMatch(/^"rate";r=[78];t=\d, "quota";r=98/);
  });
});

describe('the rate of a plan', () => {
  it('counts refused checks too, the quota never does', async () => {
    const rate = { calls: 1, seconds: 60, burst: 4 };
    const test = await planned({ included: 1, overage: 'block', rate, operations: ['validate'], probes: 0 });
    const raw = { ...JANE, operation: 'raw' };
    const answers = [];
    for (const body of [{ name: '' }, raw, { name: 'Jane Quimby' }]) answers.push(await test.check(body));
    expect(answers.map(({ status }) => status)).toEqual([422, 403, 429]);
    const left = answers.map((answer) => /"rate";r=(\d), |"rate";r=(\d);/.exec(told(answer)[1] ?? '')?.[2]);
    expect(left).toEqual(['3', '2', '1']);
    expect((await json(answers[2] as Response)).detail).toMatch(/counts against the plan's rate/);
    expect(told(answers[2] as Response)[1]).toContain('"quota";r=1');
    expect((await test.check()).status).toBe(200);
    const beyond = await json(test.check());
    expect(beyond.code).toBe('rate_limited');
  });

  it('beyond its limit is 429 rate_limited with Retry-After; nothing is counted, and look-ups pass', async () => {
    const test = await planned({ included: 100, rate: { calls: 1, seconds: 60, burst: 2 } });
    const answers = await Promise.all([test.check(), test.check(), test.check(), test.check()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429]);
    const refused = answers.find(({ status }) => status === 429) as Response;
    const after = Number(refused.headers.get('retry-after'));
    expect([after > 50 && after <= 60, (await json(refused)).code]).toEqual([true, 'rate_limited']);
    expect(told(refused)[1]).toContain(`"rate";r=0;t=${after}`);
    const usage = await test.send('/v1/usage', { key: test.key });
    expect([usage.status, (await json(usage)).calls]).toEqual([200, 2]);
  });
});
