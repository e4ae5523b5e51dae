import { expect, test } from 'vitest';
import {
  describeFieldPointer,
  findFieldError,
  findVerdictWithoutRecord,
  formatRelativeTime,
} from '../../../src/console/components/format.ts';

test.each([
  ['/emails/0', 'E-mail 1'],
  ['/addresses/4/zip', 'Address 5 zip'],
  ['/allowed_addresses', 'Allowed addresses'],
])('the name of a field counts from one: %s', (pointer, name) => {
  expect(describeFieldPointer(pointer)).toBe(name);
});

test('a time is relative within a day, and a date with a time beyond', () => {
  const now = Date.parse('2026-11-29T12:00:00Z');
  const at = (hours: number) => formatRelativeTime(new Date(now + hours * 3_600_000).toISOString(), now);
  expect([at(-2), at(12), at(0)]).toEqual(['2 hours ago', 'in 12 hours', 'just now']);
  for (const hours of [-24, -40 * 24, 90 * 24]) expect(at(hours)).toMatch(/^\w{3} \d+, 20\d\d, \d+:00/);
});

test('an error of a part of a field is shown at the field', () => {
  const errors = [
    { pointer: '/rate/calls', detail: 'Must be an integer.' },
    { pointer: '/rates', detail: 'Unknown.' },
    { pointer: '', detail: 'Of the whole request.' },
  ];
  expect(findFieldError(errors, 'rate')).toBe('Must be an integer.');
  expect(findFieldError(errors, 'burst')).toBeUndefined();
});

test.each([
  [[], [], 'name-only'],
  [['unverified'], ['unverified'], 'no-record'],
  [['unverified'], ['different'], null],
])('a watch of a person without a record is not called suspicious: %j %j', (emails, phones, verdict) => {
  expect(findVerdictWithoutRecord({ emails, phones, addresses: [] })).toBe(verdict);
});
