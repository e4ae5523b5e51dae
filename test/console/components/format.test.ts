import { expect, test } from 'vitest';
import { describeFieldPointer } from '../../../src/console/components/format.ts';

test.each([
  ['/emails/0', 'E-mail 1'],
  ['/addresses/4/zip', 'Address 5 zip'],
  ['/allowed_addresses', 'Allowed addresses'],
])('the name of a field counts from one: %s', (pointer, name) => {
  expect(describeFieldPointer(pointer)).toBe(name);
});
