// Two servers over one PostgreSQL: counts and limits are exact over both, and survive the end of each part.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createAccount } from '../../../src/store/accounts.ts';
import { createPlan } from '../../../src/store/plans.ts';
import { createKey } from '../../../src/store/keys.ts';
import { openPostgresStore } from '../../../src/store/postgres/open.ts';
import { importPeople, JANE } from '../../kit/app.ts';
import { freshFolder } from '../../kit/folder.ts';
import { isWithoutPostgres } from '../../kit/graphs/postgres.ts';
import { HAS_POSTGRES, startPostgres } from '../../kit/programs/postgres.ts';
import type { Postgres } from '../../kit/programs/postgres.ts';
import { startLauncher } from '../../kit/server.ts';
import { getLauncher } from '../../kit/programs/launcher.ts';

let postgres: Postgres;
beforeAll(async () => {
  if (!HAS_POSTGRES) return;
  postgres = await startPostgres();
});
afterAll(() => postgres?.close());

/** Returns a store, servers over it, and keys, with a plan if terms are given. */
async function world() {
  const folder = freshFolder();
  await importPeople(folder);
  const url = await postgres.database();
  const store = openPostgresStore(url);
  onTestFinished(() => store.close());
  const past = Date.now() - 1000;
  const server = () =>
    startLauncher(getLauncher(), ['--data-dir', folder], { env: { BONAFIDE_STORE: `url=${url}` } });
  /** Returns checks with a key of a plan. */
  const checksOf = (plan?: string, terms: Record<string, unknown> = {}) => {
    let account: string | null = null;
    if (plan) {
      createPlan(store, plan, terms, past);
      account = createAccount(store, { name: 'Shop', plan }, past).id;
    }
    const { key } = createKey(store, { name: 'shop', scopes: ['validate'], account }, past);
    return async (base: string, more: Record<string, string> = {}) => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json', ...more };
      const answer = await fetch(`${base}/v1/validate`, {
        method: 'POST',
        headers,
        body: JSON.stringify(JANE),
      });
      const body = await answer.text();
      return { status: answer.status, headers: answer.headers, id: answer.headers.get('x-request-id'), body };
    };
  };
  const count = (sql: string) => Number(store.raw.prepare<[], number>(sql).pluck().get());
  return { store, server, checksOf, count };
}

const statuses = (told: { status: number }[], wanted: number) =>
  told.filter(({ status }) => status === wanted).length;

describe.skipIf(isWithoutPostgres('two servers over one store'))('two servers over one PostgreSQL', () => {
  it('share limits: one remaining call goes to one of a thousand requests, and rates and Idempotency-Keys hold over both', async () => {
    const { server, checksOf, count } = await world();
    const [one, two] = await Promise.all([server(), server()]);
    const at = (i: number) => (i % 2 === 0 ? one : two).url;
    const last = checksOf('last', { included: 1, overage: 'block' });
    const told = [];
    // As many at a time as the servers allow for a key.
    for (let wave = 0; wave < 4; wave++)
      told.push(...(await Promise.all(Array.from({ length: 250 }, (_, i) => last(at(i))))));
    expect([statuses(told, 200), statuses(told, 429)]).toEqual([1, 999]);
    expect([count('SELECT count(*) FROM calls'), count('SELECT sum(calls) FROM usage')]).toEqual([1, 1]);
    expect(count('SELECT sum(calls) FROM account_usage')).toBe(1);

    const rated = checksOf('rated', { included: 1000, rate: { calls: 1, seconds: 3600, burst: 20 } });
    const first = await rated(one.url, { 'idempotency-key': 'order-1' });
    const again = await rated(two.url, { 'idempotency-key': 'order-1' });
    expect([first.status, again.status]).toEqual([200, 200]);
    expect([again.id, again.body]).toEqual([first.id, first.body]);
    const many = await Promise.all(Array.from({ length: 60 }, (_, i) => rated(at(i))));
    expect([statuses(many, 200), statuses(many, 429)]).toEqual([18, 42]);
    expect(count('SELECT count(*) FROM calls')).toBe(1 + 19);
  });

  it('lose no call and count none twice when a server, and then PostgreSQL, is killed', async () => {
    const { server, checksOf, count } = await world();
    const check = checksOf();
    const [one, two] = await Promise.all([server(), server()]);
    let acknowledged = 0;
    const unavailable: Response['headers'][] = [];
    const load = { running: true };
    const loadOn = (base: string) =>
      Promise.all(
        Array.from({ length: 4 }, async () => {
          while (load.running) {
            const told = await check(base).catch(() => null);
            if (told?.status === 200) acknowledged++;
            else if (told?.status === 503) unavailable.push(told.headers);
            else if (told) throw new Error(`status ${told.status}: ${told.body}`);
            else return;
            if (told.status !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
          }
        }),
      );
    const loads = [loadOn(one.url), loadOn(two.url)];
    const until = async (reached: () => boolean) => {
      await expect.poll(reached).toBe(true);
    };
    await until(() => acknowledged > 100);
    one.process.kill('SIGKILL');
    const before = acknowledged;
    await until(() => acknowledged > before + 50);
    await postgres.kill();
    const ready = async () => (await fetch(`${two.url}/readyz`)).status;
    await expect.poll(ready).toBe(503);
    await postgres.start();
    await expect.poll(ready).toBe(200);
    // A server that is ready refuses no check, on any of its connections.
    const many = await Promise.all(Array.from({ length: 50 }, () => check(two.url)));
    expect(statuses(many, 200)).toBe(50);
    acknowledged += 50;
    const after = acknowledged;
    await until(() => acknowledged > after + 50);
    load.running = false;
    await Promise.all(loads);
    // A restarted server continues with the same store.
    const three = await server();
    if ((await check(three.url)).status === 200) acknowledged++;
    // Calls in progress at the kill of a server or of PostgreSQL may be stored although their callers got no
    // answer.
    const kept = await rowsAfter(() => count('SELECT count(*) FROM calls'));
    expect(kept).toBeGreaterThanOrEqual(acknowledged);
    expect(kept).toBeLessThanOrEqual(acknowledged + 8);
    expect(count('SELECT sum(calls) FROM usage')).toBe(kept);
    expect(unavailable.every((headers) => headers.get('retry-after') !== null)).toBe(true);
  });
});

/** Counts rows after PostgreSQL was restarted: the first query finds that the store's connection was lost. */
async function rowsAfter(ask: () => number): Promise<number> {
  try {
    return ask();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 500));
    return ask();
  }
}
