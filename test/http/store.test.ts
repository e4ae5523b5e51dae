import { copyFileSync, renameSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
// Answers while the store cannot be used.
import { describe, expect, it, test, vi } from 'vitest';
import { BonafideError } from '../../src/errors.ts';
import { toProblem } from '../../src/http/problems.ts';
import { createKey } from '../../src/store/keys.ts';
import { administered } from './admin/kit.ts';
import { getStoreFile } from '../../src/store/sqlite/open.ts';
import { freshApp, JANE, json } from '../kit/app.ts';

describe('a store that cannot be used', () => {
  it('because keys cannot be read is 503, never 401, 403 or 500, and nothing is counted', async () => {
    const test = await freshApp();
    test.app.store.raw.exec('ALTER TABLE keys RENAME TO hidden');
    for (const path of ['/v1/validate', '/v1/validate/enhanced']) {
      const response = await test.post(path, JANE);
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await json(response)).toMatchObject({ code: 'store_unavailable' });
    }
    for (const path of ['/v1/usage', '/v1/requests/req_x']) expect((await test.send(path)).status).toBe(503);
    expect(await json(test.send('/readyz', { key: null }))).toMatchObject({ store: 'failed' });
    test.app.store.raw.exec('ALTER TABLE hidden RENAME TO keys');
    expect(await json(test.send('/v1/usage'))).toMatchObject({ calls: 0 });
  });

  it('because the call cannot be written is 503 with Retry-After, and the log says what to do', async () => {
    const test = await freshApp();
    test.app.store.raw.exec(
      `CREATE TRIGGER full BEFORE INSERT ON calls BEGIN SELECT raise(ABORT, 'full'); END`,
    );
    const response = await test.post('/v1/validate', JANE);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ code: 'store_unavailable' });
    expect(text).not.toContain(test.folder);
    const lines = test.logged().trim().split('\n');
    expect(lines.filter((line) => line.includes('"error"')).map((line) => JSON.parse(line))).toMatchObject([
      {
        status: 503,
        code: 'store_unavailable',
        cause: expect.stringContaining(`${getStoreFile(test.folder)} could not be used`),
      },
    ]);
    const { app } = test;
    app.store.raw.exec('DROP TRIGGER full');
    expect((await test.post('/v1/validate', JANE)).status).toBe(200);
  });

  it('because its file was replaced is 503 for the next call', async () => {
    const test = await freshApp();
    expect((await test.post('/v1/validate', JANE)).status).toBe(200);
    const file = getStoreFile(test.folder);
    await setTimeout(100);
    renameSync(file, `${file}.moved`);
    copyFileSync(`${file}.moved`, file);
    expect((await test.post('/v1/validate', JANE)).status).toBe(503);
    renameSync(`${file}.moved`, file);
    await vi.waitFor(async () => expect((await test.post('/v1/validate', JANE)).status).toBe(200), 5000);
  });

  it('because an administrative change cannot be written is logged with the same cause', async () => {
    const test = administered(await freshApp());
    test.app.store.raw.exec('BEGIN IMMEDIATE');
    expect(await test.refusal('POST', 'keys', { name: 'shop' })).toMatchObject({
      status: 503,
      code: 'store_unavailable',
    });
    test.app.store.raw.exec('ROLLBACK');
    const lines = test.logged().trim().split('\n');
    const logged = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
    expect(logged).toMatchObject([
      { status: 503, cause: expect.stringContaining(`${getStoreFile(test.folder)} is locked`) },
    ]);
  });

  it.each([
    'disk_full',
    'disk_failed',
    'out_of_memory',
    'database_busy',
    'read_only',
    'damaged_database',
    'unreadable_file',
  ] as const)('for the reason %s is one code to callers, and no path is told', (code) => {
    const { detail, headers, code: told } = toProblem(new BonafideError(code, '/srv/x/store.db is full.'));
    expect([told, headers]).toEqual(['store_unavailable', [['retry-after', '5']]]);
    expect(detail).not.toContain('srv');
  });
});

describe('failed authentications', () => {
  it('of one address are 429 after a hundred in a minute, and a valid key from there passes', async () => {
    const test = await freshApp();
    const bad = () => test.send('/v1/usage', { key: 'bf_live_nonsense' });
    const statuses = [];
    for (let i = 0; i < 102; i++) statuses.push((await bad()).status);
    expect(statuses.slice(98)).toEqual([401, 401, 429, 429]);
    const refused = await bad();
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(await json(refused)).toMatchObject({ code: 'rate_limited', status: 429 });
    expect((await test.send('/v1/usage', { key: null })).status).toBe(429);
    expect((await test.send('/v1/usage')).status).toBe(200);
  });
});

test('a key with 600 refusals is 429 before its body is read; its usage, other keys and the metrics go on', async () => {
  const app = await freshApp();
  const { key } = createKey(app.app.store, { name: 'x', scopes: ['validate'] }, Date.now());
  const headers = { 'content-type': 'application/json' };
  const wrong = (body: string | ReadableStream = '{"name":7}') =>
    app.send('/v1/validate', { key, headers, method: 'POST', body, duplex: 'half' } as RequestInit);
  const statuses = new Map<number, number>();
  for (let i = 0; i < 700; i++) {
    const { status } = await wrong();
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect(statuses.get(422)).toBeGreaterThanOrEqual(600);
  expect([...statuses.keys()]).toEqual([422, 429]);
  // Ten refusals a second are allowed again: on a busy machine one may be between two requests.
  const afterLimit = async (send: () => Promise<Response>) => {
    for (let tries = 0; ; tries++) {
      while ((await wrong()).status !== 429);
      const response = await send();
      if (response.status === 429 || tries === 20) return response;
    }
  };
  let reads = 0;
  const refused = await afterLimit(() => {
    reads = 0;
    return wrong(new ReadableStream({ pull: () => void reads++ }, { highWaterMark: 0 }));
  });
  expect([refused.status, refused.headers.get('retry-after'), reads]).toEqual([429, '1', 0]);
  expect(await json(refused)).toMatchObject({
    code: 'rate_limited',
    detail: expect.stringContaining('this key'),
  });
  expect((await app.send('/v1/usage', { key })).status).toBe(200);
  expect((await afterLimit(() => app.send('/v1/requests/req_x', { key }))).status).toBe(429);
  expect((await app.post('/v1/validate', JANE)).status).toBe(200);
  const metrics = await (await app.send('/metrics', { key: null })).text();
  expect(metrics).toMatch(/^bonafide_slowed_requests_total\{limit="key"\} [1-9]/m);
});
