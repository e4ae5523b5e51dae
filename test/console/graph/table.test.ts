import { expect, test } from 'vitest';
import { partsOf } from '../../../src/console/graph/send.ts';
import { guessFields, masked, readTable, recordOf } from '../../../src/console/graph/table.ts';

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

test('a mask leaves the form of a value, and no more of it than the first sign of each word', () => {
  expect(masked('ada.quill@example.com')).toBe('a••.q••••@e••••••.c••');
  expect(masked('(415) 555-0188')).toBe('(4••) 5••-0•••');
  expect(masked('')).toBe('');
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

test('lines are sent in parts that one request may have, none of them lost', () => {
  const lines = [...Array.from({ length: 950 }, (_, i) => String(i)), 'x'.repeat(899_000), 'y'.repeat(2000)];
  const parts = partsOf(lines);
  expect(parts.map((part) => [part.first, part.lines.length])).toEqual([
    [0, 400],
    [400, 400],
    [800, 151],
    [951, 1],
  ]);
  expect(parts.flatMap((part) => part.lines)).toEqual(lines);
});
