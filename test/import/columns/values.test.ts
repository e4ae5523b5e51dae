import { expect, test } from 'vitest';
import { measureValues } from '../../../src/import/columns/values.ts';

test('what values look like is told by their beginnings: a hundred of a megabyte each are looked at in a moment', () => {
  const long = Array.from({ length: 100 }, () => 'a'.repeat(1_000_000));
  expect(measureValues(long)).toMatchObject({ count: 100, email: 0, phone: 0, words: 1 });
});

test('an e-mail, a phone and a name look like what they are', () => {
  expect(measureValues(['jane@example.com', '<jane@example.com>'])).toMatchObject({ email: 1, phone: 0 });
  expect(measureValues(['+1 415 555 0100', ' '])).toMatchObject({ count: 1, phone: 1, words: 0 });
});
