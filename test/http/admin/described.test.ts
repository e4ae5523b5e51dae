// What administrative routes answer is what the description says of them, and its examples can be sent as they stand.
import { expect, test } from 'vitest';
import { validatorOf } from '../../kit/openapi.ts';
import type { Described, Document } from '../../kit/openapi.ts';
import { JANE, json } from '../../kit/app.ts';
import { freshFolder } from '../../kit/folder.ts';
import { adminApp } from './kit.ts';

type App = Awaited<ReturnType<typeof adminApp>>;

/** Makes what stands in the path of a kind of address, anew for each request: some of them end it. */
const MAKE: Record<string, (it: App) => Promise<string>> = {
  keys: async (it) => (await it.do('keys', { name: 'made' })).id,
  accounts: async (it) => (await it.do('accounts', { name: 'made' })).id,
  requests: async (it) => (await json(it.post('/v1/validate', JANE))).request_id,
  features: async () => 'name_matching',
  plans: async (it) => (await it.do('plans', { id: `made-${made++}` })).id,
};
let made = 0;

/** What an example names has to be there: the plan `starter`, and a key. */
async function withNamed(it: App): Promise<(body: unknown) => unknown> {
  await it.do('plans', { id: 'starter' });
  const { id } = await it.do('keys', { name: 'named' });
  return (body) =>
    body === undefined ? body : JSON.parse(JSON.stringify(body).replace('key_4fJ2kQx81LmZ', id));
}

const examplesOf = ({ requestBody }: Described): unknown[] => {
  const examples = Object.values(requestBody?.content['application/json']?.examples ?? {});
  return requestBody ? examples.map(({ value }) => value) : [undefined];
};

test('every administrative route does what its examples ask, and answers as it is described', async () => {
  const it = await adminApp({ settings: { backup: `every=24h,to=${freshFolder()}` } });
  const document = (await json(it.send('/openapi.json', { key: null }))) as Document;
  const { faults } = validatorOf(document);
  const named = await withNamed(it);
  const seen: string[] = [];
  for (const [path, methods] of Object.entries(document.paths)) {
    const [, noun = ''] = /^\/admin\/v1\/(\w+)/.exec(path) ?? [];
    if (noun === '') continue;
    for (const [name, operation] of Object.entries(methods)) {
      const method = name.toUpperCase();
      const examples = examplesOf(operation);
      expect([method, path, examples.length > 0]).toEqual([method, path, true]);
      for (const body of examples) {
        const id = path.includes('{') ? ((await MAKE[noun]?.(it)) ?? '') : '';
        const address = path.slice('/admin/v1/'.length).replace(/\{\w+\}/, id);
        const response = await it.ask(method, address, named(body));
        const text = await response.text();
        expect([method, path, response.status >= 200 && response.status < 300, text]).toEqual([
          method,
          path,
          true,
          text,
        ]);
        expect(faults({ method, path, response, body: text })).toEqual([]);
        seen.push(`${method} ${path}`);
      }
    }
  }
  expect(seen.length).toBeGreaterThan(5);
});
