// Test keys: invented people only, nothing billed.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SAMPLE_FOLDER } from '../../src/platform/assets.ts';
import { createLazySampleGraph } from '../../src/app/sample.ts';
import { createKey } from '../../src/store/keys.ts';
import { freshApp, JANE, json } from '../kit/app.ts';
import type { TestApp } from '../kit/app.ts';
import { freshFolder } from '../kit/folder.ts';
import { queryOf } from '../kit/graphs/graph.ts';

const DEMO = JSON.parse(readFileSync(join(SAMPLE_FOLDER, 'demo-request.json'), 'utf8')) as object;

const testKey = ({ app }: TestApp) =>
  createKey(app.store, { name: 'tests', scopes: ['validate', 'raw'], test: true }, Date.now()).key;

describe('a test key', () => {
  it('is answered from the sample, whatever the folder holds, and a live key never', async () => {
    const test = await freshApp();
    const key = { 'x-api-key': testKey(test) };
    const invented = await test.post('/v1/validate', DEMO, key);
    expect([invented.status, invented.headers.get('bonafide-mode')]).toEqual([200, 'test']);
    expect((await json(invented)).dominant_identity).not.toBeNull();
    const jane = await json(test.post('/v1/validate', { ...JANE, operation: 'raw' }, key));
    expect([jane.dominant_identity, jane.raw.graph.identities]).toEqual([null, []]);

    const live = await test.post('/v1/validate', DEMO);
    expect(live.headers.get('bonafide-mode')).toBeNull();
    expect((await json(live)).dominant_identity).toBeNull();
    expect((await json(test.post('/v1/validate', JANE))).dominant_identity).toBe(1);
  });

  it('is in the stream as a test, for its own account only, and counts nothing', async () => {
    const test = await freshApp();
    const key = testKey(test);
    const { request_id: id } = await json(test.post('/v1/validate/enhanced', DEMO, { 'x-api-key': key }));
    expect(await json(test.send(`/v1/requests/${id}`, { key }))).toMatchObject({
      request_id: id,
      test: true,
    });
    expect((await test.send(`/v1/requests/${id}`)).status).toBe(404);
    expect(await json(test.send('/v1/usage', { key }))).toMatchObject({ calls: 0 });
    const own = await json(test.post('/v1/validate', JANE));
    expect(await json(test.send(`/v1/requests/${own.request_id}`))).toMatchObject({ test: false });
    expect(await json(test.send('/v1/usage'))).toMatchObject({ calls: 1 });
  });
});

describe('the sample graph of a folder', () => {
  const query = queryOf({ name: 'Bob Hale' });
  const kept = (folder: string) => readdirSync(join(folder, 'sample'));

  it('is made once, by whichever of several servers is first', async () => {
    const folder = freshFolder();
    const graphs = [createLazySampleGraph(folder), createLazySampleGraph(folder)];
    const answers = await Promise.all(graphs.map((graph) => graph.resolve(query)));
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]!.total).toBeGreaterThan(100);
    for (const graph of graphs) await graph.close();
    expect(kept(folder)).toHaveLength(1);
  });

  it('that is damaged, or of which a half is gone, is made anew', async () => {
    const folder = freshFolder();
    const asked = async () => {
      const graph = createLazySampleGraph(folder);
      return graph.resolve(query).finally(() => graph.close());
    };
    const { total } = await asked();
    const file = join(folder, 'sample', kept(folder)[0]!, 'graph.db');
    writeFileSync(file, 'x'.repeat(9000));
    expect((await asked()).total).toBe(total);
    rmSync(file);
    expect((await asked()).total).toBe(total);
  });

  it('that cannot be made is made when there is room again', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'sample'), '');
    const graph = createLazySampleGraph(folder);
    const told = { code: 'graph_unavailable', message: expect.stringContaining('(EEXIST)') };
    await expect(graph.resolve(query)).rejects.toMatchObject(told);
    expect(existsSync(join(folder, 'sample', 'x'))).toBe(false);
    await graph.close();
  });
});
