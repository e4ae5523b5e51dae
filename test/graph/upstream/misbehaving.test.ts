// An upstream server that fails or answers wrongly.
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { BonafideError } from '../../../src/errors.ts';
import { type IdentityGraph, EMPTY_GRAPH_QUERY } from '../../../src/graph/graph.ts';
import { queryOf } from '../../kit/graphs/graph.ts';
import { upstreamOf } from '../../kit/graphs/servers.ts';
import { answering, behaviourOf, EMPTY, type Fault, nobody, standIn } from '../../kit/graphs/stand-in.ts';

const PATIENT = 'deadlineMs=20000,answerKib=64';
/** For servers that never answer in time. */
const HURRIED = 'deadlineMs=1500,answerKib=64';
const inFrontOf = (url: string, more = '', patience = PATIENT) =>
  upstreamOf(`engine=upstream,url=${url},${patience}${more}`);
const ANN = queryOf({ name: 'Ann Lindqvist', emails: ['ann@post.example'], phones: ['+1 503 234 0101'] });

const BAD = 'graph_bad_response';
const AWAY = 'graph_unavailable';
const LATE = 'graph_timeout';
/** Error code and number of requests for each fault. */
const CALLED: Record<Fault, [code: string, asked: number]> = {
  'never begins to answer': [LATE, 1],
  'sends headers and no body': [LATE, 1],
  'sends a body drop by drop': [LATE, 1],
  'sends half a body and hangs up': [AWAY, 2],
  'hangs up at once': [AWAY, 2],
  'resets the connection': [AWAY, 2],
  'answers what is no HTTP': [AWAY, 2],
  'answers another type': [BAD, 1],
  'answers no JSON': [BAD, 1],
  'answers what is no UTF-8': [BAD, 1],
  'answers packed': [BAD, 1],
  'answers another shape': [BAD, 1],
  'answers null': [BAD, 1],
  'answers a body without end': [BAD, 1],
  'says that its body is huge': [BAD, 1],
  'answers 500': [BAD, 2],
  'answers 401': [BAD, 1],
  'answers 422': [BAD, 1],
  'answers 429': [AWAY, 1],
  'answers 503 with Retry-After': [AWAY, 1],
  'answers 503 for years': [AWAY, 1],
  'answers 503 for longer than anybody lives': [AWAY, 1],
  'answers 508': [BAD, 1],
  'answers 504': [LATE, 2],
  redirects: [BAD, 1],
  'answers 204': [BAD, 1],
  'sends headers without end': [AWAY, 2],
};

describe('a server that', () => {
  test.each(Object.entries(CALLED))(
    '%s leads to its error code and at most two requests',
    async (fault, [code, asked]) => {
      const server = await standIn();
      const graph = await inFrontOf(server.url, '', code === LATE ? HURRIED : PATIENT);
      server.behave(behaviourOf(fault as Fault));
      const error = await thrownBy(graph);
      expect(error).toMatchObject({ code });
      // Removes the server's port, which may look like a submitted value.
      expect(String(error).replace(/:\d+/, '')).not.toMatch(/lindqvist|post\.example|234/i);
      expect(server.requests.length).toBe(asked);
      // At most the maximum size of an answer and the content of network buffers is sent.
      expect(server.sent()).toBeLessThan(16 * 1024 * 1024);
      server.behave(nobody);
      expect((await graph.resolve(ANN)).values).toEqual([[], []]);
    },
  );
});

test('a closed port and an unknown host are reported as unavailable', async () => {
  for (const url of ['http://127.0.0.1:1', 'http://nowhere.invalid'])
    await expect((await inFrontOf(url)).resolve(EMPTY_GRAPH_QUERY)).rejects.toMatchObject({
      code: expect.stringMatching(/graph_unavailable|graph_timeout/),
    });
});

test('the retry delay comes from the other server, at most a minute, also while the breaker is open', async () => {
  const server = await standIn();
  const graph = await inFrontOf(server.url);
  const waits: unknown[] = [];
  for (const fault of [
    'answers 503 with Retry-After',
    'answers 503 for years',
    'answers 429',
    'answers 503 for longer than anybody lives',
    'answers 503 for longer than anybody lives',
  ] as const) {
    server.behave(behaviourOf(fault));
    waits.push((await thrownBy(graph))?.details.retryAfterMs);
  }
  expect(waits).toEqual([7000, 60_000, 5000, 60_000, 60_000]);
  const alone = await thrownBy(graph);
  expect(alone?.message).toMatch(
    /not queried for some seconds\. The upstream graph at 127\.0\.0\.1:\d+ answered 503\./,
  );
  expect(alone?.details.retryAfterMs).toBe(60_000);
});

test('a connection is reused, and a connection that the server closed is no failure', async () => {
  const server = await standIn();
  const graph = await inFrontOf(server.url);
  for (let i = 0; i < 5; i++) await graph.resolve(ANN);
  expect(server.connections()).toBe(1);
  let first = true;
  server.behave((response, request, body) => {
    if (first) request.socket.destroy();
    else nobody(response, request, body);
    first = false;
  });
  expect((await graph.resolve(ANN)).values).toEqual([[], []]);
});

test('after consecutive failures the graph is not queried and not ready, until a query of its own succeeds', async () => {
  const server = await standIn();
  const graph = await inFrontOf(server.url);
  await graph.resolve(ANN);
  expect(() => graph.ping()).not.toThrow();
  server.behave(behaviourOf('answers another type'));
  for (let i = 0; i < 5; i++) await thrownBy(graph);
  const { host } = new URL(server.url);
  const why = `The answer of the upstream graph at ${host} is not of type application/json. Check that graph.url is the address of a Bonafide server or of a compatible graph.`;
  expect(() => graph.ping()).toThrow(expect.objectContaining({ code: AWAY, message: why }));
  const asked = server.requests.length;
  const refused = await thrownBy(graph);
  expect(refused).toMatchObject({ code: AWAY, details: { retryAfterMs: 5000 } });
  expect(server.requests.length).toBe(asked);
  server.behave(nobody);
  await expect.poll(() => ready(graph)).toBe(true);
  expect((await graph.resolve(ANN)).values).toEqual([[], []]);
});

test('invalid answers count as failures, whatever their status', async () => {
  const server = await standIn();
  const graph = await inFrontOf(server.url);
  await graph.resolve(ANN);
  server.behave(behaviourOf('answers another shape'));
  for (let i = 0; i < 5; i++) await thrownBy(graph);
  expect(ready(graph)).toBe(false);
});

test('a refused query does not count as a failure of the server', async () => {
  const server = await standIn();
  const graph = await inFrontOf(server.url);
  server.behave(behaviourOf('answers 422'));
  for (let i = 0; i < 8; i++) await thrownBy(graph);
  expect(ready(graph)).toBe(false);
  server.behave(nobody);
  await graph.resolve(ANN);
  server.behave(behaviourOf('answers 422'));
  for (let i = 0; i < 8; i++) await thrownBy(graph);
  expect(ready(graph)).toBe(true);
});

test('with hedgeMs a second query starts after a delay, and the first answer counts', async () => {
  const server = await standIn();
  const graph = await inFrontOf(server.url, ',hedgeMs=20');
  let first = true;
  server.behave((response, request, body) => {
    if (!first) nobody(response, request, body);
    first = false;
  });
  expect((await graph.resolve(ANN)).values).toEqual([[], []]);
  expect(server.requests.length).toBe(2);
});

test('at most `concurrency` queries are in flight, and further queries wait', async () => {
  const server = await standIn();
  const graph = await inFrontOf(server.url, ',concurrency=3', 'deadlineMs=30000');
  let open = 0;
  let most = 0;
  server.behave(async (response, request, body) => {
    most = Math.max(most, ++open);
    await pause(5);
    open--;
    nobody(response, request, body);
  });
  await Promise.all(Array.from({ length: 30 }, () => graph.resolve(ANN)));
  expect(most).toBe(3);
});

test('requests contain no headers except the key, the hops and the types', async () => {
  const server = await standIn();
  const graph = await inFrontOf(server.url);
  await graph.resolve(ANN);
  const [{ path, headers, body } = { path: '', headers: {}, body: '' }] = server.requests;
  expect(path).toBe('/graph/v1/resolve');
  expect(Object.keys(headers).toSorted()).toEqual(
    ['accept', 'bonafide-hops', 'connection', 'content-length', 'content-type', 'host'].toSorted(),
  );
  expect(JSON.parse(body)).toEqual({
    nameAddresses: [{ fullName: 'Ann Lindqvist' }],
    emailAddresses: ['ann@post.example'],
    phoneNumbers: ['+1 503 234 0101'],
    otherPhoneNumbers: [],
    region: 'US',
  });
});

test('unknown fields of an answer are ignored', async () => {
  const server = await standIn();
  const graph = await inFrontOf(server.url);
  server.behave(answering(`{"__proto__":{"polluted":1},"note":"x",${JSON.stringify(EMPTY).slice(1)}`));
  const answer = await graph.resolve(EMPTY_GRAPH_QUERY);
  expect(Object.keys(answer)).toEqual(['total', 'newest', 'values', 'name', 'identities']);
  expect('polluted' in answer || 'polluted' in {}).toBe(false);
});

async function thrownBy(graph: IdentityGraph): Promise<BonafideError | undefined> {
  try {
    await graph.resolve(ANN);
  } catch (error) {
    return error as BonafideError;
  }
}

function ready(graph: { ping(): void }): boolean {
  try {
    graph.ping();
    return true;
  } catch {
    return false;
  }
}
