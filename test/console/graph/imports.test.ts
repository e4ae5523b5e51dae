import { expect, test } from 'vitest';
import { FIELDS, isOtherwise, mapOf, saidOf } from '../../../src/console/graph/imports.ts';
import type { Found } from '../../../src/console/graph/imports.ts';
import { emptyText, grouped, undoneText, wouldText } from '../../../src/console/graph/words.ts';
import { COLUMN_FIELDS } from '../../../src/import/columns/headers.ts';

test('a column can be said to hold whatever the server knows', () => {
  const offered = FIELDS.flatMap(([field]) => (field === '' ? [] : [field as string]));
  expect(offered.toSorted()).toEqual(COLUMN_FIELDS.toSorted());
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

test('what would be read in another way is not imported as it was read; what is left empty is not said', () => {
  const read = { source: 'shop', map: 'name=Kunde' };
  expect(isOtherwise({ ...read, replace: true, region: '' }, read)).toBe(false);
  expect(isOtherwise({ ...read, map: 'name=Name' }, read)).toBe(true);
  expect(isOtherwise({ source: 'shop' }, read)).toBe(true);
  expect(saidOf({ ...read, region: '', dates: undefined as never, replace: false })).toEqual({
    ...read,
    replace: false,
  });
});

test('a file without anything in it is told as such', () => {
  const nothing = { read: 0, rejected: 0, companies: 0, guests: 0, columns: [] } as unknown as Found;
  const column = { header: 'Name', field: 'name', group: '', examples: [] };
  expect(emptyText(nothing, 0)).toMatch(/is empty/);
  expect(emptyText({ ...nothing, columns: [column] }, 12)).toMatch(/no row below it/);
  expect(emptyText({ ...nothing, companies: 1 }, 12)).toBe('');
});

test('figures are grouped, and dates are not', () => {
  expect(grouped('records 553113 with an e-mail, from 2019-03-02 to 2025-06-30')).toBe(
    'records 553,113 with an e-mail, from 2019-03-02 to 2025-06-30',
  );
});

test('what taking an import back does is said before and after, in counts', () => {
  expect(wouldText({ at: '', added: 1, replaced: 2000, removed: 0 })).toBe(
    '1 record goes out of the graph. 2,000 records that it replaced are as before.',
  );
  expect(undoneText({ removed: 4, restored: 1, left: 2, records: 10, identities: 9 })).toBe(
    'Undone: 4 records are out of the graph, 1 record is as before, 2 records changed since and stay. It holds 10 records of 9 identities.',
  );
});
