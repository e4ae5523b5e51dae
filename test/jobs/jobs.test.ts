import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { loadOrCreateSecret } from '../../src/graph/encryption/secret.ts';
import type { RecordStoringGraph } from '../../src/graph/graph.ts';
import { createJobCipher } from '../../src/jobs/job.ts';
import { createWatchAndJobEraser } from '../../src/watches/forget.ts';
import { closeAccount, createAccount } from '../../src/store/accounts.ts';
import { createKey, revokeKey, rotateKey } from '../../src/store/keys.ts';
import { listEvents } from '../../src/store/events/events.ts';
import { freshApp, JANE, json, keyOfAccount, sharedApp } from '../kit/app.ts';
import { callsOf, shopOf } from './kit.ts';

const BEN = { name: 'Robert Vandermeer', emails: ['rob.vandermeer@example.org'], reference: 'r-2' };

const openShop = shopOf(sharedApp());

describe('a job', () => {
  it('answers each line in the order of the file as the check does, and counts each once', async () => {
    const { app, account, create, end, results, usage, send, post, usual: key } = await openShop();
    const answer = await create({ requests: [JANE, { name: '' }, BEN, 7] });
    expect(answer.status).toBe(202);
    const job = await json(answer);
    expect(job).toMatchObject({ state: 'queued', total: 4, done: 0, failed: 0, left: 4 });
    expect(Date.parse(job.created_at)).toBeGreaterThan(Date.now() - 10_000);
    expect(await end(job.job_id)).toMatchObject({
      state: 'finished',
      done: 4,
      failed: 2,
      left: 0,
      problem: null,
    });
    const [jane, empty, ben, seven, ...more] = await results(job.job_id);
    expect(more).toEqual([]);
    expect(Object.keys(jane)).toEqual(['line', 'reference', 'status', 'answer']);
    expect([jane.line, jane.reference, jane.status]).toEqual([1, null, 200]);
    expect([ben.line, ben.reference, ben.answer.status]).toEqual([3, 'r-2', 'MEDIUM']);
    expect(empty).toMatchObject({
      line: 2,
      status: 422,
      problem: { code: 'invalid_request', errors: [{ pointer: '/name' }] },
    });
    expect(seven).toMatchObject({ line: 4, status: 422, problem: { type: '/problems/invalid_request' } });
    const { request_id: _, history: __, ...single } = await json(post('/v1/validate', JANE));
    expect(jane.answer).toMatchObject(single);
    expect(await usage()).toBe(2);
    const [event] = listEvents(app.store.raw, { owner: account, after: null, limit: 10 }).events;
    expect(event).toMatchObject({ type: 'job.finished', job_id: job.job_id, state: 'finished', done: 4 });
    const path = `/v1/requests/${jane.answer.request_id}`;
    expect((await send(path, { key })).status).toBe(200);
    expect((await send(path)).status).toBe(404);
  });

  it('is a table too, whose cells are no formulas', async () => {
    const { create, end, send, usual: key } = await openShop();
    const csv = 'Customer Name,Mail,reference\nJane Quimby,jane.quimby@example.com,=1+1\nBen,no e-mail,\n';
    const job = await json(create(csv, { type: 'text/csv', query: '?name=people.csv&endpoint=enhanced' }));
    expect(job).toMatchObject({ name: 'people.csv', endpoint: 'enhanced', total: 2 });
    expect(job.columns[1]).toEqual({ header: 'Mail', field: 'email' });
    await end(job.job_id);
    const path = `/v1/jobs/${job.job_id}/results`;
    const table = await send(path, { key, headers: { accept: 'text/csv' } });
    expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [header, line, problem] = (await table.text()).split('\r\n');
    expect(header).toMatch(/^line,reference,http_status,score,status,verdict,/);
    expect(line).toMatch(/^2,'=1\+1,200,\d+,MEDIUM,/);
    expect(problem).toMatch(/^3,,422,.*,"?invalid_request: \/emails\/0: /);
    expect(await (await send(`${path}?format=csv`, { key })).text()).toContain(`2,'=1+1,200`);
  });

  it('is made once for an Idempotency-Key, and refused for another body', async () => {
    const { create, end, usage, send, usual: key } = await openShop();
    const headers = { 'idempotency-key': 'november' };
    const [first, early] = await Promise.all([
      create({ requests: [JANE] }, { headers }),
      create({ requests: [JANE] }, { headers }),
    ]);
    expect(early.status).toBe(409);
    const { job_id: id } = await json(first);
    expect((await json(create({ requests: [JANE] }, { headers }))).job_id).toBe(id);
    await end(id);
    const late = await create({ requests: [JANE] }, { headers });
    expect([late.headers.get('idempotency-replayed'), (await json(late)).job_id]).toEqual(['true', id]);
    expect((await create({ requests: [BEN] }, { headers })).status).toBe(422);
    expect((await json(send('/v1/jobs', { key }))).jobs).toHaveLength(1);
    expect(await usage()).toBe(1);
  });

  it('shares its Idempotency-Key with the checks of the API key: another route is another request', async () => {
    const { create, end, usage, send, usual: key } = await openShop();
    const check = (name: string) =>
      send('/v1/validate', {
        key,
        method: 'POST',
        body: JSON.stringify(JANE),
        headers: { 'content-type': 'application/json', 'idempotency-key': name },
      });
    const createUnder = (name: string) =>
      create({ requests: [JANE] }, { headers: { 'idempotency-key': name } });
    const mismatch = { status: 422, code: 'idempotency_mismatch' };
    expect((await check('of-check')).status).toBe(200);
    expect(await json(createUnder('of-check'))).toMatchObject(mismatch);
    const { job_id: id } = await json(createUnder('of-job'));
    await end(id);
    expect(await usage()).toBe(2);
    await send(`/v1/jobs/${id}`, { key, method: 'DELETE' });
    expect(await json(check('of-job'))).toMatchObject(mismatch);
    expect(await json(createUnder('of-job'))).toMatchObject({ job_id: id, state: 'cancelled' });
  });

  it('counts no line twice whose result was lost with a killed server', async () => {
    const { create, end, results, usage, app } = await openShop({}, await freshApp());
    const { job_id: id } = await json(create({ requests: [JANE, BEN, { name: 'Ada Quill' }] }));
    await end(id);
    const before = await results(id);
    app.store.raw.prepare("DELETE FROM job_parts WHERE kind = 'result'").run();
    app.store.raw.prepare("UPDATE jobs SET state = 'running', done = 0, ended = NULL, next = 0").run();
    await end(id);
    const ids = (lines: Awaited<typeof before>) => lines.map(({ answer }) => answer.request_id);
    expect(ids(await results(id))).toEqual(ids(before));
    expect(await usage()).toBe(3);
  });

  it('counts each element of a JSON array in one line, and numbers the elements', async () => {
    const { create, end, results, usage } = await openShop();
    const type = { type: 'application/octet-stream' };
    const lines = async (body: unknown) => {
      const { job_id: id } = await json(create(JSON.stringify(body), type));
      expect(await end(id)).toMatchObject({ total: 3, done: 3, failed: 0 });
      return (await results(id)).map(({ line, status }) => [line, status]);
    };
    const numbered = [1, 2, 3].map((line) => [line, 200]);
    expect(await lines([JANE, BEN, JANE])).toEqual(numbered);
    expect(await lines({ customers: [JANE, JANE, BEN] })).toEqual(numbered);
    expect(await usage()).toBe(6);
  });

  it('of another account or key does not exist, for any request', async () => {
    const shop = await openShop();
    const { job_id: id } = await json(shop.create({ requests: [JANE] }));
    const { store } = shop.app;
    const account = createAccount(store, { name: 'Other' }, Date.now() - 1000).id;
    const other = createKey(store, { name: 'other', scopes: ['validate'], account }, Date.now()).key;
    for (const key of [other, shop.key()]) {
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/results'],
        ['DELETE', ''],
      ] as const)
        expect((await shop.send(`/v1/jobs/${id}${path}`, { key, method })).status).toBe(404);
      expect(await json(shop.send('/v1/jobs', { key }))).toEqual({ jobs: [], next: null });
    }
    expect((await shop.send('/v1/jobs', { key: shop.key(['read']) })).status).toBe(403);
    const colleague = keyOfAccount(shop, shop.account);
    expect((await shop.send(`/v1/jobs/${id}`, { key: colleague })).status).toBe(200);
  });

  it('that is deleted while it runs says how many of its lines were counted, and counts no more', async () => {
    const { create, send, usage, usual: key } = await openShop();
    const { job_id: id } = await json(create({ requests: Array.from({ length: 2000 }, () => JANE) }));
    await vi.waitFor(async () => expect(await usage()).toBeGreaterThan(0), { timeout: 120_000, interval: 5 });
    const { state, done } = await json(send(`/v1/jobs/${id}`, { key, method: 'DELETE' }));
    expect(state).toBe('cancelled');
    await pause(100);
    expect(await usage()).toBe(done);
  });

  it('is deleted with all of its lines on DELETE, after its time, and with its account', async () => {
    const shop = await openShop({ rate: { calls: 1, seconds: 60, burst: 1 } }, await freshApp());
    const { store } = shop.app;
    const rows = () => store.raw.prepare('SELECT job FROM job_parts').all().length;
    const { job_id: id } = await json(shop.create({ requests: [JANE, BEN] }));
    const gone = await json(shop.send(`/v1/jobs/${id}`, { key: shop.usual, method: 'DELETE' }));
    expect(gone).toMatchObject({ job_id: id, state: 'cancelled' });
    expect((await shop.show(id)).code).toBe('not_found');
    await vi.waitFor(() => expect(rows()).toBe(0), 120_000);

    const { job_id: late } = await json(shop.create({ requests: [JANE, BEN] }));
    store.raw.prepare('UPDATE jobs SET expires = 1').run();
    expect((await shop.show(late)).code).toBe('not_found');
    await vi.waitFor(() => expect(rows()).toBe(0), 120_000);

    await json(shop.create({ requests: [JANE, BEN] }));
    closeAccount(store, shop.account, Date.now());
    await vi.waitFor(() => expect(rows()).toBe(0), 120_000);
  });
});

describe('the limits of a plan', () => {
  it('a quota that blocks leaves problems for the other lines, and the job finishes', async () => {
    const { create, end, results, usage } = await openShop({ included: 2, overage: 'block' });
    const { job_id: id } = await json(create({ requests: [JANE, BEN, JANE, BEN] }));
    expect(await end(id)).toMatchObject({ state: 'finished', done: 4, failed: 2 });
    const statuses = (await results(id)).map(({ status, problem }) => [status, problem?.code]);
    expect(statuses.slice(2)).toEqual([
      [429, 'quota_exhausted'],
      [429, 'quota_exhausted'],
    ]);
    expect(await usage()).toBe(2);
  });

  it('a rate limit slows a job down', async () => {
    const { create, end } = await openShop({ rate: { calls: 4, seconds: 1, burst: 1 } });
    const { job_id: id } = await json(create({ requests: [JANE, BEN, JANE] }));
    const job = await end(id);
    expect(job).toMatchObject({ state: 'finished', done: 3, failed: 0 });
    expect(job.seconds).toBeGreaterThan(0.4);
  });

  it('one account has at most 10 jobs that have not ended', async () => {
    const { create } = await openShop({ rate: { calls: 1, seconds: 3600, burst: 1 } }, await freshApp());
    const two = { requests: [JANE, JANE] };
    for (let i = 0; i < 10; i++) expect((await create(two)).status).toBe(202);
    const refused = await create(two);
    expect([refused.status, (await json(refused)).code]).toEqual([429, 'rate_limited']);
  });
});

it('slow bodies of one account leave room for others', async () => {
  const { app, usual: key, create, send } = await openShop();
  const { key: other } = createKey(app.store, { name: 'other', scopes: ['validate'] }, Date.now());
  const bodies: ReadableStreamDefaultController[] = [];
  const slow = [1, 2].map(() => {
    const body = new ReadableStream({ start: (controller) => void bodies.push(controller) });
    const headers = { 'content-type': 'application/json' };
    return send('/v1/jobs', { key, method: 'POST', body, headers, duplex: 'half' });
  });
  await vi.waitFor(async () => expect((await create({ requests: [JANE] })).status).toBe(503), 120_000);
  expect((await callsOf({ send }, other).create({ requests: [JANE] })).status).toBe(202);
  for (const body of bodies) body.close();
  expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([400, 400]);
  expect((await create({ requests: [JANE] })).status).toBe(202);
});

it('a job goes on with the key that replaces its key, and fails if the key is revoked', async () => {
  const slow = { rate: { calls: 2, seconds: 1, burst: 1 } };
  const shop = await openShop(slow);
  const { store } = shop.app;
  const { job_id: id } = await json(shop.create({ requests: [JANE, BEN] }));
  const { key, info } = rotateKey(store, { id: shop.keyId, graceMs: 0 }, Date.now());
  const calls = callsOf(shop, key);
  expect(await calls.end(id)).toMatchObject({ state: 'finished', failed: 0 });
  const next = await json(calls.create({ requests: [JANE, BEN, JANE, BEN] }));
  revokeKey(store, info.id, Date.now());
  const last = createKey(store, { name: 'c', scopes: ['validate'], account: shop.account }, Date.now());
  expect(await callsOf(shop, last.key).end(next.job_id)).toMatchObject({
    state: 'failed',
    problem: 'invalid_api_key',
  });
});

it('nothing of a job is readable in the data folder', async () => {
  const { create, end, everyByte } = await openShop();
  const marked = {
    name: 'Zyxwra Qvelbourne',
    emails: ['zyxwra.qvel@example.com'],
    reference: 'ref-marked-9',
  };
  const { job_id: id } = await json(create({ requests: [marked] }, { query: '?name=marked-file.csv' }));
  await end(id);
  for (const value of ['Zyxwra', 'zyxwra.qvel', 'ref-marked-9', 'marked-file'])
    expect(everyByte()).not.toContain(value);
});

it('lists jobs in pages, the newest first', async () => {
  const { create, send, usual: key } = await openShop();
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.unshift((await json(create({ requests: [JANE] }))).job_id);
  const first = await json(send('/v1/jobs?limit=2', { key }));
  const second = await json(send(`/v1/jobs?limit=2&cursor=${first.next}`, { key }));
  const listed = [...first.jobs, ...second.jobs].map(({ job_id: id }) => id as string);
  expect(new Set(listed)).toEqual(new Set(ids));
  expect([listed.length, second.next]).toEqual([3, null]);
  expect((await send('/v1/jobs?cursor=abcdefgh', { key })).status).toBe(422);
});

it('bad requests are refused with what is wrong', async () => {
  const { create } = await openShop();
  const code = async (answer: Promise<Response>) => {
    const { status, ...rest } = await json(answer);
    return [status, rest.errors?.[0].code ?? rest.code];
  };
  expect(await code(create('{'))).toEqual([400, 'invalid_json']);
  const page = await create('name\nAda', { type: 'text/html' });
  expect([page.status, (await json(page)).detail]).toEqual([
    415,
    expect.stringMatching('application/json or text/csv or application/x-ndjson or'),
  ]);
  expect(await code(create({ requests: [JANE] }, { query: '?endpoint=all' }))).toEqual([
    422,
    'invalid_endpoint',
  ]);
  expect(await code(create({ requests: [JANE] }, { query: '?name=%1b%5b2J.csv' }))).toEqual([
    422,
    'invalid_name',
  ]);
  expect(await code(create({ requests: [] }))).toEqual([422, 'empty']);
  expect(await code(create('mail\nx@example.com', { type: 'text/csv' }))).toEqual([422, 'unreadable_file']);
});

it('lines with values of a forgotten person are deleted, and no byte of them is left', async () => {
  const { app, folder, create, end, results } = await openShop({}, await freshApp());
  const marked = { ...JANE, reference: 'marked-reference' };
  const { job_id: id } = await json(
    create({ requests: [BEN, marked, { name: 'Ada Quill' }] }, { query: '?name=jane.csv' }),
  );
  await end(id);
  const before = await results(id);
  const rows = await (app.graph as RecordStoringGraph).records.findByRecordId('1');
  const { deleteRows: forget } = createWatchAndJobEraser({ dataDir: folder, region: 'US' });
  expect(forget(rows)).toEqual({ watches: 0, job_lines: 1 });
  const [ben, jane, ada] = await results(id);
  expect([ben, ada]).toEqual([before[0], before[2]]);
  expect(jane).toMatchObject({ line: 2, status: 404, problem: { code: 'not_found' } });
  const { open } = createJobCipher(loadOrCreateSecret(folder));
  const parts = app.store.raw.prepare<[], { sealed: Buffer }>('SELECT sealed FROM job_parts').all();
  const texts = parts.map(({ sealed }) => JSON.stringify(open(sealed))).join();
  for (const value of ['Jane', 'jane.quimby', '555-0134', '5550134', 'Larch', 'marked-reference'])
    expect(texts).not.toContain(value);
  expect(forget(rows).job_lines).toBe(0);
  const job = app.store.raw.prepare<[], { details: Buffer }>('SELECT details FROM jobs').get();
  expect(open(job?.details ?? Buffer.of())).toEqual({ name: null, columns: [] });
});
