// A server that merges its own graph with the graph of another server.
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { getGraphFilePath } from '../../../src/graph/sqlite/open.ts';
import { openLog } from '../../../src/observe/log.ts';
import { freshApp, JANE, json, PEOPLE, type TestApp } from '../../kit/app.ts';
import { freshFolder } from '../../kit/folder.ts';
import { strangers } from '../../kit/graphs/graph.ts';
import { behaviourOf, nobody, standIn } from '../../kit/graphs/stand-in.ts';
import { inFrontOf, office } from '../../kit/graphs/servers.ts';

const [jane, robert] = PEOPLE;
const BOUGHT = [
  { ...jane, record_id: 'b1', phones: ['+1 206 555 0188'], addresses: [], last_seen: '2025-01-01' },
  { record_id: 'b2', source: 'bought', name: 'Marta Oyelaran', emails: ['marta@oyelaran.example'] },
  ...strangers(20),
];

const beside = (graph: string, people: object[] = PEOPLE) => freshApp({ people, settings: { graph } });
const answer = (server: TestApp, check: object) => json(server.post('/v1/validate', check));
const statusOf = async (server: TestApp, check: object) => (await server.post('/v1/validate', check)).status;

test('a person in both graphs is one identity with the values of both', async () => {
  const bought = await office(BOUGHT);
  const server = await beside(inFrontOf(bought).replace('upstream', 'sqlite+upstream'));
  const both = await answer(server, { ...JANE, phones: ['4155550134', '2065550188'] });
  const rows = [...both.input_validation.phone.inputs, ...both.input_validation.email.inputs];
  expect(rows.map((row: Record<string, unknown>) => row.match_status)).not.toContain('Unverified');
  expect(new Set(rows.map((row: Record<string, unknown>) => row.matched_identity))).toEqual(new Set([2]));
  expect(both.history.last_seen).toBe('2025-01-01T00:00:00.000Z');
  const hers = await answer(server, { name: 'Marta Oyelaran', emails: ['marta@oyelaran.example'] });
  expect(hers.dominant_identity % 2).toBe(1);
  expect(hers.input_validation.email.match_status).toBe('Primary Match');
  expect(await answer(server, JANE)).toMatchObject({ status: 'HIGH', possible_catfish: false });
});

test('checks are refused if one of the graphs fails', async () => {
  const away = await standIn();
  away.behave(behaviourOf('answers 503 with Retry-After'));
  const server = await beside(`engine=upstream+sqlite,url=${away.url}`);
  const refused = await server.post('/v1/validate', JANE);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '7']);
  expect(await json(refused)).toMatchObject({ code: 'graph_unavailable' });
  const ready = await server.send('/readyz');
  expect([ready.status, (await json(ready)).graphs]).toEqual([503, { upstream: 'failed', sqlite: 'ok' }]);
});

test('with partial=allow a failed graph is left out, and checks that may need it are refused', async () => {
  const away = await standIn();
  away.behave(behaviourOf('answers another type'));
  const server = await beside(`engine=upstream+sqlite,url=${away.url},partial=allow`);
  const told = await answer(server, { ...JANE, operation: 'raw' });
  expect(told).toMatchObject({ status: 'HIGH', raw: { graph: { missing: ['upstream'] } } });
  expect(told.insights).toContain('One of the identity graphs did not answer and was left out.');
  for (const check of [
    { ...JANE, emails: ['jane.quimby@example.com', 'other@example.com'] },
    { ...JANE, name: 'Nobody Atall' },
    { name: 'Nobody Atall' },
  ])
    expect(await statusOf(server, check)).toBe(503);
  expect(await statusOf(server, { ...JANE, addresses: [{ city: 'Springfield' }] })).toBe(200);
});

test('readiness, metrics and log report a graph that is left out, and its return', async () => {
  const away = await standIn();
  const server = await beside(`engine=sqlite+upstream,url=${away.url},partial=allow`);
  const graphs = async () => (await json(server.send('/readyz'))).graphs;
  const figure = async () => {
    const text = await (await server.send('/metrics', { key: server.key(['metrics']) })).text();
    return text.split('\n').filter((line) => line.startsWith('bonafide_graph_ok'));
  };
  await server.app.listen();
  expect(await graphs()).toEqual({ sqlite: 'ok', upstream: 'ok' });
  away.behave(behaviourOf('answers another type'));
  for (let i = 0; i < 8; i++) await answer(server, JANE);
  expect(await graphs()).toEqual({ sqlite: 'ok', upstream: 'left_out' });
  expect((await server.send('/readyz')).status).toBe(200);
  expect(await figure()).toEqual([
    'bonafide_graph_ok{graph="sqlite"} 1',
    'bonafide_graph_ok{graph="upstream"} 0',
  ]);
  const lines = server.logged().match(/The graph upstream is left out of checks: [^"]*/g);
  expect(lines).toEqual([
    `The graph upstream is left out of checks: The answer of the upstream graph at ${new URL(away.url).host} is not of type application/json. Check that graph.url is the address of a Bonafide server or of a compatible graph.`,
  ]);
  away.behave(nobody);
  // There are no checks: the server queries the failed graph itself.
  await expect.poll(graphs, { interval: 250 }).toEqual({ sqlite: 'ok', upstream: 'ok' });
  await expect.poll(server.logged).toContain('the graph upstream answers again');
});

test('a partial answer is not repeated for an Idempotency-Key when the graph is back', async () => {
  const bought = await standIn();
  bought.behave(behaviourOf('answers another type'));
  const server = await beside(`engine=upstream+sqlite,url=${bought.url},partial=allow`);
  const again = { 'idempotency-key': 'once-and-again' };
  const first = await json(server.post('/v1/validate', JANE, again));
  bought.behave((response, request, body) => {
    const { emailAddresses, phoneNumbers, nameAddresses } = JSON.parse(body);
    const count = emailAddresses.length + phoneNumbers.length + nameAddresses.length;
    const values = Array.from({ length: count }, () => []);
    const none = {
      total: 5,
      newest: null,
      values,
      name: { identities: [], bearers: 0, given: [] },
      identities: [],
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(none));
    expect(request.url).toBe('/graph/v1/resolve');
  });
  const second = await json(server.post('/v1/validate', JANE, again));
  expect(second.request_id).toBe(first.request_id);
  expect(first.insights.join()).toMatch(/left out/);
  expect(second.insights.join()).not.toMatch(/left out/);
});

test('a server does not serve partial answers to other servers', async () => {
  const away = await standIn();
  away.behave(behaviourOf('answers another type'));
  const server = await beside(`engine=upstream+sqlite,url=${away.url},partial=allow,serve=true`);
  const key = { 'x-api-key': server.key(['graph']) };
  const emailAddresses = ['jane.quimby@example.com'];
  expect((await server.post('/graph/v1/resolve', { emailAddresses }, key)).status).toBe(503);
});

test('a data folder of a server without records can be opened again', async () => {
  const behind = await office([robert ?? {}]);
  const flags = { dataDir: freshFolder(), port: '0', warmUp: '0s', graph: inFrontOf(behind) };
  const config = await loadConfig({ env: {}, cwd: freshFolder(), flags });
  for (let start = 0; start < 2; start++) await (await openApp(config, openLog('silent'))).close();
  expect(existsSync(getGraphFilePath(config.dataDir))).toBe(false);
});
