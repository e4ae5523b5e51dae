import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type DateOrder, TableDateOrders } from '../../../src/import/columns/dates.ts';
import { toRawRecord } from '../../../src/import/columns/raw.ts';
import { parseImportRecord } from '../../../src/import/record.ts';
import {
  areSwedishPersonalNumbers,
  getBirthDateOfSwedishPersonalNumber,
  toIsoDateOrUnchanged,
  isEmptyDate,
  isEpochPlaceholder,
  detectDateOrder,
} from '../../../src/import/columns/dates.ts';

describe('the order of a column', () => {
  test.each([
    [['11/02/1984', '30/11/1990'], 'dmy'],
    [['11-02-1984', '30-11-1990'], 'dmy'],
    [['11.02.1984', '30.11.1990'], null],
    [['11.02.1984', '30.11.1990', '11/30/1990'], 'mdy'],
    [['02/11/1984', '11/30/1990'], 'mdy'],
    [['02/11/1984', '11/10/1990'], null],
    [['30/11/1990', '11/30/1990'], null],
    [['1990-11-30', 'soon', ''], null],
  ])('of %j is %s', (values, order) => {
    expect(detectDateOrder(values)).toBe(order);
  });
});

describe('a date', () => {
  test.each([
    ['03/04/1976', 'dmy', '1976-04-03'],
    ['03/04/1976', 'mdy', '1976-03-04'],
    ['3.4.29', 'dmy', '2029-04-03'],
    ['3.4.30', 'dmy', '1930-04-03'],
    ['76-4-3', 'ymd', '1976-04-03'],
    ['1976-04-03', 'dmy', '1976-04-03'],
    ['03/04/1976 10:11', 'dmy', '1976-04-03 10:11'],
    ['03/14/1976', 'dmy', '03/14/1976'],
    ['03/04/1976', null, '03/04/1976'],
    ['44197', null, '2021-01-01'],
    ['44197.5', null, '2021-01-01'],
    ['19760403', 'dmy', '19760403'],
    ['99999', 'dmy', '99999'],
  ] as const)('%s by %s is %s', (cell, order, date) => {
    expect(toIsoDateOrUnchanged(cell, order)).toBe(date);
  });
});

test.each([
  '0/0/00',
  '00/00/0000',
  '0000-00-00',
  '0000-00-00 00:00:00',
  '1900-01-00',
  '1/0/1900',
  '00.01.1900',
  '02/29',
  '--11-05',
  '31.12.',
])('%s is a program’s way to write no date', (cell) => {
  expect(isEmptyDate(cell)).toBe(true);
  expect(toIsoDateOrUnchanged(cell, 'mdy')).toBe(cell);
  const raw = { record_id: '1', name: 'Ann Lee', birth_date: cell };
  const read = parseImportRecord(raw, { source: 'crm', region: 'US' });
  expect(read).toMatchObject({ record: { birthDate: null }, dropped: [] });
});

test('two digits of a birth date are never a future year', () => {
  expect(toIsoDateOrUnchanged('31/12/29', 'dmy', 2026)).toBe('1929-12-31');
  expect(toIsoDateOrUnchanged('31/12/26', 'dmy', 2026)).toBe('2026-12-31');
});

test.each(['2000-01-01', '12/80', '05/1980', '01/01/1900', '1/1/00', '10/10/00', ''])('%s is not', (cell) => {
  expect(isEmptyDate(cell)).toBe(false);
});

test.each([
  ['580317-0009', '1958-03-17'],
  ['580317-0000', null],
  ['195803170009', '1958-03-17'],
  ['19580317-0009', '1958-03-17'],
  ['5803170009', '1958-03-17'],
  ['250317-0009', '2025-03-17'],
  ['270317-0007', '1927-03-17'],
  ['250317+0009', '1925-03-17'],
  ['580377-0006', '1958-03-17'],
  ['581317-0007', null],
  ['1958-03-17', null],
])('the Swedish personal number %s has the birth date %s', (cell, date) => {
  expect(getBirthDateOfSwedishPersonalNumber(cell, 2026)).toBe(date);
});

test('serial numbers are no personal numbers, because most have a wrong check digit', () => {
  expect(areSwedishPersonalNumbers(['4711010001', '4711010002', '4711010003'])).toBe(false);
});

test('personal numbers that begin with the day, as in Denmark, are not recognised as Swedish ones', () => {
  expect(areSwedishPersonalNumbers(['580317-0009', '010317-0007', '600101-1235'])).toBe(true);
  expect(areSwedishPersonalNumbers(['170358-0000', '010203-0000', '241261-1234'])).toBe(false);
  expect(areSwedishPersonalNumbers(['', '12345', '17035812345'])).toBe(false);
});

const LIST = readFileSync(new URL('dates.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t').map((cell) => (cell === '-' ? '' : cell)));

test('the list has at least 120 dates', () => {
  expect(LIST.length).toBeGreaterThanOrEqual(120);
});

test.each(LIST)(
  'with --dates %j, beside %j, of %j: %s is %s',
  (...[dates, others = '', country = '', cell = '', iso]) => {
    const samples = [...others.split(' '), cell].map((value) => [value]);
    const orders = new TableDateOrders([true], samples, dates ? { dates: dates as DateOrder } : {});
    const fields = ['birth_date', 'country', 'name', 'record_id'] as const;
    const columns = fields.map((field) => ({ field, group: '' }));
    const { raw } = toRawRecord([cell, country, 'Ann Lee', '1'], { columns, orders });
    const outcome = parseImportRecord(raw, {});
    expect('record' in outcome ? (outcome.record.birthDate ?? 'null') : 'rejected').toBe(iso);
  },
);

test.each([
  ['3 of 60 birth dates', 3, 57, true],
  ['2 of 2 birth dates', 2, 0, false],
  ['3 of 100 birth dates', 3, 97, false],
])('1 January 1970 as %s: %#', (_, epochs, others, isPlaceholder) => {
  const dates = [...Array<string>(epochs).fill('1970-01-01'), ...Array<string>(others).fill('1980-05-06')];
  expect(isEpochPlaceholder(dates)).toBe(isPlaceholder);
});
