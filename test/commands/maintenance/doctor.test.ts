// Findings of `bonafide doctor` about graphs outside of the data folder.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PEOPLE } from '../../kit/app.ts';
import { runHere } from '../../kit/cli.ts';
import { freshFolder } from '../../kit/folder.ts';
import { acme } from '../../kit/graphs/acme.ts';
import { office } from '../../kit/graphs/servers.ts';
import { answering, behaviourOf, EMPTY, standIn } from '../../kit/graphs/stand-in.ts';
import { filledFolder } from '../../maintenance/kit.ts';
import { savePage } from '../../kit/models/plugins-page.ts';

/** Returns the findings about graphs, and the whole output. */
async function graphsOf(settings: object) {
  const folder = freshFolder();
  const config = join(folder, 'bonafide.config.json');
  writeFileSync(config, JSON.stringify({ dataDir: folder, ...settings }));
  const { stdout } = await runHere(['doctor', '--json', '--config', config]);
  const found = JSON.parse(stdout) as { check: string; state: string; says: string; todo: string | null }[];
  return { found: found.filter(({ check }) => check === 'graph'), stdout };
}

const upstream = (url: string, keyFile: string) => ({
  graph: { engine: 'upstream', url, keyFile, deadlineMs: 20_000 },
});

test('it is reported with its latency, its protocol version and its number of identities', async () => {
  const behind = await office(PEOPLE);
  const { found } = await graphsOf(upstream(behind.url, behind.keyFile));
  const says = expect.stringMatching(
    /^upstream at 127\.0\.0\.1:\d+ answers in \d+ ms, accepts the key, supports protocol version 1, and has 2 identities$/,
  );
  expect(found).toEqual([{ check: 'graph', state: 'ok', says, todo: null }]);
});

test('a machine without a data folder that asks an upstream graph is in order', async () => {
  const behind = await office(PEOPLE);
  const config = join(freshFolder(), 'bonafide.config.json');
  const dataDir = join(freshFolder(), 'none');
  writeFileSync(config, JSON.stringify({ dataDir, ...upstream(behind.url, behind.keyFile) }));
  const { code, stdout, stderr } = await runHere(['doctor', '--config', config]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).not.toMatch(/WARNING|BAD/);
});

test('its problem is reported with its address and without its key', async () => {
  const behind = await office(PEOPLE);
  const keyFile = join(freshFolder(), 'key');
  const said = async (key: string, url = behind.url) => {
    writeFileSync(keyFile, key);
    const { found, stdout } = await graphsOf(upstream(url, keyFile));
    expect(stdout).not.toContain(key);
    return found.map(({ state, says, todo }) => `${state}: ${says} ${todo}`).join('\n');
  };
  expect(await said('bf_live_unknown')).toMatch(
    /^bad: .* answered 401: it does not know the key of graph.keyFile/,
  );
  expect(await said(behind.key(['validate']))).toMatch(
    /^bad: .* answered 403: the key does not have the scope graph/,
  );
  const key = readFileSync(behind.keyFile, 'utf8').trim();
  expect(await said(key, `${behind.url}/elsewhere`)).toMatch(
    /^bad: .* 404: .*does not serve its graph \(graph.serve\), or it has another version/,
  );
  expect(await said(key, 'http://127.0.0.1:1')).toMatch(/^bad: .* cannot be reached \(ECONNREFUSED\)/);
  const odd = await standIn();
  odd.behave(behaviourOf('answers another shape'));
  expect(await said(key, odd.url)).toMatch(/^bad: .*does not match the schema.* bonafide docs upstream$/);
  const seven = answering({ ...EMPTY, total: 7 });
  const uncounted = answering({}, 404);
  odd.behave((response, request, body) =>
    (request.url === '/graph/v1/stats' ? uncounted : seven)(response, request, body),
  );
  expect(await said(key, odd.url)).toMatch(
    /^warning: .* has 7 identities\. Queries are answered, but the counts/,
  );
});

test('a test key is reported: its people are invented', async () => {
  const keyFile = join(freshFolder(), 'key');
  writeFileSync(keyFile, 'bf_test_made_up');
  const { found } = await graphsOf(upstream((await standIn()).url, keyFile));
  expect(found).toMatchObject([{ state: 'warning', says: expect.stringMatching(/is a test key/) }]);
});

test('an embedded graph is opened, unless its files are damaged', async () => {
  const folder = await filledFolder();
  const says = '5 records of 5 identities';
  expect((await graphsOf({ dataDir: folder })).found).toEqual([
    { check: 'graph', state: 'ok', says, todo: null },
  ]);
  writeFileSync(join(folder, 'records.db'), 'no database at all');
  expect((await graphsOf({ dataDir: folder })).found).toEqual([]);
});

test('each of several graphs has a finding, also the graph of a plugin', async () => {
  const folder = freshFolder();
  savePage(folder);
  const { url } = await acme();
  const settings = {
    plugins: [join(folder, 'acme-graph.mjs')],
    graph: {
      engine: ['sqlite', 'acme', 'upstream'],
      deadlineMs: 20_000,
      url: 'http://127.0.0.1:1',
      options: { url },
    },
  };
  const { found } = await graphsOf(settings);
  expect(found.map(({ state, says }) => `${state}: ${says.replace(/\d+ ms/, 'N ms')}`)).toEqual([
    'ok: the plugin acme answers in N ms and has 52000000 identities',
    expect.stringMatching(/^bad: The upstream graph at 127\.0\.0\.1:1 cannot be reached/),
  ]);
});
