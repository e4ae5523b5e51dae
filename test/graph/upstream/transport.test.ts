// Parsing of the header Retry-After.
import { expect, test } from 'vitest';
import { parseRetryAfter } from '../../../src/graph/upstream/transport.ts';

const SENT = 'Sun, 22 Nov 2026 20:00:00 GMT';

test.each([
  ['7', 7000],
  ['0', 0],
  ['00120', 120_000],
  ['999999', 999_999_000],
  ['Sun, 22 Nov 2026 20:00:30 GMT', 30_000],
  ['Sunday, 22-Nov-26 20:00:30 GMT', 30_000],
  ['Sun Nov 22 20:00:30 2026', 30_000],
  ['Sun, 22 Nov 2026 19:00:00 GMT', 0],
  ['Fri, 31 Dec 9999 23:59:59 GMT', Date.parse('9999-12-31T23:59:59Z') - Date.parse(SENT)],
])('%s is a delay of %i ms', (header, ms) => expect(parseRetryAfter(header, SENT)).toBe(ms));

test.each([
  '',
  ' ',
  'soon',
  '-5',
  '+5',
  '1.5',
  '1e3',
  '0x10',
  '5, 7',
  '5s',
  'Sun, 99 Foo 2026',
  '2026-11-22',
])('"%s" is invalid', (header) => expect(parseRetryAfter(header, SENT)).toBeNull());

test('a date is invalid if the reply has no header Date', () => {
  expect(parseRetryAfter('Sun, 22 Nov 2026 20:00:30 GMT', undefined)).toBeNull();
  expect(parseRetryAfter(undefined, SENT)).toBeNull();
});
