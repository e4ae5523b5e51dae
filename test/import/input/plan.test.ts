import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskValue } from '../../../src/import/columns/cells.ts';
import type { TableColumn } from '../../../src/import/columns/headers.ts';
import { createColumnMappingReport } from '../../../src/import/input/plan.ts';

test.each([
  ['Jane.Doe+shop@example.com', 'Xxxx.Xxx+xxxx@xxxxxxx.xxx'],
  ['+49 (30) 555-0188', '+99 (99) 999-9999'],
  ['Łódź 山田*', 'Xxxx xx·'],
  ['x'.repeat(100), `${'x'.repeat(28)}…`],
])('%j is shown as %j', (value, shape) => {
  expect(maskValue(value)).toBe(shape);
});

test('no letter and no digit of a value is shown', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      expect(maskValue(value).replace(/[xX9…·]/g, '')).not.toMatch(/[\p{L}\p{N}\p{M}\p{Cc}]/u);
    }),
  );
});

test('a plan has three different examples per column, and its map contains no value', () => {
  const samples = [['Ann Lee'], [''], ['Bo Ray'], ['Cy Dijk'], ['Dee Moss'], ['Edgar Stone']];
  const { columns, map } = createColumnMappingReport('a.csv', {
    headers: ['Customer'],
    columns: [{ field: 'name', group: '' }],
    samples,
  });
  expect(columns).toEqual([
    {
      header: 'Customer',
      field: 'name',
      group: '',
      guessed: false,
      examples: ['Xxx Xxx', 'Xx Xxx', 'Xx Xxxx'],
    },
  ]);
  expect(map).toBe('name=Customer\n');
});

test.each([
  ['a relative', 'Parent/Carer 1', ['Ann Lee'], true],
  ['a person of an unknown kind', 'Begleitung', ['Ann Lee', 'Maria Schmidt', 'Peter Müller'], true],
  ['an employee', 'Sales rep', ['Ann Lee', 'Maria Schmidt', 'Peter Müller'], false],
  ['a company', 'Parent Customer', ['Alpine Ski House'], false],
  ['a thing', 'Colour', ['red', 'green', 'blue'], false],
  ['nobody', 'Parent/Carer 1', [''], false],
])('a plan lists an unused column with names of %s: %#', (_, header, cells, isListed) => {
  const plan = (columns: (TableColumn | null)[]) =>
    createColumnMappingReport('a.csv', {
      headers: ['Pupil', header, 'Phone'],
      columns,
      samples: cells.map((cell) => ['Mia Feldt', cell, '0171 2345678']),
    });
  const name: TableColumn = { field: 'name', group: '' };
  expect(plan([name, null, { field: 'phone', group: '' }]).unusedNames).toEqual(isListed ? [header] : []);
  expect(plan([name, null, null]).unusedNames).toEqual([]);
});
