// Check requests from table rows.
import { expect, test } from 'vitest';
import { parseClaim } from '../../../src/claim/parse.ts';
import { parseColumnMap } from '../../../src/import/columns/map.ts';
import { parseEncoding } from '../../../src/import/encoding/encoding.ts';
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

test('an object with the fields of a table in an import is a request', () => {
  const place = { street: '1 Elm St', city: 'Salem', state: 'OR', zip: '97301' };
  const contacts = { email: 'ann@example.com', phone: '+14155550142' };
  expect(
    createCheckRequestFromObject({ id: 7, given: 'Ann', middle: null, family: 'Lee', ...contacts, ...place }),
  ).toEqual({ name: 'Ann Lee', emails: ['ann@example.com'], phones: ['+14155550142'], addresses: [place] });
  const { addresses } = createCheckRequestFromObject({ name: 'Ann Lee', address: '2 Oak St', ...place });
  expect(addresses).toEqual([{ street: '2 Oak St' }, place]);
  expect(createCheckRequestFromObject({ name: 'Ann Lee', country: 'US' })).toEqual({ name: 'Ann Lee' });
});

test('an object with contacts of the person is not dropped in silence: the check refuses it and names the known fields', () => {
  const contact = { email: 'jane@example.com' };
  for (const nested of [{ contact }, { customer: { contact } }, { profiles: [contact] }]) {
    const request = createCheckRequestFromObject({ name: 'Jane Quimby', ...nested });
    expect(() => parseClaim({ value: request, issues: [] }, 'US')).toThrow(
      expect.objectContaining({
        details: { issues: [expect.objectContaining({ code: 'unknown_field' })] },
      }),
    );
  }
  const others = { manager: { email: 'm@example.com' }, identifiers: [{ type: 'passport', value: 'C1234' }] };
  expect(createCheckRequestFromObject({ name: 'Jane Quimby', ...others })).toEqual({ name: 'Jane Quimby' });
});

test('a name that every JavaScript object has is no known field, column or encoding', () => {
  expect(createCheckRequestFromObject({ name: 'Jane Quimby', constructor: 'x' })).toEqual({
    name: 'Jane Quimby',
  });
  const map = 'constructor=Name';
  expect(() => parseColumnMap(['Name'], { name: 'file.csv', map })).toThrow(/^Invalid --map/);
  expect(() => parseEncoding('constructor')).toThrow(/^Unknown encoding/);
});
