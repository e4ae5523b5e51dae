// Tests of refused requests, for several programs: `open` returns a server together with a program that calls
// it.
import { describe, expect, it } from 'vitest';
import { JANE, json } from '../../kit/app.ts';
import type { TestApp } from '../../kit/app.ts';
import { counted, loggedCalls } from './counted.ts';
import type { ErrorRow } from './errors.ts';

const GOOD = JSON.stringify(JANE);
const KINDS: Record<string, string> = { 'content-type': 'application/json' };

export function errorRows(open: () => Promise<TestApp>, rows: ErrorRow[]): void {
  describe('an error', () => {
    it.each(rows)('$what: $status $code', async (row) => {
      const { path = '/v1/validate', method = 'POST', headers, body = GOOD, key, status, code, has } = row;
      const test = await open();
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
      expect([counted(test), loggedCalls(test)]).toEqual([0, 0]);
    });

    it('in the body and one in the query are listed together', async () => {
      const { post } = await open();
      const problem = await json(post('/v1/validate?response=v9', { name: '' }));
      expect(problem.errors.map(({ code }: { code: string }) => code)).toEqual([
        'unknown_response_version',
        'empty',
      ]);
    });

    it.each([
      ['/v1/validate?AI=true', 'unknown_parameter'],
      ['/v1/validate/enhanced?verbose=1', 'unknown_parameter'],
      [`/v1/validate?${'ai=true&'.repeat(101)}`, 'unknown_parameter'],
      ['/v1/validate?ai=true&ai=false', 'invalid_ai'],
      ['/v1/validate?response=v2&response=v2', 'invalid_response'],
    ])('in the query, unknown or sent twice, is refused: %s', async (path, code) => {
      const { post } = await open();
      const problem = await json(post(path, { name: 'Jane Doe' }));
      expect(problem.errors.map((error: { code: string }) => error.code)).toEqual([code]);
    });

    it('has a page that explains it', async () => {
      const { send } = await open();
      const page = await send('/problems/invalid_request', { key: null });
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect((await send('/problems/nothing', { key: null })).status).toBe(404);
    });
  });
}

export function keyRows(open: () => Promise<TestApp>): void {
  describe('a key', () => {
    it('may come as X-API-Key or as a bearer token, or as both', async () => {
      const { send, key } = await open();
      const mine = key();
      const check = async (headers: Record<string, string>) =>
        (
          await send('/v1/validate', {
            method: 'POST',
            body: GOOD,
            key: null,
            headers: { ...KINDS, ...headers },
          })
        ).status;
      expect(await check({ 'x-api-key': mine })).toBe(200);
      expect(await check({ authorization: `Bearer ${mine}` })).toBe(200);
      expect(await check({ authorization: `bearer ${mine}`, 'x-api-key': mine })).toBe(200);
    });

    it('without the scope may not check', async () => {
      const test = await open();
      const response = await test.post('/v1/validate', JANE, { 'x-api-key': test.key(['admin']) });
      expect([response.status, (await json(response)).code]).toEqual([403, 'forbidden']);
      expect(counted(test)).toBe(0);
    });
  });
}
