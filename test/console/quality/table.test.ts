import { expect, test } from 'vitest';
import { guessFields, readTable, recordOf } from '../../../src/console/quality/table.ts';

test('a table is read whatever separates its cells, quotes and all', () => {
  expect(readTable('\uFEFFa;b\r\n1;"x; ""y""\nz"\r\n\r\n2;3')).toEqual({
    columns: ['a', 'b'],
    rows: [
      ['1', 'x; "y"\nz'],
      ['2', '3'],
    ],
  });
  expect(readTable('a\tb\tc,d\n1\t2\t3').columns).toEqual(['a', 'b', 'c,d']);
  expect(readTable('').rows).toEqual([]);
});

test('columns are taken for what their heads say, each but e-mails and phones once', () => {
  const heads = [
    'Customer No',
    'First Name',
    'Surname',
    'E-Mail',
    'email 2',
    'Mobile',
    'Address',
    'PLZ',
    'Ort',
    'DOB',
    'Notes',
  ];
  expect(guessFields(heads)).toEqual([
    'record_id',
    'given',
    'family',
    'email',
    'email',
    'phone',
    'street',
    'zip',
    'city',
    'birth_date',
    '',
  ]);
});

test('a row becomes a record without what is empty', () => {
  const fields = ['given', 'family', 'email', 'email', 'city', ''] as const;
  expect(
    recordOf(['Ada', 'Quill', 'a@example.com', ' ', 'Berlin', 'x'], [...fields], { source: 's', id: 'f 1' }),
  ).toEqual({
    record_id: 'f 1',
    source: 's',
    name: { given: 'Ada', family: 'Quill' },
    emails: ['a@example.com'],
    addresses: [{ city: 'Berlin' }],
  });
});
