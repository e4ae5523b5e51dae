// Check requests from table rows.
import { expect, test } from 'vitest';
import { parseClaim } from '../../../src/claim/parse.ts';
import { parseColumnMap } from '../../../src/import/columns/map.ts';
import { parseEncoding } from '../../../src/import/encoding/encoding.ts';
import { ObjectRequestReader } from '../../../src/import/input/objects/requests.ts';
import {
  createCheckRequestFromObject,
  createCheckRequestFromRow,
} from '../../../src/import/input/request.ts';

const row = (values: Record<string, unknown>) =>
  createCheckRequestFromRow({ names: ['Jane Quimby'], emails: [], phones: [], addresses: [], ...values });

test.each([
  ['<jane@example.com>', 'jane@example.com'],
  ['"Jane Quimby" <jane@example.com>', 'jane@example.com'],
  ['mailto:jane@example.com?subject=hello', 'jane@example.com'],
  ['ｊａｎｅ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'jane@example.com'],
])('the e-mail %s is read as in imports', (cell, email) => {
  expect(row({ emails: [cell] })).toMatchObject({ request: { emails: [email] }, leftOut: [] });
});

test('e-mails and phones that a check would refuse are left out, with the column and the reason', () => {
  const headers = ['E-Mail', 'E-Mail 2', 'Tel', 'Mobil', 'Fax', 'Büro', 'Notfall'];
  const fields = ['email', 'email', 'phone', 'phone', 'phone', 'phone', 'phone'] as const;
  const cells = [
    'jane@example.com; none@none.com',
    'none',
    '98042-1079',
    '4.91712E+11',
    'n/a',
    '999-999-9999',
    '030 23125014 (son)',
  ];
  const raw = {
    names: ['Jane Quimby'],
    emails: ['jane@example.com', 'none@none.com'],
    phones: ['98042-1079', '4.91712E+11', '999-999-9999'],
    addresses: [],
  };
  const columns = fields.map((field) => ({ field, group: '' }));
  const { request, leftOut } = createCheckRequestFromRow(raw, { cells, columns, headers });
  expect([request.emails, request.phones]).toEqual([['jane@example.com'], []]);
  expect(leftOut.map(({ field, column, reason }) => [field, column, reason])).toEqual([
    ['email', 'E-Mail 2', 'no_value'],
    ['phone', 'Fax', 'no_value'],
    ['phone', 'Notfall', 'relative'],
    ['email', 'E-Mail', 'placeholder'],
    ['phone', 'Tel', 'unusable'],
    ['phone', 'Mobil', 'rounded'],
    ['phone', 'Büro', 'placeholder'],
  ]);
});

test('a person whose contacts are all unusable is not checked by the name alone', () => {
  expect(row({ emails: ['none'] })).toMatchObject({ request: { emails: ['none'] }, leftOut: [] });
  const { request } = row({ phones: ['4.917123456E+11'] });
  expect(() => parseClaim({ value: request, issues: [] }, 'DE')).toThrow(
    expect.objectContaining({ details: { issues: [expect.objectContaining({ code: 'invalid_phone' })] } }),
  );
});

/** Returns the request or the problem of each object in a file. */
function readObjects(...objects: object[]) {
  const reader = new ObjectRequestReader<null>({ name: 'people.jsonl', region: 'US' }, () => undefined);
  const found = [...objects.flatMap((object, i) => reader.add(i + 1, { ...object }, null)), ...reader.end()];
  return found.map(({ request, problem }) => request ?? problem);
}

test('an object with the fields of a table in an import is a request', () => {
  const place = { street: '1 Elm St', city: 'Salem', state: 'OR', zip: '97301' };
  const contacts = { email: 'ann@example.com', phone: '+14155550142' };
  expect(
    readObjects(
      { id: 7, given: 'Ann', middle: null, family: 'Lee', ...contacts, ...place },
      { name: 'Ann Lee', country: 'US' },
    ),
  ).toEqual([
    { name: 'Ann Lee', emails: ['ann@example.com'], phones: ['+14155550142'], addresses: [place] },
    { name: 'Ann Lee', emails: [], phones: [], addresses: [] },
  ]);
});

test('an object of another program is a request with the columns of an import', () => {
  const email = 'ann@example.com';
  const place = { street: '1 Elm St', city: 'Salem' };
  const order = {
    id: 1,
    customer: { first_name: 'Ann', last_name: 'Lee', email },
    addresses: [{ address1: '1 Elm St', city: 'Salem', phone: '503-555-0142' }],
    manager: { email: 'm@example.com' },
    line_items: [{ name: 'Shirt' }],
  };
  const lease = {
    lease: 1,
    tenants: [
      { name: 'Ann Lee', email },
      { name: 'Bo Kim', email: 'bo@example.com' },
    ],
  };
  const request = { name: 'Ann Lee', emails: [email], phones: [], addresses: [] };
  expect(
    readObjects(order, { name: 'Ann Lee', emails: [email] }, lease, { name: 'Ann Lee', contact: { email } }),
  ).toEqual([
    { name: 'Ann Lee', emails: [email], phones: ['503-555-0142'], addresses: [place] },
    { name: 'Ann Lee', emails: [email] },
    request,
    request,
  ]);
});

test('an object whose name or contacts cannot be read has a problem that says what to do', () => {
  expect(readObjects({ id: 7, thing: { email: 'a@example.com' } })).toEqual([
    expect.stringContaining('`name`'),
  ]);
  const unread = { name: 'Jane Quimby', profiles: [{ email: 'jane@example.com' }] };
  expect(readObjects(unread)).toEqual([expect.stringContaining('`emails` and `phones`')]);
  const [request] = readObjects({ name: 'Jane Quimby', emials: ['jane@example.com'] });
  expect(() => parseClaim({ value: request as Record<string, unknown>, issues: [] }, 'US')).toThrow(
    expect.objectContaining({ details: { issues: [expect.objectContaining({ code: 'unknown_field' })] } }),
  );
  const others = { manager: { email: 'm@example.com' }, identifiers: [{ type: 'passport', value: 'C1234' }] };
  expect(readObjects({ name: 'Jane Quimby', ...others })).toMatchObject([
    { name: 'Jane Quimby', emails: [] },
  ]);
});

test('a name that every JavaScript object has is no known field, column or encoding', () => {
  expect(createCheckRequestFromObject({ name: 'Jane Quimby', constructor: 'x' })).toEqual({
    name: 'Jane Quimby',
  });
  const map = 'constructor=Name';
  expect(() => parseColumnMap(['Name'], { name: 'file.csv', map })).toThrow(/^Invalid --map/);
  expect(() => parseEncoding('constructor')).toThrow(/^Unknown encoding/);
});
