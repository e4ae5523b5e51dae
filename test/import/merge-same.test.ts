// Rows with the same record id.
import { expect, test } from 'vitest';
import { mergeRowsWithSameId } from '../../src/import/merge-same.ts';
import { FAMILY, GIVEN } from '../kit/graphs/graph.ts';
import type { StoredRecord } from '../../src/link/stored-record.ts';

const row = (names: string[], email: number | null, more: Partial<StoredRecord> = {}): StoredRecord => ({
  recordId: '17',
  source: 'shop',
  names,
  birthDate: null,
  label: null,
  firstSeen: null,
  lastSeen: null,
  contacts: email === null ? [] : [{ kind: 'email', keys: [['email', email]], signature: null, places: [] }],
  ...more,
});

function merged(rows: StoredRecord[]) {
  const counts = { merged: 0, shared: 0 };
  return { records: [...mergeRowsWithSameId(rows, (text) => `<${text}>`, counts)], counts };
}

test('rows of one person become one record with the values of all', () => {
  const { records, counts } = merged([
    row(['Robert Hale'], 1, { firstSeen: 20, birthDate: '1980' }),
    row(['Bob Hale'], 2, { lastSeen: 40, birthDate: '1980-05-01' }),
    row([], 1, { firstSeen: 10 }),
  ]);
  expect(counts).toEqual({ merged: 2, shared: 0 });
  expect(records).toMatchObject([
    {
      recordId: '17',
      names: ['Robert Hale', 'Bob Hale'],
      birthDate: '1980-05-01',
      firstSeen: 10,
      lastSeen: 40,
    },
  ]);
  expect(records[0]?.contacts).toHaveLength(2);
});

test('people who share an id stay apart, with ids that do not depend on the order of the rows', () => {
  const rows = [row(['Robert Hale'], 1), row(['Priya Raman'], 2), row(['Hale, Robert'], 3)];
  const ids = (some: StoredRecord[]) =>
    merged(some)
      .records.map(({ recordId }) => recordId)
      .toSorted();
  expect(ids(rows)).toEqual(['17~<hale, robert >', '17~<priya raman >']);
  expect(ids(rows.toReversed())).toEqual(ids(rows));
});

test.each([
  ['birth dates', { birthDate: '1980-05-01' }, { birthDate: '1990-05-01' }],
  ['identities that were said', { label: 'a' }, { label: 'b' }],
])('%s that differ keep rows of one name apart', (_, one, two) => {
  const { records } = merged([row(['Ann Lee'], 1, one), row(['Ann Lee'], 1, two)]);
  expect(new Set(records.map(({ recordId }) => recordId)).size).toBe(2);
});

test('two people whom a later row with both names shows to be one become one record', () => {
  const { records, counts } = merged([
    row(['Hugo Hale'], 1),
    row(['Ann Raman'], 2),
    row(['Hugo Hale', 'Ann Raman'], 3),
  ]);
  expect(counts).toEqual({ merged: 2, shared: 0 });
  expect(records).toMatchObject([{ recordId: '17', contacts: [{}, {}, {}] }]);
});

test.each([
  ['very many names', (i: number) => row([`${GIVEN[i % 20]} ${FAMILY[i % 19]}`], i)],
  ['one person with very many contacts', (i: number) => row([], i)],
])('an id of %s identifies nobody: every row is a record', (_, make) => {
  const { records, counts } = merged(Array.from({ length: 90 }, (__, i) => make(i)));
  expect(counts).toEqual({ merged: 0, shared: 1 });
  expect(new Set(records.map(({ recordId }) => recordId)).size).toBe(90);
});
