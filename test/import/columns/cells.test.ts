import { expect, test } from 'vitest';
import { decodeHtmlEntities, splitCellIntoPhones } from '../../../src/import/columns/cells.ts';

test.each([
  '030 23125014 / 0171 2345678',
  '030 23125014/0171 2345678',
  '030 23125014, 0171 2345678',
  '030 23125014; 0171 2345678',
  '030 23125014 und 0171 2345678',
  '030/23125014 oder 0171/2345678',
  '(030) 23125014 / (0171) 2345678',
  '+49 30 23125014 & +49 171 2345678',
  '030 23125014 (privat), 0171 2345678 (mobil)',
  'privat: 030 23125014, mobil: 0171 2345678',
  '+1 503 234 0101 x12 / +1 503 234 0102',
])('%s are two phones', (cell) => {
  expect(splitCellIntoPhones(cell)).toHaveLength(2);
});

test.each([
  '030/23125014',
  '0341 / 5550143',
  '+49 33209/1234567',
  '0049 33209/1234567',
  '030 23125014/15',
  '+1 503 234 0101, ext. 5',
  '030 23125014 (privat)',
])('%s is one phone', (cell) => {
  expect(splitCellIntoPhones(cell)).toEqual([cell]);
});

test.each([
  ['O&#039;Brien', "O'Brien"],
  ['M&uuml;ller &amp; S&ouml;hne', 'Müller & Söhne'],
  ['Ringstra&szlig;e&nbsp;3', 'Ringstraße\u00a03'],
  ['&#x41;&#0;&#9999999;', 'A&#0;&#9999999;'],
  ['AT&T; &unknown; a & b;', 'AT&T; &unknown; a & b;'],
])('the entities of %s are decoded', (cell, text) => {
  expect(decodeHtmlEntities(cell)).toBe(text);
});
