import { describe, expect, it } from 'vitest';
import { createRequestId } from '../../../src/platform/request-id.ts';
import { freshApp, sharedApp, JANE, json } from '../../kit/app.ts';
import type { TestApp } from '../../kit/app.ts';
import { counted, loggedCalls } from '../rows/counted.ts';

const open = sharedApp();

const counts = (test: TestApp) => [counted(test), loggedCalls(test)];
const MS_PER_DAY = 86_400_000;
const KEY = { 'idempotency-key': '8e03978e-40d5-43dd-bc93-6894a57f9324' };
const idOf = async (response: Response) => {
  const { request_id: id } = await json(response);
  expect(response.headers.get('x-request-id')).toBe(id);
  return id as string;
};

describe('a retry with the same Idempotency-Key', () => {
  it.each(['/v1/validate', '/v1/validate?ai=true', '/v1/validate/enhanced'])(
    'counts once and has the same request id and answer, at %s',
    async (path) => {
      const test = await open();
      const first = await test.post(path, JANE, KEY);
      const again = await test.post(path, JANE, { 'idempotency-key': `"${KEY['idempotency-key']}"` });
      expect([first.status, again.status]).toEqual([200, 200]);
      const replayed = (response: Response) => response.headers.get('idempotency-replayed');
      expect([replayed(first), replayed(again)]).toEqual([null, 'true']);
      const bodies = [await first.text(), await again.text()];
      expect(bodies[1]).toBe(bodies[0]);
      const { request_id: id } = JSON.parse(bodies[0] ?? '');
      expect(again.headers.get('x-request-id')).toBe(id);
      expect(counts(test)).toEqual([1, 1]);
      expect((await test.send(`/v1/requests/${id}`)).status).toBe(200);
    },
  );

  it('has the same answer after the clock was set back', async () => {
    const test = await open();
    createRequestId(Date.now() + 2 * MS_PER_DAY);
    const [first, again] = [
      await test.post('/v1/validate', JANE, KEY),
      await test.post('/v1/validate', JANE, KEY),
    ];
    expect(await again.text()).toBe(await first.text());
  });

  it('is computed again: it may ask for another version of the answer', async () => {
    const test = await open();
    const first = await json(test.post('/v1/validate', JANE, KEY));
    const again = await json(test.post('/v1/validate', JANE, { ...KEY, 'accept-version': 'v2' }));
    expect(again).toMatchObject({ response_version: 'v2', request_id: first.request_id });
    expect(counts(test)).toEqual([1, 1]);
  });

  it.each([
    ['body', '/v1/validate', { name: 'Jane Quimby' }],
    ['spelling of the body', '/v1/validate', ` ${JSON.stringify(JANE)}`],
    ['path', '/v1/validate/enhanced', JANE],
    ['query', '/v1/validate?ai=false', JANE],
  ])('but another %s is refused, and not counted', async (_, path, body) => {
    const test = await open();
    await test.post('/v1/validate', JANE, KEY);
    const other = await test.post(path, body, KEY);
    expect([other.status, (await json(other)).code]).toEqual([422, 'idempotency_mismatch']);
    expect(counts(test)).toEqual([1, 1]);
  });

  it('with another API key is another call', async () => {
    const test = await open();
    const id = await idOf(await test.post('/v1/validate', JANE, KEY));
    const other = await test.send('/v1/validate', {
      key: test.key(),
      method: 'POST',
      body: JSON.stringify(JANE),
      headers: { 'content-type': 'application/json', ...KEY },
    });
    expect(await idOf(other)).not.toBe(id);
    expect(counts(test)).toEqual([2, 2]);
  });

  it('during the first call is told to wait, and counts once', async () => {
    // The first call of a new app takes longer than it takes to send the others.
    const test = await freshApp();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => test.post('/v1/validate/enhanced', JANE, KEY)),
    );
    // A call that is sent after the first has ended gets its answer again.
    const told = answers.filter(({ headers }) => headers.get('idempotency-replayed') === null);
    const waiting = told.filter(({ status }) => status === 409);
    expect(told.length - waiting.length).toBe(1);
    expect(waiting.length).toBeGreaterThan(0);
    for (const { headers } of waiting) expect(headers.get('retry-after')).toBe('1');
    const refused = answers.find(({ status }) => status === 409);
    expect(await json(refused as Response)).toMatchObject({ code: 'idempotency_in_progress' });
    expect((await test.post('/v1/validate/enhanced', JANE, KEY)).status).toBe(200);
    expect(counts(test)).toEqual([1, 1]);
  });

  it('of a refused call is a first call: only a 200 uses the key up', async () => {
    const test = await open();
    expect((await test.post('/v1/validate', { name: '' }, KEY)).status).toBe(422);
    expect((await test.post('/v1/validate', '{', KEY)).status).toBe(400);
    expect((await test.post('/v1/validate', JANE, KEY)).headers.get('idempotency-replayed')).toBeNull();
    expect(counts(test)).toEqual([1, 1]);
  });

  it('of a failed call is a first call', async () => {
    const test = await freshApp();
    test.app.store.raw.exec(
      "CREATE TRIGGER broken BEFORE INSERT ON calls BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    expect((await test.post('/v1/validate', JANE, KEY)).status).toBe(503);
    test.app.store.raw.exec('DROP TRIGGER broken');
    expect((await test.post('/v1/validate', JANE, KEY)).status).toBe(200);
    expect(counts(test)).toEqual([1, 1]);
  });
});

describe('an Idempotency-Key', () => {
  it('that is malformed is listed with the other broken rules', async () => {
    const test = await open();
    const body = await json(test.post('/v1/validate?ai=yes', { name: '' }, { 'idempotency-key': '"' }));
    expect(body.errors.map(({ code }: { code: string }) => code)).toEqual(
      expect.arrayContaining(['invalid_idempotency_key', 'invalid_ai', 'empty']),
    );
  });

  it('is never written to disk, nor is its body', async () => {
    const test = await open();
    const secret = 'Zq7xIdempotent';
    await test.post('/v1/validate', { name: 'Wilhelmina Zq7xBody' }, { 'idempotency-key': secret });
    expect(test.everyByte()).not.toMatch(/Zq7x/);
    expect(test.logged()).not.toMatch(/Zq7x/);
  });

  it('creates no file if no call has one', async () => {
    const test = await freshApp();
    await test.post('/v1/validate', JANE);
    expect(test.app.config.idempotencyWindow).toBe('24h');
    expect(test.files()).not.toContain('limits.db');
  });
});
