// One thread writes all records that arrive over HTTP at any worker, and the next check at any other worker sees them.
import { expect, it } from 'vitest';
import { createKey } from '../../../src/store/keys.ts';
import { openSqliteStore, getStoreFile } from '../../../src/store/sqlite/open.ts';
import { JANE } from '../../kit/app.ts';
import { startWorkers } from './kit.ts';

const TIMES = Array.from({ length: 20 }, (_, i) => i);

function operatorOf(folder: string): string {
  const store = openSqliteStore({ file: getStoreFile(folder) });
  const { key } = createKey(store, { name: 'operator', scopes: ['admin', 'validate'] }, Date.now());
  store.close();
  return key;
}

it('what is put at one worker is seen by the next check at any, and nothing is lost', async () => {
  const server = await startWorkers();
  const headers = { 'x-api-key': operatorOf(server.folder), connection: 'close' };
  const send = async (path: string, type: string, body: string) => {
    const sent = { method: 'POST', headers: { ...headers, 'content-type': type }, body };
    return (await (await fetch(server.url + path, sent)).json()) as Record<string, any>;
  };
  const put = (record: object) =>
    send('/admin/v1/records?source=crm', 'application/x-ndjson', JSON.stringify(record));
  const statusOf = async (email: string) => {
    const body = JSON.stringify({ ...JANE, emails: [email] });
    const { input_validation } = await send('/v1/validate', 'application/json', body);
    return input_validation.email.match_status as string;
  };
  for (const i of TIMES) {
    const email = `jane.${i}@example.net`;
    expect(
      await put({ record_id: '1', name: JANE.name, phones: JANE.phones, emails: [email] }),
    ).toMatchObject({
      put: 1,
      linked: true,
    });
    expect(await statusOf(email)).toMatch(/Match/);
  }
  const all = await Promise.all(TIMES.map((i) => put({ record_id: `n${i}`, name: `Oda Thorvald ${i}` })));
  expect(all.every(({ put, linked }) => put === 1 && linked)).toBe(true);
  expect(
    await put({ record_id: 'n1', name: 'Oda Thorvald 1', birth_date: '2099-01-02', last_seen: '2098' }),
  ).toMatchObject({
    put: 1,
    left_out: [
      { line: 1, reason: 'last_seen is in the future' },
      { line: 1, reason: 'birth_date is in the future' },
    ],
  });
  const fed = await fetch(`${server.url}/admin/v1/records?source=crm`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-ndjson' },
    body: JSON.stringify({ record_id: '1', name: JANE.name, emails: ['jane.last@example.net'] }),
  });
  const revision = fed.headers.get('bonafide-revision') ?? '';
  expect(revision).toMatch(/^\d+$/);
  const check = (sent: string) =>
    fetch(`${server.url}/v1/validate`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'bonafide-revision': sent },
      body: JSON.stringify({ ...JANE, emails: ['jane.last@example.net'] }),
    });
  expect([(await check(revision)).status, (await check('latest')).status]).toEqual([200, 422]);
  const graph = await (await fetch(`${server.url}/admin/v1/graph`, { headers })).json();
  expect(graph).toMatchObject({ records: 2 + TIMES.length, unlinked: 0 });
});
