// Tests of looking up one's own calls, for several programs: `open` returns a server together with a program
// that calls it.
import { describe, expect, it } from 'vitest';
import { getMonthOfTime } from '../../../src/accounts/time.ts';
import { countCallsOfApiKeyChain } from '../../../src/store/usage.ts';
import { JANE, json, type TestApp } from '../../kit/app.ts';

export function lookUpRows(open: () => Promise<TestApp>): void {
  describe('the look-ups', () => {
    it('show a caller its earlier call, and never what was submitted', async () => {
      const test = await open();
      const id = (await test.post('/v1/validate?response=v2', JANE)).headers.get('x-request-id');
      const response = await test.send(`/v1/requests/${id}`);
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({
        request_id: id,
        endpoint: '/v1/validate',
        response_version: 'v2',
        intent: 'general',
        scoring_model: 23,
        status: 'HIGH',
        values: { emails: 1, phones: 1, addresses: 1 },
        different_identity: 0,
        unverified: 0,
      });
      expect(text).not.toMatch(/Jane|example|555|Larch/i);
      expect((await test.send(`/v1/requests/${id}`, { key: test.key() })).status).toBe(404);
      expect((await test.send(`/v1/requests/${id}`, { key: null })).status).toBe(401);
    });

    it('store the last outcome of a call, for its caller only', async () => {
      const test = await open();
      const id = (await test.post('/v1/validate', JANE)).headers.get('x-request-id');
      const path = `/v1/requests/${id}/outcome`;
      const genuine = async () => (await json(test.send(`/v1/requests/${id}`))).genuine;
      expect(await genuine()).toBeNull();
      expect(await json(test.post(path, { genuine: true }))).toEqual({ request_id: id, genuine: true });
      expect(await genuine()).toBe(true);
      expect((await test.post(path, { genuine: false })).status).toBe(200);
      expect(await genuine()).toBe(false);

      for (const body of [{}, { genuine: 'yes' }, { genuine: true, name: 'Jane Quimby' }]) {
        const refused = await test.post(path, body);
        expect([refused.status, await refused.text()]).toEqual([422, expect.not.stringContaining('Jane')]);
      }
      expect((await test.post('/v1/requests/req_unknown/outcome', { genuine: true })).status).toBe(404);
      const other = { method: 'POST', key: test.key(), body: '{"genuine":true}' };
      expect((await test.send(path, other)).status).toBe(404);
      expect(await genuine()).toBe(false);
      expect(countCallsOfApiKeyChain(test.app.store, 'nobody', getMonthOfTime(Date.now()))).toBe(0);
      expect((await json(test.send('/v1/usage'))).calls).toBe(1);
    });

    it('count accepted checks of the month only', async () => {
      const test = await open();
      await test.post('/v1/validate', JANE);
      await test.post('/v1/validate', { name: '' });
      await test.post('/v1/validate/enhanced', { name: 'Jane Quimby' });
      const body = await json(test.send('/v1/usage'));
      const nothing = { included: null, overage: 0, amount: null, limits: null };
      expect(body).toEqual({ month: getMonthOfTime(Date.now()), calls: 2, ...nothing });
      expect(countCallsOfApiKeyChain(test.app.store, 'nobody', getMonthOfTime(Date.now()))).toBe(0);
    });
  });
}
