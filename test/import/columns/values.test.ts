import { expect, test } from 'vitest';
import { guessColumn } from '../../../src/import/columns/guess.ts';
import { correctColumnGuess, measureValueTypeShares } from '../../../src/import/columns/values.ts';

test('only the beginnings of values are tested: a hundred values of a megabyte each take no time', () => {
  const long = Array.from({ length: 100 }, () => 'a'.repeat(1_000_000));
  expect(measureValueTypeShares(long)).toMatchObject({ count: 100, email: 0, phone: 0, words: 1 });
});

test('e-mails, phones and names are recognised', () => {
  expect(measureValueTypeShares(['jane@example.com', '<jane@example.com>'])).toMatchObject({
    email: 1,
    phone: 0,
  });
  expect(measureValueTypeShares(['+1 415 555 0100', ' '])).toMatchObject({ count: 1, phone: 1, words: 0 });
});

test.each([
  ['Contact no.', 'record_id'],
  ['Kontaktnummer', 'record_id'],
  ['Número de contacto', 'record_id'],
  ['İletişim numarası', undefined],
  ['Номер контакта', 'record_id'],
])('%s is a column of phones if its values are, and otherwise not', (header, otherwise) => {
  const fieldOf = (...values: string[]) =>
    correctColumnGuess(header, guessColumn(header), measureValueTypeShares(values))?.field;
  expect(fieldOf('+31 20 123 4567', '415 555 0100')).toBe('phone');
  expect(fieldOf('9876543210', '9123456789', '8877665544')).toBe('phone');
  expect(fieldOf('1001', '1002', '1003')).toBe(otherwise);
});

test('an id of a contact stays an id, even if it looks like a phone number', () => {
  const shares = measureValueTypeShares(['9876543210', '9123456789', '8877665544']);
  expect(correctColumnGuess('Contact ID', guessColumn('Contact ID'), shares)?.field).toBe('record_id');
});
