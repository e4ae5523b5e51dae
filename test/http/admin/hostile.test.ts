import { expect, test } from 'vitest';
import { json } from '../../kit/app.ts';
import { sharedAdminApp } from './kit.ts';
import { refusedRows } from './rows.ts';

const open = sharedAdminApp();
refusedRows(open);

test('a body that is not a JSON object is refused', async () => {
  const it = await open();
  const sent = async (body: string, type = 'application/json') => {
    const response = await it.ask('POST', 'keys', body, { 'content-type': type });
    return `${response.status} ${(await json(response)).code}`;
  };
  expect(await sent('{"name":')).toBe('400 invalid_json');
  expect(await sent('[]')).toBe('400 invalid_json');
  expect(await sent('')).toBe('400 invalid_json');
  expect(await sent('{"name":"x"}', 'text/plain')).toBe('415 unsupported_media_type');
  expect(await sent(JSON.stringify({ name: 'x'.repeat(70_000) }))).toBe('413 body_too_large');
  const empty = await it.ask('POST', 'keys', '', { 'content-length': '0' });
  expect((await json(empty)).errors).toMatchObject([{ pointer: '/name', code: 'missing_field' }]);
});

test('an empty body is accepted if every field is optional', async () => {
  const it = await open();
  const { id } = await it.do('keys', { name: 'shop' });
  const answer = await it.ask('POST', `keys/${id}/rotate`, '', { 'content-type': 'application/json' });
  expect((await json(answer)).made).toMatchObject({ name: 'shop', chain: id });
});

test('a wrong term of a plan is explained in its JSON form', async () => {
  const it = await open();
  const told = async (terms: object) => {
    const { status, errors } = await it.refusal('POST', 'plans', { id: 'p', ...terms });
    return [status, errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join()];
  };
  const rate = '{"calls":10,"seconds":60,"burst":3}';
  expect(await told({ rate: '10/s' })).toEqual([422, expect.stringMatching(/^\/rate /)]);
  expect(await told({ rate: '10/s' })).toEqual([422, expect.stringContaining(rate)]);
  const tooLong = { calls: 1, seconds: 90_000, burst: 1 };
  expect(await told({ rate: tooLong })).toEqual([422, expect.stringContaining(rate)]);
  expect(await told({ price: 0.02 })).toEqual([422, expect.stringContaining('such as "0.02"')]);
  expect(await told({ price: 'much' })).toEqual([422, expect.stringContaining('such as "0.02"')]);
  expect(await told({ operations: [] })).toEqual([422, expect.stringContaining('at least one')]);
});

test('a word that occurs twice in a plan is stored once', async () => {
  const it = await open();
  const twice = { operations: ['validate', 'validate'], features: ['name_matching', 'name_matching'] };
  const { versions } = await it.do('plans', { id: 'twice', ...twice });
  expect(versions).toMatchObject([{ operations: ['validate'], features: ['name_matching'] }]);
});

test('a key with a scope without effect is not created', async () => {
  const it = await open();
  for (const scopes of [['raw'], ['read', 'raw']])
    expect(await it.refusal('POST', 'keys', { name: 'x', scopes })).toMatchObject({
      status: 422,
      errors: [{ pointer: '/scopes', detail: expect.stringContaining('`raw` needs the scope `validate`') }],
    });
  expect(await it.refusal('POST', 'keys', { name: 'x', scopes: ['admin'], test: true })).toMatchObject({
    status: 422,
    errors: [{ pointer: '/scopes' }],
  });
});

test('a cursor is valid only for the list and the filters that it came from', async () => {
  const it = await open();
  for (const name of ['a', 'b', 'c']) await it.do('keys', { name });
  const { next } = await it.get('keys?limit=1');
  expect((await it.get(`keys?limit=2&cursor=${next}`)).items).toHaveLength(2);
  for (const path of ['keys?state=valid&', 'accounts?', 'plans?'])
    expect(await it.refusal('GET', `${path}cursor=${next}`)).toMatchObject({
      status: 422,
      errors: [{ code: 'invalid_cursor' }],
    });
});

test('a plan is not created twice, and an empty change is refused', async () => {
  const it = await open();
  await it.do('plans', { id: 'again' });
  expect(await it.refusal('POST', 'plans', { id: 'again' })).toMatchObject({
    status: 422,
    errors: [{ pointer: '/id', code: 'already_there' }],
  });
  expect(await it.refusal('PATCH', 'plans/again', {})).toMatchObject({
    status: 422,
    errors: [{ code: 'invalid_request' }],
  });
  const past = await it.refusal('PATCH', 'plans/again', { price: '1', from: '2020-01-01' });
  expect(past).toMatchObject({ status: 422, errors: [{ pointer: '/from', code: 'invalid_from' }] });
});
