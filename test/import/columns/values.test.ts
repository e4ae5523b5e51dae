import { expect, test } from 'vitest';
import { measureValueTypeShares } from '../../../src/import/columns/values.ts';

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
