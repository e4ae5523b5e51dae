// Limits of two server processes over one data folder.
import { expect, it } from 'vitest';
import { createAccount } from '../../../src/store/accounts.ts';
import { createPlan } from '../../../src/store/plans.ts';
import { createKey } from '../../../src/store/keys.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import { importPeople, JANE } from '../../kit/app.ts';
import { freshFolder } from '../../kit/folder.ts';
import { startServer } from '../../kit/server.ts';

it('the rate limit of a plan is exact over two servers, and survives a kill -9', async () => {
  const folder = freshFolder();
  await importPeople(folder);
  const store = openSqliteStore({ file: `${folder}/store.db` });
  const past = Date.now() - 1000;
  createPlan(store, 'starter', { included: 1000, rate: { calls: 1, seconds: 3600, burst: 20 } }, past);
  const account = createAccount(store, { name: 'Shop', plan: 'starter' }, past).id;
  const { key } = createKey(store, { name: 'shop', scopes: ['validate'], account }, past);
  store.close();
  const check = async (url: string) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(JANE) };
    const answer = await fetch(`${url}/v1/validate`, init);
    await answer.text();
    return answer.status;
  };
  const servers = await Promise.all([startServer(folder), startServer(folder)]);
  const told = await Promise.all(Array.from({ length: 60 }, (_, i) => check(servers[i % 2]?.url ?? '')));
  expect(told.filter((status) => status === 200)).toHaveLength(20);
  expect(told.filter((status) => status === 429)).toHaveLength(40);
  servers[0]?.process.kill('SIGKILL');
  await servers[0]?.ended;
  const { url } = await startServer(folder);
  expect(await Promise.all([check(url), check(servers[1]?.url ?? '')])).toEqual([429, 429]);
});
