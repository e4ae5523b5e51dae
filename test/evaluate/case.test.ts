import { describe, expect, test } from 'vitest';
import { parseLabelledCase } from '../../src/evaluate/cases.ts';

const REQUEST = { name: 'Jane Quimby', emails: ['jane.quimby@example.com'] };
const roleOf = (labels: object) => {
  const one = parseLabelledCase({ ...labels, request: REQUEST }, 7);
  return typeof one === 'string' ? one : one.role;
};

describe('what a case counts as', () => {
  test.each([
    [{ kind: 'genuine' }, 'genuine'],
    [{ kind: 'partial', subkind: 'email_only', genuine: true }, 'genuine'],
    [{ kind: 'chimera', subkind: 'near_name' }, 'not_genuine'],
    [{ kind: 'impostor', genuine: false }, 'not_genuine'],
    [{ kind: 'nameless', genuine: null }, 'not_genuine'],
    [{ kind: 'newcomer', genuine: true }, 'apart'],
    [{ kind: 'unknown', genuine: null }, 'apart'],
    [{ kind: 'name_only' }, 'apart'],
    [{ kind: 'chimera', subkind: 'household' }, 'apart'],
    [{ kind: 'impostor', subkind: 'email_alone', genuine: false }, 'apart'],
    [{ kind: 'impostor', subkind: 'email_own_unknown', genuine: false }, 'apart'],
    [{ kind: 'impostor', subkind: 'email_own_elsewhere', genuine: false }, 'not_genuine'],
    [{ genuine: 'Yes' }, 'genuine'],
    [{ genuine: 'no' }, 'not_genuine'],
    [{ genuine: 0 }, 'not_genuine'],
    [{ genuine: null }, 'apart'],
    [{ kind: 'march orders', genuine: true }, 'genuine'],
  ])('%j is %s', (labels, role) => {
    expect(roleOf(labels)).toBe(role);
  });
});

test('a flat line is a request with its labels beside it, one value standing for a list of one', () => {
  const flat = {
    name: 'Jane Quimby',
    email: 'jane.quimby@example.com',
    address: '12 Larch Street',
    genuine: 1,
  };
  expect(parseLabelledCase({ id: 12, ...flat, origin: 'english' }, 3)).toEqual({
    id: '12',
    line: 3,
    role: 'genuine',
    kind: 'genuine',
    subkind: null,
    origin: 'english',
    country: null,
    request: { ...REQUEST, addresses: [{ street: '12 Larch Street' }] },
  });
});

test('a field that is no label stays with the request, which tells of it', () => {
  const one = parseLabelledCase({ name: 'Jane', emial: 'x@example.com', genuine: true }, 1);
  expect(one).toMatchObject({ request: { emial: 'x@example.com' } });
});

describe('what a line lacks is a sentence without its values', () => {
  const SECRET = 'jane.quimby@example.com';
  test.each([
    [{ request: SECRET, genuine: true }, '`request` must be an object.'],
    [{ emails: [SECRET], genuine: true }, 'It has no `name`.'],
    [{ name: SECRET }, 'It has no `genuine` (yes or no), and no `kind` of'],
    [{ name: SECRET, kind: 'shoppers' }, 'It has no `genuine` (yes or no), and no `kind` of'],
    [{ name: SECRET, genuine: SECRET }, '`genuine` must be yes or no.'],
    [{ name: SECRET, genuine: 'no', kind: 'genuine' }, '`kind` and `genuine` disagree.'],
    [{ name: SECRET, genuine: 'no', origin: SECRET }, '`origin` must be a short word.'],
    [{ name: SECRET, genuine: 'no', kind: ['a'] }, '`kind` must be a short word.'],
  ])('%j', (value, sentence) => {
    const problem = parseLabelledCase(value, 1);
    expect(problem).toEqual(expect.stringContaining(sentence));
    expect(problem).not.toContain(SECRET);
  });
});

test.each([
  'jane@example.com',
  '4155550134',
  '415-555-0134',
  'Jane Quimby',
  'Jane.Quimby',
  'jane_quimby',
  'J-Quimby85',
  '',
])('an id that may be a name, an e-mail or a phone is not shown: %j', (case_id) => {
  expect(parseLabelledCase({ case_id, genuine: true, request: REQUEST }, 9)).toMatchObject({
    id: 'line 9',
  });
});

test.each([
  'a',
  'a-1',
  'a-b',
  'g1-00001',
  'crm-de-0017',
  'crm-customer-a12',
  'us-c00017',
  'r12-x',
  'order_17',
  'order_a17',
])('other ids stay: %s', (case_id) => {
  expect(parseLabelledCase({ case_id, genuine: true, request: REQUEST }, 9)).toMatchObject({ id: case_id });
});
