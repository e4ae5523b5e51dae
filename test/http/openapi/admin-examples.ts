// Sends every example of an administrative request, after creating what the example names.
import { expect, vi } from 'vitest';
import { importPeople, JANE, json } from '../../kit/app.ts';
import { operationsOf } from '../../kit/openapi.ts';
import type { Described, Document } from '../../kit/openapi.ts';
import type { adminApp } from '../admin/kit.ts';

type App = Awaited<ReturnType<typeof adminApp>>;

/** Creates the object that a path names, anew for each request that changes it, and returns its id. */
const MAKE: Record<string, (it: App) => Promise<string>> = {
  keys: async (it) => (await it.do('keys', { name: 'made' })).id,
  accounts: async (it) => (await it.do('accounts', { name: 'made' })).id,
  requests: async (it) => (await json(it.post('/v1/validate', JANE))).request_id,
  refusals: refusedCall,
  webhooks: async (it) => (await it.do('webhooks/test')).id,
  'webhooks/endpoints': endpointAdded,
  watches: async (it) => (await json(it.post('/v1/watches', JANE))).watch_id,
  features: async () => 'name_matching',
  // The first identity, and the first manual link.
  graph: async () => '1',
  'graph/imports': fileSent,
  evaluations: casesSent,
  plans: async (it) => (await it.do('plans', { id: `made-${made++}` })).id,
};
let made = 0;

/** Sends a call without a key, waits until it is recorded, and returns its id. */
async function refusedCall(it: App): Promise<string> {
  const id = (await it.send('/v1/usage', { key: null })).headers.get('x-request-id') ?? '';
  const find = async () => expect((await it.ask('GET', `refusals/${id}`)).status).toBe(200);
  await vi.waitFor(find, { timeout: 120_000, interval: 100 });
  return id;
}

/** Adds an endpoint to a new account, and returns its id. */
async function endpointAdded(it: App): Promise<string> {
  const account = (await it.do('accounts', { name: 'made' })).id;
  return (await it.do('webhooks/endpoints', { account, url: 'https://shop.example/events' })).id;
}

/** Preparations of some examples, by path. */
const BEFORE: Record<string, (it: App) => Promise<void>> = {
  '/admin/v1/graph/import/undo': (it) => importPeople(it.folder),
  // One file is read at a time.
  '/admin/v1/graph/imports': untilIdle,
  '/admin/v1/graph/imports/{id}/read': untilIdle,
};

/** Waits until no file is being read or imported. */
async function untilIdle(it: App): Promise<void> {
  const find = async () => {
    const states = (await it.get('graph/imports')).items.map(({ state }: { state: string }) => state);
    expect(states).not.toContainEqual(expect.stringMatching(/^(reading|importing)$/));
  };
  await vi.waitFor(find, { timeout: 120_000, interval: 50 });
}

/** Uploads a file as soon as no other file is being read, waits until it is read, and returns its id. */
async function fileSent(it: App): Promise<string> {
  const type = { 'content-type': 'application/octet-stream' };
  const until = <T>(work: () => Promise<T>) => vi.waitFor(work, { timeout: 120_000, interval: 50 });
  const { id } = await until(async () => {
    const response = await it.ask('POST', 'graph/imports', 'id,name\n1,Ada Quill\n', type);
    expect(response.status).toBe(201);
    return json(response);
  });
  await until(async () => expect((await it.get(`graph/imports/${id}`)).state).toBe('ready'));
  return id;
}

/** Sends cases as soon as no others are being evaluated, waits for the result, and returns the id. */
async function casesSent(it: App): Promise<string> {
  const type = { 'content-type': 'application/octet-stream' };
  const until = <T>(work: () => Promise<T>) => vi.waitFor(work, { timeout: 120_000, interval: 50 });
  const cases = 'genuine,name,email\nyes,Ada Quill,ada@example.com\nno,Ben Osei,ada@example.com\n';
  const { id } = await until(async () => {
    const response = await it.ask('POST', 'evaluations', cases, type);
    expect(response.status).toBe(201);
    return json(response);
  });
  await until(async () => expect((await it.get(`evaluations/${id}`)).state).toBe('done'));
  return id;
}

/**
 * Creates the plan, the key and the account that examples name, and returns a function that puts the ids of the key and the account into an
 * example.
 */
async function withNamed(it: App): Promise<(body: unknown) => unknown> {
  await it.do('plans', { id: 'starter' });
  const { id } = await it.do('keys', { name: 'named' });
  const account = (await it.do('accounts', { name: 'named' })).id;
  const put = (text: string) => text.replace('key_4fJ2kQx81LmZ', id).replace('acc_4fJx0S2mQ9bL', account);
  return (body) => (body === undefined ? body : JSON.parse(put(JSON.stringify(body))));
}

/** Returns the examples of each media type that an operation accepts. */
const examplesOf = ({ requestBody }: Described): { sent?: unknown; type?: string }[] =>
  requestBody
    ? Object.entries(requestBody.content).flatMap(([type, { examples = {} }]) =>
        Object.values(examples).map(({ value }) => ({ sent: value, type })),
      )
    : [{}];

/** Sends every example, and returns requests and answers. An unsuccessful answer fails the test. */
export async function sendExamples(it: App, document: Document) {
  const named = await withNamed(it);
  const unchanged: Record<string, string> = {};
  const answered: { method: string; path: string; response: Response; body: string }[] = [];
  for (const { method, path, operation } of operationsOf(document)) {
    const [, noun = ''] = /^\/admin\/v1\/(graph\/imports|webhooks\/endpoints|\w+)/.exec(path) ?? [];
    if (noun === '') continue;
    const examples = examplesOf(operation);
    expect([method, path, examples.length > 0]).toEqual([method, path, true]);
    for (const { sent, type } of examples) {
      await BEFORE[path]?.(it);
      const make = async () => (await MAKE[noun]?.(it)) ?? '';
      const isUnchanged = method === 'GET' || path.endsWith('/read');
      const id = !path.includes('{') ? '' : isUnchanged ? (unchanged[noun] ??= await make()) : await make();
      const address = path.slice('/admin/v1/'.length).replace(/\{\w+\}/, id);
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
      const response = await it.ask(method, address, named(sent), headers);
      const body = await response.text();
      expect([method, path, response.ok, body]).toEqual([method, path, true, body]);
      answered.push({ method, path, response, body });
    }
  }
  return answered;
}
