// Arbitrary requests to every described address: the description allows every answer.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKey } from '../../../src/store/keys.ts';
import { freshApp, json } from '../../kit/app.ts';
import { astray, fitting } from '../../kit/values/arbitrary.ts';
import { operationsOf, validatorOf } from '../../kit/openapi.ts';
import type { Described, Document, Validator } from '../../kit/openapi.ts';

interface Sent {
  address: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const KINDS = ['application/json', 'application/json; charset=utf-8', 'text/plain', ''];
const LINES = 'application/x-ndjson';

/** Lines of records and other lines. */
const lines = fc
  .array(
    fc.oneof(
      fc.record({ record_id: fc.string(), source: fc.string(), name: fc.string() }, { requiredKeys: [] }),
      fc.record({ record_id: fc.constantFrom('1', '2'), source: fc.constant('crm'), deleted: fc.boolean() }),
      fc.record({ record_id: fc.constantFrom('1', '2'), source: fc.constant('crm'), name: fc.string() }),
      fc.jsonValue(),
    ),
    { maxLength: 5 },
  )
  .map((all) => all.map((one) => `${JSON.stringify(one)}\n`).join(''));

/** Generates requests to an operation: mostly valid values, sometimes others in each place. */
function requests(path: string, operation: Described, { resolved }: Validator): fc.Arbitrary<Sent> {
  const value = (schema: object) =>
    fc.oneof(
      { weight: 3, arbitrary: fitting(schema as never, resolved) },
      { weight: 1, arbitrary: fc.string() },
    );
  const of = (place: string) => {
    const named = operation.parameters.filter((one) => one.in === place);
    return fc.record(Object.fromEntries(named.map(({ name, schema }) => [name, value(schema)])), {
      requiredKeys: place === 'path' ? undefined : [],
    } as never) as fc.Arbitrary<Record<string, unknown>>;
  };
  const content = operation.requestBody?.content ?? {};
  const schema = content['application/json']?.schema;
  const fits = schema ? fitting(schema, resolved) : fc.constant(undefined);
  const ofLines = LINES in content;
  const body = ofLines
    ? fc.oneof({ weight: 4, arbitrary: lines }, { weight: 1, arbitrary: fc.string() })
    : schema
      ? fc.oneof(
          { weight: 4, arbitrary: fits.map((one) => JSON.stringify(one)) },
          { weight: 4, arbitrary: astray(fits).map((one) => JSON.stringify(one)) },
          { weight: 1, arbitrary: fc.string() },
        )
      : fc.constant(undefined);
  const kinds = ofLines
    ? [LINES, `${LINES}; charset=utf-8`, LINES, 'text/plain']
    : [...KINDS, ...KINDS.slice(0, 1)];
  const headers = fc.tuple(of('header'), fc.constantFrom(...kinds));
  return fc.record({ parts: of('path'), query: of('query'), headers, body }).map((one) => ({
    address: addressOf(path, one.parts, one.query),
    headers: {
      ...Object.fromEntries(
        Object.entries(one.headers[0]).map(([name, sent]) => [
          name,
          String(sent).replace(/[^\x20-\x7e]/g, ''),
        ]),
      ),
      ...(one.body === undefined ? {} : { 'content-type': one.headers[1] }),
    },
    body: one.body,
  }));
}

function addressOf(path: string, parts: Record<string, unknown>, query: Record<string, unknown>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parts[name]).toWellFormed()).replace(/^\.{0,2}$/, 'x'),
  );
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return `${filled}?${new URLSearchParams(pairs).toString()}`;
}

test('every answer keeps to the description', async () => {
  const { app, send } = await freshApp({ settings: { graph: 'serve=true' } });
  const keyFor = (scope: 'admin' | 'graph') =>
    createKey(app.store, { name: 'x', scopes: [scope] }, Date.now()).key;
  const keys = { admin: keyFor('admin'), graph: keyFor('graph') };
  const document = (await json(send('/openapi.json', { key: null }))) as Document;
  const validator = validatorOf(document);
  const statuses = new Set<number>();
  for (const { method, path, operation } of operationsOf(document)) {
    const asked = fc.tuple(requests(path, operation, validator), fc.boolean());
    const keeps = fc.asyncProperty(asked, async ([{ address, headers, body }, known]) => {
      const [, of = ''] = path.split('/');
      const own = of === 'admin' || of === 'graph' ? { key: keys[of] } : {};
      const key = known || operation.requestBody ? own : { key: null };
      const response = await send(address, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        ...key,
      });
      // An empty or dotted part of a path leads to another address.
      if ([404, 405].includes(response.status) && !operation.responses[response.status]) return;
      statuses.add(response.status);
      const answered = { method, path, response, body: await response.text() };
      expect(validator.faults(answered)).toEqual([]);
    });
    // The requests differ each time; `npm run trials -- --only fuzz-requests` sends many more.
    await fc.assert(keeps, { numRuns: operation.requestBody ? 50 : 10 });
  }
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 404, 415, 422]));
});
