import { gunzipSync } from 'node:zlib';
import { describe as suite, expect, test } from 'vitest';
import { buildApiDescription } from '../../../src/http/openapi/document.ts';
import {
  OPERATION_SPECIFIC_HEADER_SCHEMAS,
  COMMON_RESPONSE_HEADER_SCHEMAS,
  CALLER_LIMIT_HEADER_SCHEMAS,
} from '../../../src/http/openapi/headers.ts';
import { PROBLEMS } from '../../../src/http/problems.ts';
import { ROUTES } from '../../../src/http/server.ts';
import { json, sharedApp } from '../../kit/app.ts';
import { operationsOf, validatorOf } from '../../kit/openapi.ts';
import type { Document, Json } from '../../kit/openapi.ts';
import { codeIn, pageText, rows, section, textOf } from '../../kit/pages.ts';

const DOCUMENT = buildApiDescription(ROUTES) as unknown as Document;
const ALL = operationsOf(DOCUMENT);
const open = sharedApp();

test('it is served as OpenAPI 3.1 without a key', async () => {
  const { send } = await open();
  const response = await send('/openapi.json', { key: null });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  expect(await json(response)).toEqual(JSON.parse(JSON.stringify(DOCUMENT)));
  expect(DOCUMENT.openapi).toMatch(/^3\.1\./);
});

test('it is sent compressed to a client that accepts gzip', async () => {
  const { send } = await open();
  const response = await send('/openapi.json', { key: null, headers: { 'accept-encoding': 'br, gzip' } });
  expect(response.headers.get('content-encoding')).toBe('gzip');
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(JSON.parse(gunzipSync(bytes).toString())).toEqual(JSON.parse(JSON.stringify(DOCUMENT)));
  const refused = await send('/openapi.json', { key: null, headers: { 'accept-encoding': 'gzip;q=0' } });
  expect([refused.headers.get('content-encoding'), refused.headers.get('vary')]).toEqual([
    null,
    'Accept-Encoding',
  ]);
});

test('it has every route once', () => {
  const served = ROUTES.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  expect(ALL.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(served.toSorted());
  expect(new Set(ALL.map(({ operation }) => operation.operationId)).size).toBe(ALL.length);
});

suite('everything is described', () => {
  test.each(ALL)('$method $path', ({ path, operation }) => {
    const texts = [operation.summary, operation.description, ...operation.tags];
    const parameters = operation.parameters.map(({ description }) => description);
    const answers = Object.values(operation.responses).map(({ description }) => description);
    for (const text of [...texts, ...parameters, ...answers]) expect(text).toMatch(/\w/);
    const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
    const declared = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name);
    expect(declared).toEqual(inPath);
  });

  /** Returns every property of a schema with its path. */
  function properties(schema: unknown, at: string): [string, Json][] {
    if (typeof schema !== 'object' || schema === null) return [];
    const own = 'properties' in schema ? Object.entries(schema.properties as Record<string, Json>) : [];
    const named = own.map(([name, below]): [string, Json] => [`${at}.${name}`, below]);
    const below = Object.entries(schema).flatMap(([key, value]) => properties(value, `${at}.${key}`));
    return [...named, ...below];
  }

  test.each(Object.entries(DOCUMENT.components.schemas))('%s', (name, schema) => {
    const { resolved } = validatorOf(DOCUMENT);
    const silent = properties(schema, name).filter(
      ([, one]) => typeof (one.description ?? resolved(one).description) !== 'string',
    );
    expect(silent.map(([at]) => at)).toEqual([]);
  });
});

test('an independent validator reads every schema', () => {
  const { takes } = validatorOf(DOCUMENT);
  for (const name of Object.keys(DOCUMENT.components.schemas))
    expect(takes({ $ref: `#/components/schemas/${name}` }, 7)).toBe(false);
});

test('it has every error code with its status and an example, and no other code', () => {
  const found = new Map<string, number>();
  for (const { operation } of ALL)
    for (const [status, { content }] of Object.entries(operation.responses))
      for (const code of Object.keys(content['application/problem+json']?.examples ?? {}))
        found.set(code, Number(status));
  // This code belongs to no operation.
  const everywhere = ['method_not_allowed'];
  const known = Object.entries(PROBLEMS).filter(([code]) => !everywhere.includes(code));
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(known.map(([code, { status }]) => [code, status])),
  );
  expect(Object.keys(DOCUMENT.components.examples)).toEqual(Object.keys(PROBLEMS));
  const { takes } = validatorOf(DOCUMENT);
  for (const { value } of Object.values(DOCUMENT.components.examples))
    expect(takes({ $ref: '#/components/schemas/Problem' }, value)).toBe(true);
});

test('every response header is in it, on its page, and is sent somewhere', () => {
  const names = Object.keys({
    ...COMMON_RESPONSE_HEADER_SCHEMAS,
    ...CALLER_LIMIT_HEADER_SCHEMAS,
    ...OPERATION_SPECIFIC_HEADER_SCHEMAS,
  });
  expect(Object.keys(DOCUMENT.components.headers)).toEqual(names);
  const listed = rows(section(pageText('http'), 'Headers of an answer')).flatMap(([cell = '']) =>
    cell.includes('`') ? codeIn(cell) : cell,
  );
  expect(listed.toSorted()).toEqual(names.toSorted());
  const code = [
    'server',
    'check/route',
    'response',
    'problems',
    'pages',
    'reference',
    'admin/usage',
    'console/session',
    'console/page',
  ]
    .map((file) => textOf(`src/http/${file}.ts`).toLowerCase())
    .join('\n');
  for (const name of names) expect(code).toContain(name.toLowerCase());
});

test('the request headers are on the page', () => {
  const named = ALL.flatMap(({ operation }) => operation.parameters.filter((one) => one.in === 'header'));
  const page = codeIn(section(pageText('http'), 'Headers of a request'));
  for (const name of new Set(named.map(({ name }) => name))) expect(page).toContain(name);
});

test('the schema of a check accepts every form of a request that the server accepts', async () => {
  const { post } = await open();
  const { takes } = validatorOf(DOCUMENT);
  const schema = DOCUMENT.paths['/v1/validate']?.post?.requestBody?.content['application/json']?.schema ?? {};
  const NAME = { name: 'Jane' };
  const accepted: object[] = [
    { ...NAME, phoneNumbers: ['5035550142'] },
    { ...NAME, emailAddresses: ['a@b.example'] },
    { nameAddresses: [{ fullName: 'Jane' }], phones: ['5035550142'] },
    { ...NAME, nameAddresses: [{ address: { line1: '1 Elm St' } }] },
    { name: null, nameAddresses: [{ fullName: 'Jane' }] },
    ...[null, 5, 'x', ['x'], { a: 1 }].map((intent) => ({ ...NAME, intent })),
    { ...NAME, emails: [''], phones: [' '], addresses: [''] },
    { nameAddresses: ['', { fullName: 'Jane' }] },
    { name: ` ${'x'.repeat(200)}`, addresses: [{ street: ` ${'x'.repeat(200)}` }] },
    { ...NAME, emails: [`${' '.repeat(254)}a@b.example`] },
    { ...NAME, phones: ['٤١٥٥٥٥٠١٠٠', '+1 415 555 0100 x123456'] },
  ];
  for (const body of accepted) {
    const { status } = await post('/v1/validate', body);
    expect([body, status, takes(schema, body)]).toEqual([body, 200, true]);
  }
  for (const body of [{}, { name: 5 }, { ...NAME, emails: 'a@b.example' }, { ...NAME, addresses: ['x'] }])
    expect([body, takes(schema, body)]).toEqual([body, false]);
});

test('a refused check varies by Accept-Version, as its answer does', async () => {
  const { post } = await open();
  const refused = await post('/v1/validate', { name: 'Jane' }, { 'accept-version': 'zz' });
  expect([refused.status, refused.headers.get('vary')]).toEqual([422, 'Accept-Version']);
});
