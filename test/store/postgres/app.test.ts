// A server on a store in PostgreSQL answers like a server on a file.
import { describe, expect, it, vi } from 'vitest';
import { freshApp, JANE, json } from '../../kit/app.ts';
import { isWithoutPostgres, sharedPostgres } from '../../kit/graphs/postgres.ts';

describe.skipIf(isWithoutPostgres('a server on a store'))('a server', () => {
  const postgres = sharedPostgres();
  const onPostgres = async (settings: Record<string, string> = {}) =>
    freshApp({ settings: { store: `url=${await (await postgres()).database()}`, ...settings } });

  it('gives the same answers in both engines, byte for byte except for ids and times', async () => {
    const [here, there] = [await freshApp(), await onPostgres()];
    const same = (text: string) =>
      text.replaceAll(/req_[0-9a-z]{26}/g, 'req').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
    for (const [path, body] of [
      ['/v1/validate', JANE],
      ['/v1/validate?response=v2', JANE],
      ['/v1/validate', { name: 'Nobody Known', emails: ['nobody@example.net'] }],
      ['/v1/validate/enhanced', JANE],
      ['/v1/validate', { name: '' }],
    ] as const) {
      const [one, two] = [await here.post(path, body), await there.post(path, body)];
      expect(two.status).toBe(one.status);
      expect(same(await two.text())).toBe(same(await one.text()));
      expect(two.headers.get('ratelimit')).toBe(one.headers.get('ratelimit'));
    }
  });

  it('shows callers their own calls, and the operator all calls', async () => {
    const test = await onPostgres();
    const made = await test.post('/v1/validate', JANE);
    const id = made.headers.get('x-request-id') ?? '';
    expect(await json(test.send(`/v1/requests/${id}`))).toMatchObject({ request_id: id });
    expect(await json(test.send('/v1/usage'))).toMatchObject({ calls: 1 });
    const admin = test.key(['admin']);
    const asked = (path: string) => json(test.send(`/admin/v1/${path}`, { key: admin }));
    expect((await asked('keys')).items).toHaveLength(2);
    expect((await asked('requests')).items).toHaveLength(1);
    expect((await asked('audit')).items).toHaveLength(2);
    expect(await (await test.send('/metrics', { key: admin })).text()).toContain('bonafide_checks_total');
    expect(await json(test.send('/readyz'))).toMatchObject({ store: 'ok' });
    expect(test.files()).not.toContain('store.db');
  });

  it('works through a job, whose lines count once, and whose end is an event', async () => {
    const test = await onPostgres();
    const requests = [{ ...JANE, reference: 'r-1' }, { name: '' }, { name: 'Nobody Known' }];
    const headers = { 'idempotency-key': 'people' };
    const created = await test.post('/v1/jobs', { requests }, headers);
    expect(created.status).toBe(202);
    const { job_id: id } = await json(created);
    expect((await json(test.post('/v1/jobs', { requests }, headers))).job_id).toBe(id);
    const finished = () => json(test.send(`/v1/jobs/${id}`));
    await vi.waitFor(async () => expect((await finished()).state).toBe('finished'), 120_000);
    expect(await finished()).toMatchObject({ total: 3, done: 3, failed: 1, left: 0 });
    const results = (await (await test.send(`/v1/jobs/${id}/results`)).text()).trim().split('\n');
    expect(results.map((line) => JSON.parse(line))).toMatchObject([
      { line: 1, reference: 'r-1', status: 200, answer: { status: 'HIGH' } },
      { line: 2, status: 422, problem: { code: 'invalid_request' } },
      { line: 3, status: 200 },
    ]);
    expect(await json(test.send('/v1/usage'))).toMatchObject({ calls: 2 });
    expect((await json(test.send('/v1/events'))).events).toMatchObject([
      { type: 'job.finished', job_id: id },
    ]);
    expect((await test.send(`/v1/jobs/${id}`, { key: test.key() })).status).toBe(404);
    expect((await test.send(`/v1/jobs/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await test.send(`/v1/jobs/${id}`)).status).toBe(404);
  });

  it('keeps watches, and records an event when a fed record changes a verdict', async () => {
    const test = await onPostgres({ watches: 'true' });
    const claim = { name: 'Ottoline Brackenridge', emails: ['ottoline.b@example.net'] };
    const watch = await json(test.post('/v1/watches', claim));
    await test.post('/v1/watches', JANE);
    const { next, watches } = await json(test.send('/v1/watches?limit=1'));
    expect(watches).toEqual([watch]);
    expect((await json(test.send(`/v1/watches?cursor=${next}`))).watches).toHaveLength(1);
    const admin = test.key(['admin', 'graph']);
    const asked = (path: string) => json(test.send(`/admin/v1/${path}`, { key: admin }));
    expect(await asked('watches?status=HIGH&limit=1')).toMatchObject({
      total: 2,
      items: [{ status: 'HIGH' }],
    });
    await test.send('/admin/v1/records?source=feed', {
      key: admin,
      method: 'POST',
      body: `${JSON.stringify({ record_id: '9', ...claim })}\n`,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    const events = async () => (await asked(`events?subject=${watch.watch_id}`)).items;
    await vi.waitFor(async () => expect(await events()).toHaveLength(1), 120_000);
    expect(await events()).toMatchObject([{ type: 'watch.changed', after: { status: 'MEDIUM' } }]);
    expect((await test.send(`/v1/watches/${watch.watch_id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await asked('audit?act=watches.create')).items).toHaveLength(2);
  });
});
