// Two servers on one data folder: a quota is exact across both servers, also if they are killed.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createAccount } from '../../../src/store/accounts.ts';
import { createPlan } from '../../../src/store/plans.ts';
import { listAccountUsage } from '../../../src/store/usage.ts';
import { createKey } from '../../../src/store/keys.ts';
import { openSqliteStore, getStoreFile } from '../../../src/store/sqlite/open.ts';
import { importPeople, JANE } from '../../kit/app.ts';
import { freshFolder } from '../../kit/folder.ts';
import { startServer } from '../../kit/server.ts';
import type { Server } from '../../kit/server.ts';

/** The test starts and kills servers on a machine that may be busy. */

async function folderWith(terms: object) {
  const folder = freshFolder();
  await importPeople(folder);
  const store = openSqliteStore({ file: getStoreFile(folder) });
  const now = Date.now();
  createPlan(store, 'starter', terms, now);
  const account = createAccount(store, { name: 'Shop', plan: 'starter' }, now).id;
  const { key } = createKey(store, { name: 'shop', scopes: ['validate'], account }, now);
  store.close();
  return { folder, key };
}

/**
 * Returns the calls that the store counted for all accounts in all months, and the number of rows of the call
 * log.
 */
function countedIn(folder: string) {
  const store = openSqliteStore({ file: getStoreFile(folder) });
  const months = store.raw.prepare<[], string>('SELECT DISTINCT month FROM account_usage').pluck().all();
  const usage = months.flatMap((month) => listAccountUsage(store, { month }));
  const rows = store.raw.prepare<[], number>('SELECT count(*) FROM calls').pluck().get();
  store.close();
  return { calls: usage.reduce((sum, { calls }) => sum + calls, 0), rows };
}

const BODY = JSON.stringify(JANE);
async function ask({ url }: Server, key: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  const response = await fetch(`${url}/v1/validate`, { method: 'POST', headers, body: BODY });
  await response.arrayBuffer();
  return response.status;
}

test('one call left and a thousand at once on two servers: exactly one is answered', async () => {
  const { folder, key } = await folderWith({ included: 1, overage: 'block' });
  const servers = await Promise.all([startServer(folder), startServer(folder)]);
  const statuses: number[] = [];
  for (let wave = 0; wave < 4; wave++)
    statuses.push(
      ...(await Promise.all(
        servers.flatMap((server) => Array.from({ length: 125 }, () => ask(server, key))),
      )),
    );
  expect(statuses).toHaveLength(1000);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(countedIn(folder)).toEqual({ calls: 1, rows: 1 });
});

test('two hundred callers on two servers that are killed: usage is the answers seen, and at most those in flight at a kill', async () => {
  const { folder, key } = await folderWith({ included: 100, price: '0.01' });
  const places = await Promise.all(
    [1, 2].map(async () => ({ server: await startServer(folder), inFlight: 0 })),
  );
  const seen = { answered: 0, lost: 0 };
  const load = { on: true };
  const caller = async (place: { server: Server; inFlight: number }) => {
    while (load.on) {
      place.inFlight++;
      const status = await ask(place.server, key).catch(() => null);
      place.inFlight--;
      if (status === 200) seen.answered++;
      // The server of this call was killed.
      if (status === null) await pause(20);
    }
  };
  const callers = places.flatMap((place) => Array.from({ length: 100 }, () => caller(place)));
  for (const place of places) {
    const before = seen.answered;
    while (seen.answered < before + 100) await pause(5);
    place.server.process.kill('SIGKILL');
    seen.lost += place.inFlight;
    await place.server.ended;
    place.server = await startServer(folder);
  }
  load.on = false;
  await Promise.all(callers);
  const { calls, rows } = countedIn(folder);
  expect(calls).toBe(rows);
  expect(calls).toBeGreaterThanOrEqual(seen.answered);
  expect(calls).toBeLessThanOrEqual(seen.answered + seen.lost);
});
