import { expect, test } from 'vitest';
import { decodeHtmlEntities, removePhoneRemarks, splitPhones } from '../../../src/import/columns/cells.ts';

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
  expect(splitPhones(cell)).toHaveLength(2);
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
  expect(splitPhones(cell)).toEqual([cell]);
});

test.each(
  'DW 12|Durchwahl 12|-DW12|App. 12|opt 2|int. 12|(nach 18 Uhr)|(2)|,,12#|p12|w12|/43|,43|/432|转12'.split(
    '|',
  ),
)('%s after a phone is no part of the number', (end) => {
  expect(removePhoneRemarks(`0341 55501420${end}`)?.replace('-', '').trim()).toBe('0341 55501420');
});

test.each([
  '0341/5550142',
  '0043/664/12345/67',
  '+43 1 234/5678',
  '+49 (0)171 2345678',
  '030 2312 (5014)',
  'Tel 030 23125014',
])('all digits of %s are of the number', (phone) => {
  expect(removePhoneRemarks(phone)).toBe(phone);
  expect(removePhoneRemarks(`Tel. 2: ${phone}`)).toBe(phone);
});

test.each([
  'Tél. 06.12.34.56.78',
  'M 06.12.34.56.78',
  'Tel. 02.1234567',
  'Cell 33.31234567',
  'tel. 03) 55501234',
  'Tel 02 : 1234567',
  'Tel 2.1234567',
])('the first digits of %s are of the number, and not of its label', (phone) => {
  expect(removePhoneRemarks(phone)).toBe(phone);
});

test.each(['0341 5550142 nach 18 Uhr', 'Mo-Fr 8-18h 0341 5550142', '0341 5550142 Fax 0341 5550143'])(
  'a number with words between its digits is not used: %s',
  (text) => {
    expect(removePhoneRemarks(text)).toBeNull();
  },
);

test.each([
  ['O&#039;Brien', "O'Brien"],
  ['M&uuml;ller &amp; S&ouml;hne', 'Müller & Söhne'],
  ['Ringstra&szlig;e&nbsp;3', 'Ringstraße\u00a03'],
  ['&#x41;&#0;&#9999999;', 'A&#0;&#9999999;'],
  ['AT&T; &unknown; a & b;', 'AT&T; &unknown; a & b;'],
])('the entities of %s are decoded', (cell, text) => {
  expect(decodeHtmlEntities(cell)).toBe(text);
});
