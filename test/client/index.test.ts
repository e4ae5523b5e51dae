import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';
import { BonafideApiError, createClient } from '../../src/client/index.ts';
import type { Check, CheckV2, ClientOptions, Job, Watch } from '../../src/client/index.ts';
import type { Scope } from '../../src/accounts/model.ts';
import { JANE, sharedApp } from '../kit/app.ts';

const open = sharedApp({ settings: { watches: 'true' } });

async function local(over: Partial<ClientOptions> = {}, scopes?: Scope[]) {
  const it = await open();
  const fetched: typeof fetch = async (input, init) => it.app.http.fetch(new Request(input, init));
  const options = { url: 'http://localhost/', key: it.key(scopes), fetch: fetched, ...over };
  return { ...it, client: createClient(options) };
}

describe('the client', () => {
  it('calls each operation, and the answers have the types of the operation', async () => {
    const { client } = await local();
    const check = await client.validate(JANE);
    expectTypeOf(check).toEqualTypeOf<Check>();
    expect(check).toMatchObject({ status: 'HIGH', ai_insights: null });
    const second = await client.validate(
      { nameAddresses: [{ fullName: JANE.name }] },
      { version: 'v2', ai: true },
    );
    expectTypeOf(second).toEqualTypeOf<CheckV2>();
    expect(second).toMatchObject({ response_version: 'v2', ai_insights: { ai_enabled: true } });
    const enhanced = await client.validateEnhanced(JANE);
    expect(enhanced.ai_insights.overview).toHaveProperty('review_priority');
    expect(await client.request(check.request_id)).toMatchObject({ request_id: check.request_id });
    const told = { request_id: check.request_id, genuine: true };
    expect(await client.outcome(check.request_id, true)).toEqual(told);
    expect(await client.usage()).toMatchObject({ calls: 3 });
    expect(await client.usage('2024-02')).toMatchObject({ month: '2024-02', calls: 0 });
    const job = await client.jobs.create([{ ...JANE, reference: 'a' }, { name: '' }], { ai: true });
    expectTypeOf(job).toEqualTypeOf<Job>();
    const ended = () =>
      vi.waitFor(async () => expect((await client.jobs.show(job.job_id)).left).toBe(0), 120_000);
    await ended();
    expect(await client.jobs.results(job.job_id)).toMatchObject([{ reference: 'a' }, { status: 422 }]);
    expect((await client.jobs.list({ limit: 5 })).jobs).toMatchObject([{ job_id: job.job_id, ai: true }]);
    expect(await client.jobs.delete(job.job_id)).toMatchObject({ state: 'finished' });
    const file = { content: Buffer.from('name\nAda Quill\n'), type: 'text/csv', name: 'a.csv' };
    expect(await client.jobs.create(file)).toMatchObject({ total: 1, name: 'a.csv' });
    await expect(client.putRecords([])).rejects.toMatchObject({ code: 'forbidden' });
    const operator = await local({}, ['admin']);
    const record = { record_id: 'n', name: 'Oda Thorvald' };
    const taken = await operator.client.putRecords([record, {}], { source: 'crm' });
    expect(taken).toMatchObject({ put: 1, refused: [{ line: 2 }], linked: true });
  });

  it('watches a person', async () => {
    const { client } = await local();
    const watch = await client.watches.create({ ...JANE, reference: 'a' });
    expectTypeOf(watch).toEqualTypeOf<Watch>();
    expect(await client.watches.show(watch.watch_id)).toEqual(watch);
    expect(await client.watches.list({ limit: 5 })).toEqual({ watches: [watch], next: null });
    expect((await client.events()).events).toEqual([]);
    await client.watches.delete(watch.watch_id);
    await expect(client.watches.show(watch.watch_id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('sends your idempotency key as one key, whatever its characters', async () => {
    const { client } = await local();
    const ask = async (idempotencyKey: string) =>
      (await client.validate(JANE, { idempotencyKey })).request_id;
    const id = await ask('order 1, "first"');
    expect(await ask(String.raw`"order 1, \"first\""`)).toBe(id);
    expect(await ask('order 1')).not.toBe(id);
  });

  it('throws errors with a code and every broken rule, without submitted values', async () => {
    const { client } = await local();
    const error = await client.validate({ name: '', emails: ['Marked'] }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(BonafideApiError);
    expect(error).toMatchObject({
      code: 'invalid_request',
      status: 422,
      requestId: expect.stringMatching(/^req_/),
      issues: [
        { pointer: '/name', code: 'empty' },
        { pointer: '/emails/0', code: 'invalid_email' },
      ],
    });
    expect(String(error)).not.toContain('Marked');
    const other = await local({ key: 'bf_live_x' });
    await expect(other.client.usage()).rejects.toMatchObject({ code: 'invalid_api_key', status: 401 });
    await expect(client.request('req_nothing')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('forwards a trace, and stops when its signal is aborted', async () => {
    const { client, logged } = await local();
    const trace = '0af7651916cd43dd8448eb211c80319c';
    await client.validate(JANE, { traceparent: `00-${trace}-b7ad6b7169203331-01` });
    expect(logged()).toContain(trace);
    await expect(client.validate(JANE, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});

interface Reply {
  status: number;
  body?: string;
  headers?: Record<string, string>;
}

/** Returns a server with these answers, one after the other; the last answer repeats. */
async function scripted(...replies: Reply[]) {
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer((req, res) => {
    const {
      status,
      body = '{"done":true}',
      headers,
    } = replies[Math.min(asked.length, replies.length - 1)] ?? { status: 500 };
    asked.push(req.headers);
    if (status === 0) req.socket.destroy();
    else if (status > 0) res.writeHead(status, headers).end(body);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => (server.closeAllConnections(), void server.close()));
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const client = (over: Partial<ClientOptions> = {}) =>
    createClient({ url: `http://127.0.0.1:${port}`, key: 'k', ...over });
  return { asked, client };
}

const problem = (status: number, code: string, after?: string): Reply => ({
  status,
  body: JSON.stringify({ code, detail: 'x', request_id: 'req_1' }),
  ...(after === undefined ? {} : { headers: { 'retry-after': after } }),
});

describe('a call that was not answered', () => {
  it.each([
    ['a connection that breaks', { status: 0 }],
    ['too many requests', problem(429, 'rate_limited', '0')],
    ['an overloaded server', problem(503, 'overloaded', '0')],
    ['a store that is away', problem(503, 'store_unavailable', '0')],
    ['a page of a proxy', { status: 502, body: '<html>', headers: { 'retry-after': '0' } }],
    ['an empty answer of a proxy', { status: 503, body: '', headers: { 'retry-after': '0' } }],
    ['JSON of a proxy', { status: 504, body: 'null', headers: { 'retry-after': '0' } }],
    ['a try that is still worked on', problem(409, 'idempotency_in_progress', '0')],
  ])('because of %s is sent again with the same Idempotency-Key', async (_, reply) => {
    const { asked, client } = await scripted(reply, reply, { status: 200 });
    expect(await client().validate(JANE)).toEqual({ done: true });
    const keys = new Set(asked.map((headers) => headers['idempotency-key']));
    expect([asked.length, keys.size]).toEqual([3, 1]);
  });

  it('is sent until its retries are used up, then fails', async () => {
    const { asked, client } = await scripted(problem(503, 'overloaded', '0'));
    const error = { code: 'overloaded', status: 503, retryAfterMs: 0 };
    await expect(client({ retries: 1 }).validate(JANE)).rejects.toMatchObject(error);
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['a quota that is used up', problem(429, 'quota_exhausted', '86400'), 'quota_exhausted'],
    ['a long time to wait', problem(429, 'rate_limited', '3600'), 'rate_limited'],
    ['a key that may not', problem(403, 'forbidden'), 'forbidden'],
    ['another body under the key', problem(422, 'idempotency_mismatch'), 'idempotency_mismatch'],
    ['a page of something else', { status: 404, body: '<html>' }, 'unreadable_answer'],
    ['an answer that is null', { status: 500, body: 'null' }, 'unreadable_answer'],
    [
      'a proxy that says to wait long',
      { status: 503, body: '<html>', headers: { 'retry-after': '3600' } },
      'unreadable_answer',
    ],
    [
      'a proxy that names a time in an hour',
      {
        status: 503,
        body: '<html>',
        headers: { date: 'Mon, 30 Nov 2026 08:00:00 GMT', 'retry-after': 'Mon, 30 Nov 2026 09:00:00 GMT' },
      },
      'unreadable_answer',
    ],
    ['JSON of something else', { status: 404, body: '{"message":"no"}' }, 'unreadable_answer'],
  ])('because of %s is not sent again', async (_, reply, code) => {
    const { asked, client } = await scripted(reply);
    await expect(client().validate(JANE)).rejects.toMatchObject({ code });
    expect(asked).toHaveLength(1);
  });

  it('in time fails, and uses the idempotency key of the caller if there is one', async () => {
    const { asked, client } = await scripted({ status: -1 });
    const call = client({ timeoutMs: 500, retries: 0 }).validate(JANE, { idempotencyKey: 'mine' });
    await expect(call).rejects.toMatchObject({ code: 'timed_out', status: 0 });
    expect(asked[0]).toMatchObject({ 'idempotency-key': 'mine', 'x-api-key': 'k' });
  });

  it('because no server listens fails', async () => {
    const nobody = createClient({ url: 'http://127.0.0.1:9', key: 'k', retries: 0 });
    await expect(nobody.usage()).rejects.toMatchObject({ code: 'unreachable' });
  });
});
