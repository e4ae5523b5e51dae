import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshApp, importPeople, JANE, json, sharedApp } from '../kit/app.ts';
import { freshFolder } from '../kit/folder.ts';
import { lookUpRows } from './rows/look-ups.ts';

lookUpRows(sharedApp());

describe('the other addresses', () => {
  it('OPTIONS lists the methods, HEAD answers like GET without a body', async () => {
    const { send } = await freshApp();
    const options = await send('/v1/validate', { method: 'OPTIONS', key: null });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
    const head = await send('/healthz', { method: 'HEAD', key: null });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('healthz answers ok, readyz names the part that is not ready', async () => {
    const { send, app, logged } = await freshApp();
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
    expect(logged()).toContain('"level":"info"');
    expect(logged()).not.toContain('"level":"error"');
    await app.listen();
    const after = await send('/readyz', { key: null });
    expect([after.status, (await json(after)).status]).toEqual([200, 'ready']);
  });

  it('readyz names a feature whose plugin is missing, and is ready', async () => {
    const dataDir = freshFolder();
    await importPeople(dataDir);
    const settings = { features: { fraud_detection: { model: 'gone' } } };
    writeFileSync(join(dataDir, 'features.json'), JSON.stringify(settings));
    const { app, post, send, key, logged } = await freshApp({ settings: { dataDir } });
    await app.listen();
    const ready = await send('/readyz', { key: null });
    expect(ready.status).toBe(200);
    expect(await json(ready)).toMatchObject({ features: { fraud_detection: 'plugin_missing' } });
    expect(logged()).toContain('bonafide features off fraud_detection');
    expect((await post('/v1/validate', JANE)).status).toBe(200);
    const { features } = await json(send('/admin/v1/features', { key: key(['admin']) }));
    expect(features[1]).toMatchObject({ on: false, problem: expect.stringContaining('no model "gone"') });
  });

  it('the request id of a client is ignored, its trace id is logged', async () => {
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
