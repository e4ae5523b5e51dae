import { expect, test } from 'vitest';
import { parseDayOrTimestamp } from '../../src/accounts/time.ts';

test.each([
  ['2028-02-29', Date.UTC(2028, 1, 29)],
  ['2026-12-01T09:00:00Z', Date.UTC(2026, 11, 1, 9)],
  ['2026-12-01 09:00:00.250+02:00', Date.UTC(2026, 11, 1, 7, 0, 0, 250)],
])('%s is a time', (text, time) => {
  expect(parseDayOrTimestamp(text)).toBe(time);
});

test.each([
  '2027-02-29',
  '2026-02-30T09:00:00Z',
  '2026-04-31 09:00:00+02:00',
  '2026-13-01',
  '2026-00-10',
  '2026-12-01T24:00:00Z',
  '2026-12-01T09:61:00Z',
  '2026-12',
  '1.2.2026',
  'now',
  '',
])('%s is not a time', (text) => {
  expect(parseDayOrTimestamp(text)).toBeNull();
});
