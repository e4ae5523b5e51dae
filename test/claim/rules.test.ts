// Rules about whole bodies: trimmed words, null names, lists in the place of objects, and how many broken rules an error reports.
import { expect, it } from 'vitest';
import { parseClaim } from '../../src/claim/parse.ts';
import { claimOf, issuesOf, parse, problemOf } from '../kit/claims.ts';

const NAME = { name: 'Jane Doe' };
const FIVE = Array.from({ length: 5 }, (_, i) => `a${i}@b.com`);

it('intent and operation are trimmed', () => {
  expect(parse({ ...NAME, intent: ' online-dating ' }).intent).toBe('online-dating');
  expect(parse({ ...NAME, operation: ' raw\t' }).operation).toBe('raw');
  expect(issuesOf({ ...NAME, operation: ' ' })).toEqual(['/operation invalid_operation']);
});

it('a null name counts as absent', () => {
  expect(parse({ name: null, nameAddresses: [{ fullName: 'Jane' }] }).name).toBe('Jane');
  expect(issuesOf({ name: null, nameAddresses: [] })).toEqual(['/name required']);
});

it('a list is not an object', () => {
  expect(issuesOf({ ...NAME, addresses: [[]] })).toEqual(['/addresses/0 wrong_type']);
  expect(issuesOf({ nameAddresses: [[], { fullName: 'Jane', address: [] }] })).toEqual([
    '/nameAddresses/0 wrong_type',
    '/nameAddresses/1/address wrong_type',
  ]);
  expect(problemOf({ ...NAME, addresses: [[]] })?.errors?.[0]?.detail).toBe('This must be an object.');
});

it('the values of a list with too many values are checked, unless it has more than fifty entries', () => {
  expect(issuesOf({ ...NAME, emails: [...FIVE, 'bad'] })).toEqual([
    '/emails too_many',
    '/emails/5 invalid_email',
  ]);
  expect(issuesOf({ ...NAME, emails: Array(51).fill('bad') })).toEqual(['/emails too_many']);
});

it('an error says that more rules are broken than it lists', () => {
  const body = { ...NAME, ...Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`field ${i}`, i])) };
  expect(problemOf(body)?.errors).toHaveLength(50);
  expect(() => claimOf(body)).toThrow(/^The request has more than 50 errors; see `errors`.$/);
});

it('a body with more problems than are listed is not read any further', () => {
  let reads = 0;
  const addresses = Array.from({ length: 50 }, (_, i) => ({ [`unknown${i}`]: 1 }));
  const value = {
    name: 'Jane Quimby',
    nothing: 1,
    addresses,
    get phones() {
      reads++;
      return ['?'];
    },
  };
  expect(() => parseClaim({ value, issues: [] }, 'US')).toThrow(
    'The request has more than 50 errors; see `errors`.',
  );
  expect(reads).toBe(0);
});
