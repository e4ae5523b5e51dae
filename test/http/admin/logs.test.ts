import { expect, test, vi } from 'vitest';
import { createCallBatchCommitter } from '../../../src/store/serving/ledger.ts';
import { listCalls } from '../../../src/store/call-log.ts';
import { toCallLogRow } from '../../../src/store/serving/writer-statements.ts';
import { createRequestId } from '../../../src/platform/request-id.ts';
import type { LoggedCall } from '../../../src/accounts/model.ts';
import { runHere } from '../../kit/cli.ts';
import { sampleCall } from '../../kit/call.ts';
import { JANE } from '../../kit/app.ts';
import { adminApp, allOf } from './kit.ts';

type App = Awaited<ReturnType<typeof adminApp>>;

/** Adds calls with these values to the call log, one minute apart. */
function called({ app }: App, kinds: Partial<LoggedCall>[], from = Date.now() - 3_600_000) {
  const commit = createCallBatchCommitter(app.store.raw, { notify: false });
  const calls = kinds.map((kind, i) => {
    const time = from + i * 60_000;
    // Request ids of one process never go back in time: for earlier calls only the part that sorts is
    // replaced.
    return sampleCall({
      time,
      requestId: `req_${createRequestId(0)
        .slice(4)
        .replace(/^.{10}/, base32(time))}`,
      ...kind,
    });
  });
  commit({ rows: calls.map(toCallLogRow), keys: [] }, Date.now);
  return calls.map(({ requestId }) => requestId);
}
const base32 = (time: number) =>
  Array.from(
    { length: 10 },
    (_, i) => '0123456789abcdefghjkmnpqrstvwxyz'[Math.floor(time / 32 ** (9 - i)) % 32],
  ).join('');

test('a call is found by its id, with outcome, key and account, and without what was submitted', async () => {
  const it = await adminApp();
  const made = await it.do('keys', { name: 'shop' });
  const sent = await it.send('/v1/validate', {
    method: 'POST',
    key: made.key,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(JANE),
  });
  const { request_id: id, trustworthiness_score: score } = JSON.parse(await sent.text());
  const found = await it.get(`requests/${id}`);
  expect(found).toMatchObject({ request_id: id, trustworthiness_score: score, key: made.id, account: null });
  const { items } = await it.get(`requests?key=${made.id}`);
  expect(items).toEqual([found]);
  expect(JSON.stringify(items)).not.toMatch(/jane|quimby|larch|5550134/i);
  expect(await it.refusal('GET', 'requests/req_0')).toMatchObject({
    status: 404,
    detail: 'There is no such request.',
  });
});

test('calls are listed newest first, by key, account, status and time', async () => {
  const it = await adminApp();
  const { id: key } = await it.do('keys', { name: 'shop' });
  const from = Date.now() - 3_600_000;
  const kinds = [
    { keyId: key },
    { band: 'HIGH' as const, verdict: null },
    { account: 'acc_x', test: true, verdict: 'no-record' as const },
    { keyId: key, band: 'LOW' as const },
  ];
  const [first, second, third, fourth] = called(it, kinds, from);
  const ids = async (query: string) =>
    (await it.get(`requests?${query}`)).items.map(({ request_id: id }: { request_id: string }) => id);
  expect(await ids('')).toEqual([fourth, third, second, first]);
  expect(await ids(`key=${key}`)).toEqual([fourth, first]);
  expect(await ids('status=HIGH')).toEqual([second]);
  expect(await ids('account=acc_x')).toEqual([third]);
  expect(await ids('verdict=no-record')).toEqual([third]);
  expect(await ids('verdict=verified')).toContain(second);
  expect(await ids('verdict=name-only')).toEqual([]);
  expect(await ids('endpoint=enhanced')).toEqual([]);
  expect(await ids('test=false')).toEqual([fourth, second, first]);
  const time = (minutes: number) => new Date(from + minutes * 60_000).toISOString();
  expect(await ids(`since=${time(1)}&before=${time(3)}`)).toEqual([third, second]);
  expect(await ids(`key=${key}&since=${time(1)}`)).toEqual([fourth]);
});

test('pages neither skip nor repeat calls while calls are added, with and without a key filter', async () => {
  const it = await adminApp();
  const { id: keyId } = await it.do('keys', { name: 'shop' });
  const ids = called(
    it,
    Array.from({ length: 9 }, (_, i) => ({ keyId: i % 3 === 0 ? 'key_other' : keyId })),
  );
  const read = async (query: string) => {
    const all = await allOf(it, `requests?limit=2${query}`, () => called(it, [{ keyId }], Date.now()));
    return all.map(({ request_id: id }) => id);
  };
  expect(await read('')).toEqual(ids.toReversed());
  const own = ids.filter((_, i) => i % 3 !== 0).toReversed();
  expect((await read(`&key=${keyId}`)).slice(-own.length)).toEqual(own);
});

test('a rare filter is answered in parts, and no call is missing', async () => {
  const it = await adminApp();
  const band = (i: number) => (i === 0 ? 'HIGH' : 'LOW') as 'HIGH' | 'LOW';
  const kinds = Array.from({ length: 20_010 }, (_, i) => ({ band: band(i) }));
  const [oldest] = called(it, kinds, Date.now() - 20_010 * 60_000);
  const { calls, reached } = listCalls(it.app.store, { status: 'HIGH', limit: 2 });
  expect([calls, reached === null]).toEqual([[], false]);
  expect(await allOf(it, 'requests?status=HIGH')).toMatchObject([{ request_id: oldest }]);
});

test('the audit log is that of the command line, and each entry names the key that did it', async () => {
  const it = await adminApp();
  const run = async (...args: string[]) =>
    JSON.parse((await runHere([...args, '--data-dir', it.folder, '--json'])).stdout);
  const { id } = await it.do('keys', { name: 'shop' });
  await it.do('plans', { id: 'p' });
  const { id: brief, expires } = await it.do('keys', { name: 'brief', expires: '2099-01-02T03:04:05.000Z' });
  expect((await it.get(`audit?target=${brief}`)).items).toMatchObject([{ detail: { expires } }]);
  await it.do('features/name_matching/off');
  await it.do(`keys/${id}/revoke`);
  const { items } = await it.get('audit?limit=3');
  expect(items).toEqual((await run('audit', 'show')).slice(0, 3));
  expect(items.map(({ act, actor }: Record<string, string>) => [act, actor])).toEqual([
    ['keys.revoke', it.admin.id],
    ['features.off', it.admin.id],
    ['keys.create', it.admin.id],
  ]);
  const all = (await allOf(it, 'audit?limit=2', () => it.do('keys', { name: 'more' }))).map(({ seq }) =>
    Number(seq),
  );
  expect(all.toSorted((a, b) => b - a)).toEqual(all);
  expect(all.slice(-7)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  expect((await it.get(`audit?act=keys.revoke&target=${id}`)).items).toHaveLength(1);
  const { head } = await run('audit', 'verify');
  expect(await it.get(`audit/verify?head=${head}`)).toMatchObject({ head, broken: null, known: true });
  expect(await it.refusal('GET', 'audit/verify?head=junk')).toMatchObject({
    status: 422,
    errors: [{ pointer: '', code: 'invalid_head' }],
  });
});

/** Waits until so many refused calls are in the log, and returns them, oldest first. */
const refused = (it: App, count: number, query = '') =>
  vi.waitFor(
    async () => {
      const { items } = await it.get(`refusals?limit=200${query}`);
      expect(items.length).toBeGreaterThanOrEqual(count);
      return items.toReversed() as Record<string, unknown>[];
    },
    { timeout: 120_000, interval: 100 },
  );

test('a refused call is found by its id, with code, rule, key and account, and without what was submitted', async () => {
  const it = await adminApp();
  const account = await it.do('accounts', { name: 'Large Shop' });
  const shop = await it.do('keys', { name: 'shop', account: account.id });
  const old = await it.do('keys', { name: 'old shop' });
  await it.do(`keys/${old.id}/revoke`);
  const ask = async (key: string | null, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', key, headers, body: JSON.stringify(body) };
    return (await it.send('/v1/validate', init)).headers.get('x-request-id');
  };
  const ids = [
    await ask(null, JANE),
    await ask(old.key, JANE),
    await ask(`${old.key.slice(0, -1)}_`, JANE),
    await ask(shop.key, { ...JANE, operation: 'raw' }),
    await ask(shop.key, { name: 'Jane Quimby', emails: ['not-an-address'], jane_quimby: 1 }),
  ];
  const items = await refused(it, ids.length);
  expect(items.map(({ request_id: id }) => id)).toEqual(ids);
  expect(items.map(({ status, code, rule, key_name: name }) => [status, code, rule, name])).toEqual([
    [401, 'missing_api_key', null, null],
    [401, 'invalid_api_key', `${old.id} is revoked`, 'old shop'],
    [401, 'invalid_api_key', 'malformed key', null],
    [403, 'forbidden', 'scope raw', 'shop'],
    [422, 'invalid_request', 'unknown_field, /emails/0 invalid_email', 'shop'],
  ]);
  expect(items[4]).toMatchObject({
    key: shop.id,
    account: account.id,
    account_name: 'Large Shop',
    endpoint: '/v1/validate',
    test: false,
    more: 0,
  });
  expect(JSON.stringify(items)).not.toMatch(/jane|quimby|not-an/i);
  expect((await it.get(`refusals/${ids[3]}`)).refusal).toEqual(items[3]);
  const list = async (query: string) => (await it.get(`refusals?${query}`)).items.length;
  expect(await list('key=shop')).toBe(2);
  expect(await list(`account=${account.id}&status=403`)).toBe(1);
  expect(await list('endpoint=/v1/usage')).toBe(0);
  expect(await it.get(`requests?account=${account.id}`)).toEqual({ items: [], next: null });
  const { stdout } = await runHere(['requests', 'show', String(ids[3]), '--data-dir', it.folder]);
  expect(stdout).toMatch(/refused[\s\S]*403[\s\S]*forbidden[\s\S]*scope raw[\s\S]*shop/);
});

test('a call of a flood is answered from the count of its minute, and an unknown id is not found', async () => {
  const it = await adminApp();
  const ids: string[] = [];
  for (let i = 0; i < 40; i++)
    ids.push((await it.send('/v1/usage', { key: null })).headers.get('x-request-id') ?? '');
  const items = await refused(it, 11);
  expect(items.reduce((sum, { more }) => sum + 1 + Number(more), 0)).toBe(40);
  const found = await it.get(`refusals/${ids[20]}`);
  expect(found).toMatchObject({ refusal: null, counted: [{ code: 'missing_api_key' }] });
  expect(await it.refusal('GET', 'refusals/req_0')).toMatchObject({ status: 404 });
});
