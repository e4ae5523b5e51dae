// A server on a store in PostgreSQL answers like a server on a file.
import { describe, expect, it } from 'vitest';
import { freshApp, JANE, json } from '../../kit/app.ts';
import { isWithoutPostgres, sharedPostgres } from '../../kit/graphs/postgres.ts';

describe.skipIf(isWithoutPostgres('a server on a store'))('a server', () => {
  const postgres = sharedPostgres();
  const onPostgres = async () =>
    freshApp({ settings: { store: `url=${await (await postgres()).database()}` } });

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
});
