import { describe, expect, it } from 'vitest';
import { monthOf } from '../../src/accounts/billing/month.ts';
import { callsIn } from '../../src/store/sqlite/usage.ts';
import { freshApp, JANE, json } from '../kit/app.ts';

describe('the look-ups', () => {
  it('show a caller its own earlier call, and never what was submitted', async () => {
    const test = await freshApp();
    const id = (await test.post('/v1/validate?response=v2', JANE)).headers.get('x-request-id');
    const response = await test.send(`/v1/requests/${id}`);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({
      request_id: id,
      endpoint: '/v1/validate',
      response_version: 'v2',
      intent: 'general',
      scoring_model: 4,
      status: 'HIGH',
      values: { emails: 1, phones: 1, addresses: 1 },
      different_identity: 0,
      unverified: 0,
    });
    expect(text).not.toMatch(/Jane|example|555|Larch/i);
    expect((await test.send(`/v1/requests/${id}`, { key: test.key() })).status).toBe(404);
    expect((await test.send(`/v1/requests/${id}`, { key: null })).status).toBe(401);
  });

  it('keep how a call turned out, for its caller alone, and the last that was told', async () => {
    const test = await freshApp();
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
    expect(callsIn(test.app.store, 'nobody', monthOf(Date.now()))).toBe(0);
    expect((await json(test.send('/v1/usage'))).calls).toBe(1);
  });

  it('count the month: only accepted checks', async () => {
    const test = await freshApp();
    await test.post('/v1/validate', JANE);
    await test.post('/v1/validate', { name: '' });
    await test.post('/v1/validate/enhanced', { name: 'Jane Quimby' });
    const body = await json(test.send('/v1/usage'));
    const nothing = { included: null, overage: 0, amount: null, limits: null };
    expect(body).toEqual({ month: monthOf(Date.now()), calls: 2, ...nothing });
    expect(callsIn(test.app.store, 'nobody', monthOf(Date.now()))).toBe(0);
  });
});

describe('around the operations', () => {
  it('OPTIONS tells the methods, HEAD answers like GET without a body', async () => {
    const { send } = await freshApp();
    const options = await send('/v1/validate', { method: 'OPTIONS', key: null });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
    const head = await send('/healthz', { method: 'HEAD', key: null });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('healthz says it lives, readyz says which part is not ready yet', async () => {
    const { send, app } = await freshApp();
    expect(await json(send('/healthz', { key: null }))).toEqual({ status: 'ok' });
    const before = await send('/readyz', { key: null });
    expect([before.status, await json(before)]).toEqual([
      503,
      {
        status: 'not ready',
        store: 'ok',
        graph: 'ok',
        warm_up: 'starting',
        log: 'ok',
        log_lines_lost: 0,
      },
    ]);
    await app.listen();
    const after = await send('/readyz', { key: null });
    expect([after.status, (await json(after)).status]).toEqual([200, 'ready']);
  });

  it("a client's request id is ignored, its trace id logged", async () => {
    const test = await freshApp();
    const trace = '0af7651916cd43dd8448eb211c80319c';
    const response = await test.post('/v1/validate', JANE, {
      'x-request-id': 'mine',
      traceparent: `00-${trace}-b7ad6b7169203331-01`,
    });
    expect(response.headers.get('x-request-id')).not.toBe('mine');
    expect(test.logged()).toContain(`"trace":"${trace}"`);
    await test.post('/v1/validate', JANE, { traceparent: '00-Marked-1-01' });
    expect(test.logged()).not.toContain('Marked');
  });
});
