// The client of the protocol over a real connection: a tool that checks and tools that read, with the keys, limits and errors of the API.
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { createAccount } from '../../../src/store/accounts.ts';
import { createPlan } from '../../../src/store/plans.ts';
import { createKey } from '../../../src/store/keys.ts';
import { freshApp, sharedApp, JANE, json, type TestApp } from '../../kit/app.ts';
import { callsOf, connected } from './client.ts';

const open = sharedApp();

const call = (client: Client, sent: object) =>
  client.callTool({ name: 'verify_identity', arguments: { ...sent } });

describe.each([undefined, 'legacy'] as const)('a client of the revision %s', (revision) => {
  test('finds the tool with the input of a check, whose answer is a check, counted once', async () => {
    const app = await open();
    const key = app.key(['validate']);
    const { client } = await connected(app, key, revision);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['verify_identity', 'watch', 'events', 'usage']);
    const { properties, required } = tools[0]?.inputSchema ?? {};
    expect(Object.keys(properties ?? {})).toEqual(['name', 'emails', 'phones', 'addresses', 'intent']);
    expect(required).toEqual(['name']);
    expect(await callsOf(app, key)).toBe(0);

    const { structuredContent, content, isError } = await call(client, JANE);
    expect(isError).toBe(false);
    const { request_id: id, ...answer } = structuredContent as Record<string, unknown>;
    const { request_id: _, ...expected } = await json(
      app.send('/v1/validate', {
        method: 'POST',
        body: JSON.stringify(JANE),
        headers: { 'content-type': 'application/json' },
      }),
    );
    expect(answer).toEqual(expected);
    expect(JSON.parse((content as { text: string }[])[0]?.text ?? '')).toEqual(structuredContent);
    expect(await callsOf(app, key)).toBe(1);
    expect(await json(app.send(`/v1/requests/${String(id)}`, { key }))).toMatchObject({
      endpoint: '/v1/validate',
    });
    const line = app
      .logged()
      .split('\n')
      .find((one) => one.includes(String(id)));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ route: '/mcp', endpoint: 'validate', status: 200 });
  });
});

test('broken rules are the error of the tool as in the API, without any value in it or in the log', async () => {
  const app = await open();
  const key = app.key(['validate']);
  const { client } = await connected(app, key);
  const { isError, structuredContent, content } = await call(client, {
    name: 'Zqx Marker',
    emails: ['zqx@@'],
    nmae: 'zqx',
  });
  expect(isError).toBe(true);
  expect(structuredContent).toMatchObject({
    code: 'invalid_request',
    status: 422,
    request_id: expect.stringMatching(/^req_/),
    errors: [
      { pointer: '', code: 'unknown_field' },
      { pointer: '/emails/0', code: 'invalid_email' },
    ],
  });
  expect(JSON.stringify(content) + app.logged() + app.everyByte()).not.toMatch(/zqx/i);
  expect(app.logged()).toContain('"code":"invalid_request"');
  expect(await callsOf(app, key)).toBe(0);
  await expect(client.callTool({ name: 'other', arguments: {} })).rejects.toThrow(
    'There is no tool with this name. The tools are verify_identity, watch, events, usage.',
  );
});

test('scopes and plans apply: a key without the scope, a used-up quota, a reached rate limit', async () => {
  const app = await open();
  const rate = { calls: 1, seconds: 60, burst: 4 };
  createPlan(app.app.store, 'small', { included: 2, overage: 'block', rate }, Date.now());
  const account = createAccount(app.app.store, { name: 'x', plan: 'small' }, Date.now()).id;
  const { key } = createKey(app.app.store, { name: 'x', scopes: ['validate'], account }, Date.now());
  const { client } = await connected(app, key);
  const codes: unknown[] = [];
  for (let i = 0; i < 5; i++) {
    const { structuredContent } = await call(client, { name: 'Jane Quimby', emails: [`a${i}@example.com`] });
    codes.push((structuredContent as { code?: string }).code ?? 'ok');
  }
  expect(codes).toEqual(['ok', 'ok', 'quota_exhausted', 'quota_exhausted', 'rate_limited']);
  expect(await callsOf(app, key)).toBe(2);
  const reading = await connected(app, app.key(['read']));
  expect((await call(reading.client, JANE)).structuredContent).toMatchObject({ code: 'forbidden' });
});

test('too many concurrent calls are told to retry, and are no failure in the log', async () => {
  const app = await open();
  createPlan(app.app.store, 'one', { concurrency: 1 }, Date.now());
  const account = createAccount(app.app.store, { name: 'x', plan: 'one' }, Date.now()).id;
  const { key } = createKey(app.app.store, { name: 'x', scopes: ['validate'], account }, Date.now());
  const { client } = await connected(app, key);
  const answers = await Promise.all(Array.from({ length: 20 }, () => call(client, JANE)));
  expect(JSON.stringify(answers)).toContain('"code":"overloaded"');
  expect(app.logged()).not.toMatch(/failed|BonafideError/);
});

describe('a retry with the same Idempotency-Key', () => {
  /** Calls the tool with an idempotency key; each message has a new id, as from a client. */
  const calling = async (app: TestApp, sent: object, key = 'k-1') => {
    const params = { name: 'verify_identity', arguments: sent };
    const message = { jsonrpc: '2.0', id: number++, method: 'tools/call', params };
    const response = await app.post('/mcp', message, { 'idempotency-key': key });
    return { headers: response.headers, told: (await json(response)).result.structuredContent };
  };
  let number = 1;
  const usual = async (app: TestApp) => (await json(app.send('/v1/usage'))).calls;

  test('counts once and has the same request id, also in another message', async () => {
    const app = await open();
    const first = await calling(app, JANE);
    const again = await calling(app, JANE);
    expect(again.told).toEqual(first.told);
    const headers = [first, again].map(({ headers }) => headers);
    expect(headers.map((one) => one.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect(headers.map((one) => one.get('x-request-id'))).toEqual([
      first.told.request_id,
      first.told.request_id,
    ]);
    expect(await usual(app)).toBe(1);
    const list = { jsonrpc: '2.0', id: 9, method: 'tools/list' };
    expect((await app.post('/mcp', list, { 'idempotency-key': 'k-1' })).status).toBe(200);
  });

  test('for another person is refused, and so are a malformed key and two keys', async () => {
    const app = await open();
    await calling(app, JANE);
    expect((await calling(app, { name: 'Jane Quimby' })).told).toMatchObject({
      code: 'idempotency_mismatch',
    });
    expect((await calling(app, JANE, '"')).told.errors).toMatchObject([{ code: 'invalid_idempotency_key' }]);
    expect((await calling(app, JANE, 'a, b')).told).toMatchObject({ code: 'malformed_request', status: 400 });
    // With the same idempotency key a call of the API is a different request.
    expect((await app.post('/v1/validate', JANE, { 'idempotency-key': 'k-1' })).status).toBe(422);
    expect(await usual(app)).toBe(1);
  });

  test('during the first call is told to wait', async () => {
    const app = await open();
    const told = await Promise.all(Array.from({ length: 10 }, async () => (await calling(app, JANE)).told));
    const codes = new Set(told.map(({ code = 'ok' }) => code));
    expect([...codes].filter((code) => code !== 'ok' && code !== 'idempotency_in_progress')).toEqual([]);
    expect(new Set(told.flatMap(({ success, request_id: id }) => (success ? [id] : []))).size).toBe(1);
    expect(await usual(app)).toBe(1);
  });
});

describe('over HTTP', () => {
  const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  test('without a key it is 401, with the origin of a page 403, except for pages of this machine', async () => {
    const { send, post } = await open();
    const init = {
      method: 'POST',
      body: JSON.stringify(LIST),
      headers: { 'content-type': 'application/json' },
    };
    expect((await send('/mcp', { ...init, key: null })).status).toBe(401);
    for (const origin of [
      'https://evil.example',
      'null',
      'http://localhost.evil.example',
      'http://127.0.0.1.evil.example:8787',
    ])
      expect(await json(post('/mcp', LIST, { origin }))).toMatchObject({ code: 'forbidden' });
    for (const origin of ['http://localhost:6274', 'http://127.0.0.1', 'http://[::1]:80'])
      expect((await post('/mcp', LIST, { origin })).status).toBe(200);
  });

  test('the tool declares its answer, and the server its instructions', async () => {
    const { post } = await open();
    const { result } = await json(post('/mcp', LIST));
    const [{ outputSchema }] = result.tools;
    const person = { name: JANE.name, emails: JANE.emails };
    const params = { name: 'verify_identity', arguments: person };
    const called = await json(post('/mcp', { ...LIST, method: 'tools/call', params }));
    expect(Object.keys(called.result.structuredContent)).toEqual(
      expect.arrayContaining(outputSchema.required),
    );
    expect([outputSchema.type, outputSchema.additionalProperties]).toEqual(['object', undefined]);
    const clientInfo = { name: 'x', version: '1' };
    const begin = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const begun = await json(post('/mcp', { ...LIST, method: 'initialize', params: begin }));
    expect(begun.result.instructions).toContain('NO RECORD');
  });

  test('one message at a time, of bounded size, as JSON; nothing is streamed', async () => {
    const { send, post } = await open();
    const statuses = [
      post('/mcp', [LIST]),
      post('/mcp', 'no json'),
      post('/mcp', { ...LIST, params: { x: 'y'.repeat(70_000) } }),
      post('/mcp', LIST, { 'content-type': 'text/plain' }),
      post('/mcp', { foo: 1 }),
      post('/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' }),
      send('/mcp'),
      send('/mcp', { method: 'DELETE' }),
    ];
    const answers = await Promise.all(statuses);
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 413, 415, 400, 202, 405, 405]);
    for (const answer of answers) expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
  });

  test('an id or a method of more than 200 characters is refused, and not repeated', async () => {
    const { post } = await open();
    expect((await post('/mcp', { ...LIST, id: 'x'.repeat(200) })).status).toBe(200);
    for (const [field, value] of [
      ['id', 'x'.repeat(201)],
      ['method', 'tools/'.repeat(50)],
    ] as const) {
      const response = await post('/mcp', { ...LIST, [field]: value });
      expect(response.status).toBe(422);
      const text = await response.text();
      expect(JSON.parse(text).errors).toMatchObject([{ pointer: `/${field}`, code: 'too_long' }]);
      expect(text).not.toContain(value);
    }
  });

  test('messages that are refused slow their key down, as refused requests do', async () => {
    // Other tests of a shared app have refusals in the same minute.
    const { post } = await freshApp();
    // Ten refusals a second are allowed again, so on a busy machine more than 600 messages are needed.
    const answers = [];
    do answers.push((await post('/mcp', { ...LIST, method: 'tools/lost' })).status);
    while (answers.at(-1) !== 429 && answers.length < 2000);
    expect([...new Set(answers)]).toEqual([200, 429]);
    expect(answers.length).toBeGreaterThan(600);
  });

  test('a duplicate field is refused as by the API', async () => {
    const { post } = await open();
    const body =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"verify_identity","arguments":{"name":"A B","name":"Jane Quimby"}}}';
    const { result } = await json(post('/mcp', body));
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { errors: [{ code: 'duplicate_field' }] },
    });
  });

  test('a subscription, which would be a stream, is refused', async () => {
    const { post } = await open();
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { notifications: { toolsListChanged: true }, _meta: meta };
    const response = await post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    );
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await json(response)).toMatchObject({ error: { code: expect.any(Number) } });
  });

  test('a test key is answered from the sample people', async () => {
    const app = await open();
    const { key } = createKey(app.app.store, { name: 't', scopes: ['validate'], test: true }, Date.now());
    const response = await app.post(
      '/mcp',
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'verify_identity',
          arguments: { name: 'Nora Ellingsworth', emails: ['nora.ellingsworth@post.example'] },
        },
      },
      { 'x-api-key': key },
    );
    expect(response.headers.get('bonafide-mode')).toBe('test');
    expect((await json(response)).result.structuredContent).toMatchObject({
      success: true,
      dominant_identity: expect.any(Number),
    });
  });
});
