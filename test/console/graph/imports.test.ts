import { expect, test } from 'vitest';
import {
  describeEmptyFile,
  describePossibleUndo,
  describeRejections,
  describeCompletedUndo,
  COLUMN_FIELD_OPTIONS,
  replaceOptionNamesByLabels,
  needsNewAnalysis,
  formatColumnMapSetting,
  formatServerMessage,
  removeEmptySettings,
} from '../../../src/console/graph/imports.ts';
import { COLUMN_FIELDS } from '../../../src/import/columns/headers.ts';

test('a column can be set to every field that the server knows', () => {
  const offered = COLUMN_FIELD_OPTIONS.flatMap(([field]) => (field === '' ? [] : [field as string]));
  expect(offered.toSorted()).toEqual(COLUMN_FIELDS.toSorted());
});

test('columns are sent one line each, without headers that are empty or have several lines', () => {
  const column = (header: string, field: string | null, group = '') => ({
    header,
    field,
    group,
    guessed: false,
    examples: [],
  });
  expect(
    formatColumnMapSetting([
      column('Kunde', 'name'),
      column('Ship To City', 'city', 'shipto'),
      column('Notes', null),
      column('two\nlines', 'email'),
      column('', 'phone'),
    ]),
  ).toBe('name=Kunde\ncity.shipto=Ship To City\nnone=Notes');
});

test('a changed setting needs a new analysis, and empty settings are not sent', () => {
  const read = { source: 'shop', map: 'name=Kunde' };
  expect(needsNewAnalysis({ ...read, replace: true, region: '' }, read)).toBe(false);
  expect(needsNewAnalysis({ ...read, map: 'name=Name' }, read)).toBe(true);
  expect(needsNewAnalysis({ source: 'shop' }, read)).toBe(true);
  expect(removeEmptySettings({ ...read, region: '', dates: undefined as never, replace: false })).toEqual({
    ...read,
    replace: false,
  });
});

test('a file without records is described as empty', () => {
  const nothing = { read: 0, rejected: 0, companies: 0, households: 0, guests: 0, totals: 0, columns: [] };
  const column = { header: 'Name', field: 'name', group: '', guessed: false, examples: [] };
  expect(describeEmptyFile(nothing, 0)).toMatch(/is empty/);
  expect(describeEmptyFile({ ...nothing, columns: [column] }, 12)).toMatch(/no rows/);
  expect(describeEmptyFile({ ...nothing, companies: 1 }, 12)).toBe('');
  expect(describeEmptyFile({ ...nothing, totals: 1 }, 12)).toBe('');
});

test('rows that are left out are among the rejections that are listed', () => {
  const unusable = Array.from({ length: 3 }, (_, line) => ({ line, whole: true, reason: 'company' }));
  const counts = { rejected: 0, dropped: 0, companies: 0, households: 0, guests: 0, unusable: [] };
  expect(describeRejections(counts)).toEqual({ title: '', hidden: 0 });
  expect(describeRejections({ ...counts, dropped: 4, companies: 2, guests: 1, unusable })).toEqual({
    title: '4 values rejected, 3 rows left out',
    hidden: 4,
  });
  expect(describeRejections({ ...counts, rejected: 1, dropped: 2, unusable }).title).toBe(
    '1 record and 2 values rejected',
  );
});

test('an undo is described in counts, before and after', () => {
  expect(describePossibleUndo({ added: 1, replaced: 2000, removed: 0 })).toBe(
    'Removes 1 added record, restores 2,000 replaced and 0 removed.',
  );
  expect(describeCompletedUndo({ removed: 4, restored: 1, left: 2, records: 10, identities: 9 })).toBe(
    'Import undone: 4 records removed, 1 restored, 2 changed since and kept. The graph has 10 records and 9 identities.',
  );
});

test('sentences of the server name the settings of the page, and the name of a file keeps its spelling', () => {
  expect(formatServerMessage('crm.xlsx: only the sheet "a" is read, and not "b" (option --sheet)')).toBe(
    'crm.xlsx: only the sheet "a" is read, and not "b" (“Sheet” below).',
  );
  expect(formatServerMessage('doubtful: 3 of these numbers')).toBe('Doubtful: 3 of these numbers.');
  expect(replaceOptionNamesByLabels('elsewhere by --region')).toBe('elsewhere by “Default country” below');
});
