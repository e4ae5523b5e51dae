// Servers that query each other's graphs in a circle.
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type IdentityGraph, EMPTY_GRAPH_QUERY } from '../../../src/graph/graph.ts';
import { JANE, json, PEOPLE, type TestApp } from '../../kit/app.ts';
import { freshFolder } from '../../kit/folder.ts';
import { inFront, inFrontOf, office, upstreamOf } from '../../kit/graphs/servers.ts';
import { memoryGraph } from '../../kit/graphs/memory.ts';
import { queryOf } from '../../kit/graphs/graph.ts';
import { behaviourOf, standIn } from '../../kit/graphs/stand-in.ts';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Two servers, each with the other as its upstream graph. */
async function circle(engine = 'upstream', more = '', people: object[] = []) {
  const port = await freePort();
  const keyFile = join(freshFolder(), 'key');
  writeFileSync(keyFile, 'none');
  const graphAt = (url: string, file: string) =>
    `${inFrontOf({ url, keyFile: file }, `,serve=true,deadlineMs=20000${more}`)}`.replace('upstream', engine);
  const first = await office(people, { graph: graphAt(`http://127.0.0.1:${port}`, keyFile) });
  const second = await office([], { graph: graphAt(first.url, first.keyFile), port: String(port) });
  writeFileSync(keyFile, second.key(['graph']));
  return [first, second] as const;
}

const NAMED = /query each other in a circle/;
const check = async (server: TestApp, what: object = JANE) => {
  const answer = await server.post('/v1/validate', what);
  return [answer.status, ((await json(answer)) as { code?: string }).code];
};

test('two servers that query each other answer 502 at once, and both logs name the circle', async () => {
  const [first, second] = await circle();
  for (let i = 0; i < 7; i++) expect(await check(first)).toEqual([502, 'graph_bad_response']);
  expect(await check(second)).toEqual([502, 'graph_bad_response']);
  for (const server of [first, second]) {
    expect(server.logged()).toMatch(NAMED);
    expect((await server.send('/readyz')).status).toBe(503);
  }
  expect(first.logged()).toContain(new URL(second.url).host);
  const counts = await first.send('/admin/v1/graph', { key: first.key(['admin']) });
  expect(counts.status).toBe(502);
});

test('a circle is detected if the servers also have graphs of their own', async () => {
  const [first] = await circle('sqlite+upstream', '', PEOPLE);
  expect(await check(first)).toEqual([502, 'graph_bad_response']);
  expect(first.logged()).toMatch(NAMED);
});

test('an open circuit breaker lets empty queries of other servers through, so that both servers detect the circle', async () => {
  const away = await standIn();
  const graph = await upstreamOf(`engine=upstream,url=${away.url}`);
  away.behave(behaviourOf('answers another type'));
  for (let i = 0; i < 6; i++) await expect(graph.resolve(EMPTY_GRAPH_QUERY)).rejects.toThrow(/graph/);
  const { length } = away.requests;
  away.behave(behaviourOf('answers 508'));
  const ann = queryOf({ name: 'Ann Lindqvist' });
  await expect(graph.resolve({ ...ann, hops: 1 })).rejects.toMatchObject({ code: 'graph_unavailable' });
  await expect(graph.resolve({ ...EMPTY_GRAPH_QUERY, hops: 0 })).rejects.toMatchObject({
    code: 'graph_unavailable',
  });
  expect(away.requests.length).toBe(length);
  await expect(graph.resolve({ ...EMPTY_GRAPH_QUERY, hops: 1 })).rejects.toMatchObject({
    code: 'graph_bad_response',
  });
  // The circuit breaker is still open, and the error still names the circle.
  await expect(graph.resolve(ann)).rejects.toMatchObject({
    code: 'graph_bad_response',
    message: expect.stringMatching(NAMED),
  });
  expect(away.requests.length).toBe(length + 1);
});

test('a query that came through too many servers is refused', async () => {
  let asked = 0;
  const around: IdentityGraph = {
    ...memoryGraph('a1'.repeat(32)),
    resolve: async (query) => (asked++, engine.resolve(query)),
    stats: async (hops) => (asked++, engine.stats(hops)),
  };
  const engine = await inFront(around);
  await expect(engine.resolve(EMPTY_GRAPH_QUERY)).rejects.toMatchObject({
    code: 'graph_bad_response',
  });
  expect(asked).toBeLessThan(5);
});
