import { expect, test } from 'vitest';
import { FIELDS, mapOf } from '../../../src/console/graph/imports.ts';
import { HEADERS } from '../../../src/import/source/columns/headers.ts';

test('a column can be said to hold whatever the server knows', () => {
  const offered = FIELDS.flatMap(([field]) => (field === '' ? [] : [field as string]));
  expect(offered.toSorted()).toEqual(Object.keys(HEADERS).toSorted());
});

test('columns are said as the server takes them; what cannot be said is left to it', () => {
  const column = (header: string, field: string | null, group = '') => ({
    header,
    field,
    group,
    examples: [],
  });
  expect(
    mapOf([
      column('Kunde', 'name'),
      column('Ship To City', 'city', 'shipto'),
      column('Notes', null),
      column('two\nlines', 'email'),
      column('', 'phone'),
    ]),
  ).toBe('name=Kunde\ncity.shipto=Ship To City\nnone=Notes');
});
