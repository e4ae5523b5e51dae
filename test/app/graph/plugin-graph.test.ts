// Checks answered from a vendor's service by way of a plugin.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openApp } from '../../../src/app.ts';
import { createCheckerWithoutServer } from '../../../src/app/local-checks.ts';
import { loadConfig } from '../../../src/config.ts';
import { freshApp, JANE, json } from '../../kit/app.ts';
import { freshFolder } from '../../kit/folder.ts';
import { acme } from '../../kit/graphs/acme.ts';
import { behaviourOf } from '../../kit/graphs/stand-in.ts';
import { savePage } from '../../kit/models/plugins-page.ts';

/** Returns settings whose graph is the plugin of the page, or another plugin. */
async function settings(graph: object, plugin?: string) {
  const folder = freshFolder();
  savePage(folder);
  const file = join(folder, plugin === undefined ? 'acme-graph.mjs' : 'own.mjs');
  if (plugin !== undefined) writeFileSync(file, plugin);
  const config = join(folder, 'bonafide.config.json');
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  writeFileSync(config, JSON.stringify({ dataDir, plugins: [file], warmUp: '0s', port: 0, graph }));
  return loadConfig({ env: {}, cwd: folder, file: config });
}

const check = async (graph: object, request: object, plugin?: string) => {
  const checks = createCheckerWithoutServer(await settings(graph, plugin));
  return checks
    .check(request as Record<string, unknown>)
    .then(({ content }) => content as Record<string, any>)
    .finally(checks.close);
};

describe('a vendor’s people', () => {
  test('answer checks, in Bonafide’s words and with their own numbers', async () => {
    const { url } = await acme();
    const graph = { engine: 'acme', options: { url } };
    const answer = await check(graph, JANE);
    expect(answer).toMatchObject({ status: 'HIGH', message: expect.stringMatching(/^VERIFIED/) });
    const { dominant_identity: number } = answer;
    expect(Number.isSafeInteger(number) && number > 0).toBe(true);
    expect(answer.history.first_seen).toBe('2016-04-01T00:00:00.000Z');
    const again = await check(graph, { name: 'Janie Rowe', phones: ['415-555-0134', '2125550177'] });
    expect(
      again.input_validation.phone.inputs.map((row: { match_status: string }) => row.match_status),
    ).toEqual(['Primary Match', 'Unverified']);
    expect(again.dominant_identity).toBe(number);
  });

  test('are shown to `raw` as the vendor told them', async () => {
    const { url } = await acme();
    const { raw } = await check({ engine: 'acme', options: { url } }, { ...JANE, operation: 'raw' });
    expect(raw.graph).toEqual({ population: 52_000_000, matches: 1 });
  });

  test('stand beside one’s own', async () => {
    const { url } = await acme();
    const config = await settings({ engine: ['sqlite', 'acme'], options: { url } });
    const own = await freshApp();
    const checks = createCheckerWithoutServer({ ...config, dataDir: own.folder });
    const { content } = await checks.check(JANE).finally(checks.close);
    const answer = content as Record<string, any>;
    expect(answer.dominant_identity).toBe(2);
    expect(answer.history.first_seen).toBe('2016-04-01T00:00:00.000Z');
  });
});

test.each([
  ['hangs up at once', 'graph_unavailable'],
  ['never begins to answer', 'graph_timeout'],
  ['answers another type', 'graph_bad_response'],
  ['answers another shape', 'graph_bad_response'],
  ['answers a body without end', 'graph_bad_response'],
  ['answers 401', 'graph_bad_response'],
  ['answers 429', 'graph_unavailable'],
  ['redirects', 'graph_bad_response'],
] as const)('a vendor that %s is told as it is', async (fault, code) => {
  const vendor = await acme();
  vendor.behave(behaviourOf(fault));
  const deadlineMs = code === 'graph_timeout' ? 1500 : 20_000;
  const graph = { engine: 'acme', options: { url: vendor.url }, deadlineMs };
  await expect(check(graph, JANE)).rejects.toMatchObject({ code });
});

const own = (lookUp: string) => `import { defineGraph } from 'bonafide/plugin';
export default defineGraph({ name: 'own', version: '1.0.0', lookUp: ${lookUp} });`;
const PERSON = `{ id: 1, names: ['Jane Quimby'], has: [{ value: 0 }] }`;

test.each([
  ['throws', `() => { throw new Error('jane.quimby@example.com'); }`, 'graph_bad_response'],
  ['never ends', `() => { for (;;); }`, 'graph_timeout'],
  ['never answers', `() => new Promise(() => undefined)`, 'graph_timeout'],
  ['ends its thread', `() => process.exit(1)`, 'graph_unavailable'],
  ['answers nothing', `() => undefined`, 'graph_bad_response'],
  ['answers a text', `() => 'x'`, 'graph_bad_response'],
  ['knows fewer than it tells of', `() => ({ total: 0, people: [${PERSON}] })`, 'graph_bad_response'],
  [
    'tells of what nobody asked',
    `() => ({ total: 9, people: [{ id: 1, names: [], has: [{ value: 99 }] }] })`,
    'graph_bad_response',
  ],
  ['names somebody twice', `() => ({ total: 9, people: [${PERSON}, ${PERSON}] })`, 'graph_bad_response'],
  ['tells a date that is none', `() => ({ total: 9, people: [], newest: 'soon' })`, 'graph_bad_response'],
  ['tells too much', `() => ({ total: 9, people: [], payload: 'x'.repeat(300000) })`, 'graph_bad_response'],
])('a plugin that %s harms nobody', async (_, lookUp, code) => {
  // Only the plugin that never answers must reach its deadline.
  const deadlineMs = code === 'graph_timeout' ? 1000 : 20_000;
  const error = await check({ engine: 'own', deadlineMs }, JANE, own(lookUp)).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code });
  expect(String(error)).not.toMatch(/jane|upstream/);
});

test.each([
  [{ engine: 'nobody' }, /Unknown graph engine nobody in graph.engine/],
  [{ engine: 'acme', options: {} }, /graph plugin acme \(setting graph.options\) are invalid: options: url/],
])('what the settings get wrong is told at the start', async (graph, says) => {
  const opening = openApp(await settings(graph));
  await expect(opening).rejects.toMatchObject({
    code: 'invalid_config',
    message: expect.stringMatching(says),
  });
});

test('a plugin that fails when it reads its options is named at the start', async () => {
  const plugin = `import { defineGraph, v } from 'bonafide/plugin';
export default defineGraph({ name: 'own', version: '1.0.0', lookUp: () => ({ total: 0, people: [] }),
  options: v.pipe(v.object({}), v.transform(() => { throw new Error('x'); })) });`;
  await expect(openApp(await settings({ engine: 'own' }, plugin))).rejects.toMatchObject({
    code: 'graph_bad_response',
    message: expect.stringContaining('The graph plugin own threw an error'),
  });
});

test('a server answers from it, and is not ready while it is away', async () => {
  const vendor = await acme();
  const app = await openApp(
    await settings({ engine: 'acme', options: { url: vendor.url }, deadlineMs: 1000 }),
  );
  expect((await json(app.http.fetch(new Request('http://localhost/readyz')))).graph).toBe('ok');
  await app.close();
});
