import { describe, expect, it } from 'vitest';
import { freshApp, JANE, json } from '../kit/app.ts';
import type { TestApp } from '../kit/app.ts';

const counted = ({ app }: TestApp) =>
  app.store.raw.prepare('SELECT ifnull(sum(calls), 0) FROM usage').pluck().get();
const rows = ({ app }: TestApp) => app.store.raw.prepare('SELECT count(*) FROM calls').pluck().get();
const KINDS: Record<string, string> = { 'content-type': 'application/json' };

describe('a check', () => {
  it('is answered from the graph and recorded before the answer', async () => {
    const test = await freshApp();
    const response = await test.post('/v1/validate', JANE);
    const body = await json(response);
    expect(response.status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      request_id: response.headers.get('x-request-id'),
      status: 'HIGH',
      possible_catfish: false,
      dominant_identity: 1,
      ai_insights: null,
      input_validation: { overall_match: { all_components_match_same_identity: true, matched_identity: 1 } },
    });
    expect(body.trustworthiness_score).toBe(body.combined_trust_score.final);
    expect([counted(test), rows(test)]).toEqual([1, 1]);
    expect(response.headers.get('vary')).toBe('Accept-Version');
  });

  it('is the same in either request shape, on either way to ask, but for its id', async () => {
    const test = await freshApp();
    const legacy = {
      nameAddresses: [
        {
          fullName: JANE.name,
          address: { line1: '12 Larch Street', city: 'Springfield', region: 'IL', postalCode: '62701' },
        },
      ],
      emailAddresses: JANE.emails,
      phoneNumbers: JANE.phones,
    };
    const answers = await Promise.all(
      [
        test.post('/v1/validate', JANE),
        test.post('/v1/validate', legacy),
        test.post('/v1/validate?ai=true', JANE),
        test.post('/v1/validate/enhanced', JANE),
      ].map(async (response) => {
        const { request_id: _, ai_insights: __, ...base } = await json(response);
        return JSON.stringify(base);
      }),
    );
    expect(new Set(answers).size).toBe(1);
    expect(counted(test)).toBe(4);
  });

  it('is answered in version 2 where that is asked for; the query wins', async () => {
    const { post } = await freshApp();
    const version = async (path: string, header?: string) => {
      const response = await post(path, JANE, header ? { 'accept-version': header } : {});
      return (await json(response)).response_version ?? 'v1';
    };
    expect(await version('/v1/validate')).toBe('v1');
    expect(await version('/v1/validate?response=v2')).toBe('v2');
    expect(await version('/v1/validate', 'v2')).toBe('v2');
    expect(await version('/v1/validate/enhanced?response=v2')).toBe('v2');
    expect(await version('/v1/validate?response=v1', 'v2')).toBe('v1');
  });

  it('takes ai as true, false, 1 or 0 in any letter case, and nothing else', async () => {
    const { post } = await freshApp();
    const status = async (ai: string) => {
      const body = await json(post(`/v1/validate?ai=${ai}`, JANE));
      return body.status === 422 ? 422 : body.ai_insights !== null;
    };
    const asked = ['true', 'TRUE', '1', 'false', 'False', '0', 'yes', '', 'constructor'];
    expect(await Promise.all(asked.map(status))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      422,
      422,
      422,
    ]);
  });

  it('with raw shows what the graph answered, to a key that may see it', async () => {
    const test = await freshApp();
    const body = { ...JANE, operation: 'raw' };
    const { raw } = await json(test.post('/v1/validate', body));
    expect(raw).toMatchObject({ graph: { total: 2, values: expect.any(Array) }, scoring_model: 4 });
    const refused = await test.post('/v1/validate', body, { 'x-api-key': test.key(['validate']) });
    expect([refused.status, (await json(refused)).code]).toEqual([403, 'forbidden']);
    expect(counted(test)).toBe(1);
  });

  it('with AI has blocks of the shape that was asked for', async () => {
    const { post } = await freshApp();
    const ai = (await json(post('/v1/validate?ai=true', JANE))).ai_insights;
    expect(Object.keys(ai)).toEqual([
      'ai_enabled',
      'trust_enhancement',
      'overview',
      'fraud_detection',
      'name_matching',
    ]);
    expect([ai.fraud_detection, ai.name_matching]).toEqual([null, null]);
    const body = { ...JANE, include_trust_enhancement: false, include_fraud_detection: false };
    const enhanced = (await json(post('/v1/validate/enhanced', body))).ai_insights;
    const notRequested = { ai_enabled: false, reason: 'Not requested' };
    expect(enhanced).toMatchObject({ trust_enhancement: notRequested, fraud_detection: notRequested });
    expect(enhanced.name_matching).toMatchObject({ name_analysis: { variation_type: 'exact' } });
  });
});

interface Row {
  what: string;
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  key?: null;
  status: number;
  code: string;
  has?: Record<string, string>;
}

const good = JSON.stringify(JANE);
const ERRORS: Row[] = [
  { what: 'no key', key: null, status: 401, code: 'missing_api_key', has: { 'www-authenticate': 'Bearer' } },
  {
    what: 'another scheme',
    key: null,
    headers: { authorization: 'Basic eHg6eXk=' },
    status: 401,
    code: 'missing_api_key',
  },
  {
    what: 'a mistyped key',
    key: null,
    headers: { 'x-api-key': 'bf_live_x' },
    status: 401,
    code: 'invalid_api_key',
    has: { 'www-authenticate': 'Bearer' },
  },
  {
    what: 'two different keys',
    headers: { authorization: 'Bearer bf_live_y' },
    status: 401,
    code: 'invalid_api_key',
  },
  {
    what: 'a bearer that holds more than a key, beside a good key',
    headers: { authorization: 'Bearer bf_live_y x' },
    status: 401,
    code: 'invalid_api_key',
    has: { 'www-authenticate': 'Bearer' },
  },
  { what: 'no content type', headers: { 'content-type': '' }, status: 415, code: 'unsupported_media_type' },
  {
    what: 'another content type',
    headers: { 'content-type': 'text/json' },
    status: 415,
    code: 'unsupported_media_type',
  },
  {
    what: 'a compressed body',
    headers: { 'content-encoding': 'gzip' },
    status: 415,
    code: 'unsupported_media_type',
  },
  { what: 'not JSON', body: '{"name": Marked}', status: 400, code: 'invalid_json' },
  { what: 'a list', body: '["Marked"]', status: 400, code: 'invalid_json' },
  { what: 'not UTF-8', body: new Uint8Array([0x7b, 0xff, 0x7d]), status: 400, code: 'invalid_json' },
  { what: 'an empty body', body: '', status: 400, code: 'invalid_json' },
  {
    what: 'too large a body',
    body: `{"name":"${'x'.repeat(65_536)}"}`,
    status: 413,
    code: 'body_too_large',
    has: { connection: 'close' },
  },
  { what: 'broken rules', body: '{"name":"7","emails":["Marked"]}', status: 422, code: 'invalid_request' },
  {
    what: 'an unknown response version',
    path: '/v1/validate?response=v3',
    status: 422,
    code: 'invalid_request',
  },
  {
    what: 'an unknown version in the header',
    headers: { 'accept-version': '2' },
    status: 422,
    code: 'invalid_request',
  },
  { what: 'an unknown path', path: '/v1/Marked', status: 404, code: 'not_found' },
  {
    what: 'a method that is not taken',
    method: 'GET',
    status: 405,
    code: 'method_not_allowed',
    has: { allow: 'POST, OPTIONS' },
  },
  { what: 'HEAD on an operation', method: 'HEAD', status: 405, code: 'method_not_allowed' },
  {
    what: 'DELETE on a look-up',
    path: '/v1/usage',
    method: 'DELETE',
    status: 405,
    code: 'method_not_allowed',
    has: { allow: 'GET, HEAD, OPTIONS' },
  },
  {
    what: 'a broken escape in the path',
    path: '/v1/%E0%A4%A',
    method: 'GET',
    status: 400,
    code: 'malformed_request',
  },
  {
    what: "somebody's request",
    path: '/v1/requests/req_Marked',
    method: 'GET',
    status: 404,
    code: 'not_found',
  },
];

describe('an error', () => {
  it.each(ERRORS)(
    '$what: $status $code',
    async ({ path = '/v1/validate', method = 'POST', headers, body = good, key, status, code, has }) => {
      const test = await freshApp();
      const init = { method, headers: { ...KINDS, ...headers }, ...(method === 'POST' ? { body } : {}) };
      const response = await test.send(path, { ...init, ...(key === null ? { key } : {}) } as Parameters<
        typeof test.send
      >[1]);
      const text = await response.text();
      expect(response.status).toBe(status);
      expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(Object.fromEntries(response.headers)).toMatchObject(has ?? {});
      const problem =
        method === 'HEAD' ? { code, request_id: response.headers.get('x-request-id') } : JSON.parse(text);
      expect(problem).toMatchObject({ code, request_id: response.headers.get('x-request-id') });
      expect(problem.errors !== undefined).toBe(code === 'invalid_request');
      expect(text + test.logged()).not.toMatch(/Marked|node_modules|\bat \/|SELECT/);
      expect(test.logged()).toContain(`"code":"${code}"`);
      expect([counted(test), rows(test)]).toEqual([0, 0]);
    },
  );

  it('of the body and of the query are told together', async () => {
    const { post } = await freshApp();
    const problem = await json(post('/v1/validate?response=v9', { name: '' }));
    expect(problem.errors.map(({ code }: { code: string }) => code)).toEqual([
      'unknown_response_version',
      'empty',
    ]);
  });

  it('has a page that explains it', async () => {
    const { send } = await freshApp();
    const page = await send('/problems/invalid_request', { key: null });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await send('/problems/nothing', { key: null })).status).toBe(404);
  });
});

describe('a key', () => {
  it('may come as X-API-Key or as a bearer token, or as both', async () => {
    const { send, key } = await freshApp();
    const mine = key();
    const check = async (headers: Record<string, string>) =>
      (
        await send('/v1/validate', {
          method: 'POST',
          body: good,
          key: null,
          headers: { ...KINDS, ...headers },
        })
      ).status;
    expect(await check({ 'x-api-key': mine })).toBe(200);
    expect(await check({ authorization: `Bearer ${mine}` })).toBe(200);
    expect(await check({ authorization: `bearer ${mine}`, 'x-api-key': mine })).toBe(200);
  });

  it('without the scope may not check', async () => {
    const test = await freshApp();
    const response = await test.post('/v1/validate', JANE, { 'x-api-key': test.key(['admin']) });
    expect([response.status, (await json(response)).code]).toEqual([403, 'forbidden']);
    expect(counted(test)).toBe(0);
  });
});
