import { expect, test } from 'vitest';
import { fieldName } from '../../../src/console/parts/text.ts';

test.each([
  ['/emails/0', 'E-mail 1'],
  ['/addresses/4/zip', 'Address 5 zip'],
  ['/allowed_addresses', 'Allowed addresses'],
])('a field is called as somebody counts: %s', (pointer, name) => {
  expect(fieldName(pointer)).toBe(name);
});
