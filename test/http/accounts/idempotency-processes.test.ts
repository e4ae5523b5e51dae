// Idempotency of two server processes over one data folder.
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { importPeople, JANE } from '../../kit/app.ts';
import { freshFolder } from '../../kit/folder.ts';
import { startServer } from '../../kit/server.ts';
import { createKey } from '../../../src/store/keys.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';

async function world() {
  const folder = freshFolder();
  await importPeople(folder);
  const store = openSqliteStore({ file: `${folder}/store.db` });
  const { key } = createKey(store, { name: 'test', scopes: ['validate'] }, Date.now());
  store.close();
  const post = async (url: string, retry: string, body: object = JANE) => {
    const answer = await fetch(`${url}/v1/validate`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': retry },
      body: JSON.stringify(body),
    });
    const { request_id: id } = (await answer.json()) as { request_id: string };
    return { status: answer.status, id };
  };
  const counted = () => {
    const db = new Database(`${folder}/store.db`, { readonly: true });
    const calls = db.prepare('SELECT ifnull(sum(calls), 0) FROM usage').pluck().get();
    db.close();
    return calls;
  };
  return { folder, post, counted };
}

it('a retry on another server over the same folder counts once, also at the same time', async () => {
  const { folder, post, counted } = await world();
  const servers = await Promise.all([startServer(folder), startServer(folder)]);
  const keys = Array.from({ length: 40 }, (_, i) => `key ${i}`);
  const answers = await Promise.all(
    keys.flatMap((key) => servers.flatMap(({ url }) => [post(url, key), post(url, key)])),
  );
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  const final = await Promise.all(
    keys.map(async (key) => Promise.all(servers.map(async ({ url }) => post(url, key)))),
  );
  for (const both of final) {
    const told = both.filter(({ status }) => status !== 409);
    expect(told.filter(({ status }) => status !== 200)).toEqual([]);
    expect(new Set(told.map(({ id }) => id)).size).toBeLessThanOrEqual(1);
  }
  expect(counted()).toBe(40);
  const other = await post(servers[1]!.url, 'key 0', { name: 'Jane Quimby' });
  expect(other.status).toBe(422);
});

it('a retry after kill -9 and a restart has the id of the counted call, and counts nothing', async () => {
  const { folder, post, counted } = await world();
  const first = await startServer(folder);
  const before = await Promise.all(Array.from({ length: 30 }, (_, i) => post(first.url, `key ${i}`)));
  const inFlight = Array.from({ length: 200 }, (_, i) => post(first.url, `late ${i}`).catch(() => null));
  await Promise.race(inFlight);
  first.process.kill('SIGKILL');
  await first.ended;
  const answered = await Promise.all(inFlight);
  const second = await startServer(folder);
  for (const [i, { id }] of before.entries())
    expect(await post(second.url, `key ${i}`)).toEqual({ status: 200, id });
  const again = await Promise.all(answered.map((_, i) => post(second.url, `late ${i}`)));
  // A call that the killed process had begun counts as in progress for some seconds.
  expect(again.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
  const pairs = answered.map((answer, i) => [answer, again[i]]).filter(([answer]) => answer?.status === 200);
  for (const [answer, other] of pairs) expect(other).toEqual(answer);
  expect(counted()).toBeLessThanOrEqual(230);
  expect(counted()).toBeGreaterThanOrEqual(30 + answered.filter((answer) => answer?.status === 200).length);
});
