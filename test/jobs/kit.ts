// Requests about jobs, for the tests of jobs.
import { expect, vi } from 'vitest';
import type { PlanTermsInput } from '../../src/accounts/billing/terms.ts';
import { createAccount } from '../../src/store/accounts.ts';
import { createKey } from '../../src/store/keys.ts';
import { createPlan } from '../../src/store/plans.ts';
import { json, type TestApp } from '../kit/app.ts';

let plans = 0;

/** Returns a function that returns an app (by default that of `open`) with the key of a new account, which has these plan terms. */
export const shopOf =
  (open: () => Promise<TestApp>) =>
  async (terms: Partial<PlanTermsInput> = {}, test?: TestApp) => {
    test ??= await open();
    const { store } = test.app;
    const plan = `starter-${++plans}`;
    createPlan(store, plan, terms, Date.now() - 1000);
    const account = createAccount(store, { name: 'Shop', plan }, Date.now() - 1000).id;
    const made = createKey(store, { name: 'shop', scopes: ['validate'], account }, Date.now());
    return { ...test, account, usual: made.key, keyId: made.info.id, ...callsOf(test, made.key) };
  };

/** Returns the requests about jobs, with one key. */
export function callsOf({ send }: Pick<TestApp, 'send'>, key: string) {
  const create = (
    body: unknown,
    { query = '', type = 'application/json', headers = {} as Record<string, string> } = {},
  ) =>
    send(`/v1/jobs${query}`, {
      key,
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': type, ...headers },
    });
  const show = (id: string) => json(send(`/v1/jobs/${id}`, { key }));
  const end = async (id: string) =>
    vi.waitFor(async () => {
      const job = await show(id);
      expect(job.ended_at ?? null).not.toBeNull();
      return job;
    }, 120_000);
  const results = async (id: string) =>
    (await (await send(`/v1/jobs/${id}/results`, { key })).text())
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const usage = async () => (await json(send('/v1/usage', { key }))).calls as number;
  return { create, show, end, results, usage };
}
