// Answers of the server against the API description, field by field in both directions.
import { describe as suite, expect, test } from 'vitest';
import { createKey } from '../../../src/store/keys.ts';
import { atTimeOfExamples, callsText, sampleAnswersOfCalls, withExampleId } from '../../docs/calls.ts';
import { PEOPLE } from '../../docs/sample.ts';
import { json, sharedApp } from '../../kit/app.ts';
import { validatorOf } from '../../kit/openapi.ts';
import type { Document, Json } from '../../kit/openapi.ts';
import { textOf } from '../../kit/pages.ts';

const open = sharedApp({ settings: { watches: 'true' } });

async function testApp() {
  const test = await open();
  const document = (await json(test.send('/openapi.json', { key: null }))) as Document;
  const { key } = createKey(
    test.app.store,
    { name: 'sample', scopes: ['validate', 'raw'], test: true },
    Date.now(),
  );
  const ask = async (method: string, path: string, sent?: unknown) => {
    const response = await test.send(path, {
      method,
      key,
      ...(sent === undefined
        ? {}
        : { body: JSON.stringify(sent), headers: { 'content-type': 'application/json' } }),
    });
    return { method, response, body: await response.text() };
  };
  return { ...test, document, validator: validatorOf(document), ask };
}

test('the examples are the answers of the program', async () => {
  // To update the file: node test/docs/calls.ts
  expect(textOf('data/sample/calls.json')).toBe(callsText(await sampleAnswersOfCalls()));
});

test('every example request of the description gets its example answer', () =>
  atTimeOfExamples(async () => {
    const { document, ask } = await testApp();
    for (const [path, { post }] of Object.entries(document.paths)) {
      const sent = post?.requestBody?.content['application/json']?.examples ?? {};
      const stated = post?.responses[200]?.content['application/json']?.examples ?? {};
      for (const [name, { value }] of Object.entries(stated)) {
        const wanted = value as Json;
        const version = 'response_version' in wanted ? '?response=v2' : '?';
        const ai = wanted.ai_insights === null || path.includes('enhanced') ? '' : '&ai=true';
        const { response, body } = await ask('POST', `${path}${version}${ai}`, sent[name]?.value);
        expect(response.status).toBe(200);
        // The window of the caller's own calls grows with each call.
        const { ai_insights: _, ...answer } = withExampleId(JSON.parse(body)) as Json;
        const { ai_insights: __, ...expected } = wanted;
        expect(answer).toEqual(expected);
      }
    }
  }));

suite('the answers of every sample person keep to the description', () => {
  const asked = ['/v1/validate', '/v1/validate?response=v2&ai=true', '/v1/validate/enhanced'];
  test.each(asked)('%s', async (address) => {
    const { ask, validator } = await testApp();
    const path = address.split('?')[0] ?? '';
    for (const { request } of PEOPLE) {
      const operation = address === '/v1/validate' ? 'raw' : 'validate';
      const answered = await ask('POST', address, { ...request, operation });
      expect(validator.faults({ ...answered, path })).toEqual([]);
    }
  });
});

test('the answers of the other routes keep to the description, except for those of the operator', async () => {
  const { ask, validator, document } = await testApp();
  const id = JSON.parse((await ask('POST', '/v1/validate', PEOPLE[0]?.request)).body).request_id;
  const { job_id: job } = JSON.parse(
    (await ask('POST', '/v1/jobs', { requests: [PEOPLE[0]?.request] })).body,
  );
  const watched = JSON.parse((await ask('POST', '/v1/watches', PEOPLE[0]?.request)).body);
  const values: Record<string, string> = {
    '/v1/jobs/{id}': job,
    '/v1/jobs/{id}/results': job,
    '/v1/requests/{id}': id,
    '/v1/watches/{id}': watched.watch_id,
    '/problems/{code}': 'invalid_request',
    '/docs/{page}': 'http',
    '/docs/api/{file}': 'start.js',
  };
  for (const [path, { get }] of Object.entries(document.paths)) {
    // These are compared in test/http/admin, test/http/console and test/http/graph.
    if (!get || /^\/(admin|console|graph)\//.test(path)) continue;
    const answered = await ask('GET', path.replace(/\{\w+\}/, values[path] ?? ''));
    expect(validator.faults({ ...answered, path })).toEqual([]);
    expect([200, 302, path === '/readyz' ? 503 : 200]).toContain(answered.response.status);
  }
});

/** Returns every described property that a valid answer has, such as `Check.status`. */
function seen(schema: Json, value: unknown, { document, validator }: Awaited<ReturnType<typeof testApp>>) {
  const found = new Set<string>();
  const visit = (schema: Json, value: unknown, at: string): void => {
    const name = typeof schema.$ref === 'string' ? (schema.$ref.split('/').at(-1) ?? '') : undefined;
    if (name !== undefined) return visit(document.components.schemas[name] ?? {}, value, name);
    const options = (schema.anyOf ?? []) as Json[];
    for (const option of options) if (validator.takes(option, value)) visit(option, value, at);
    if (Array.isArray(value)) for (const one of value) visit((schema.items ?? {}) as Json, one, at);
    else if (typeof value === 'object' && value !== null)
      for (const [key, below] of Object.entries((schema.properties ?? {}) as Record<string, Json>)) {
        if (!(key in value)) continue;
        found.add(`${at}.${key}`);
        visit(below, (value as Json)[key], `${at}.${key}`);
      }
  };
  visit(schema, value, '');
  return found;
}

test('every described field is in some answer', async () => {
  const it = await testApp();
  const found = new Set<string>();
  const abroad = { street: '1 Rue X', street2: 'Apt 2', city: 'Lyon', zip: '69001', country: 'FR' };
  const requests = [{ name: 'Oona Featherby', addresses: [abroad] }, ...PEOPLE.map(({ request }) => request)];
  for (const request of requests)
    for (const path of ['/v1/validate', '/v1/validate/enhanced'])
      for (const query of ['?', '?response=v2&ai=true']) {
        const body = { ...request, operation: 'raw', include_name_matching: query === '?' };
        const { body: text } = await it.ask('POST', path + query, body);
        const { schema } = it.document.paths[path]?.post?.responses[200]?.content['application/json'] ?? {};
        for (const one of seen(schema ?? {}, JSON.parse(text), it)) found.add(one);
      }
  const described = (schema: unknown, at: string): string[] => {
    if (typeof schema !== 'object' || schema === null) return [];
    return Object.entries(schema).flatMap(([key, below]) =>
      key === 'properties'
        ? Object.entries(below as Json).flatMap(([name, one]) => [
            `${at}.${name}`,
            ...described(one, `${at}.${name}`),
          ])
        : described(below, at),
    );
  };
  const answers = ['Check', 'CheckV2', 'Enhanced', 'EnhancedV2', 'InputValidation', 'InputValidation2'];
  const parts = Object.entries(it.document.components.schemas).filter(
    ([name]) =>
      answers.includes(name) ||
      /Score|Insights|^(Overview|History|Raw|LeftOut|FieldSummary|NameMatching|FraudDetection|TrustEnhancement|AddressLines|OverallMatch)$/.test(
        name,
      ),
  );
  const missed = parts.flatMap(([name, schema]) => described(schema, name)).filter((at) => !found.has(at));
  expect(missed).toEqual([]);
});
