import { expect, it } from 'vitest';
import { createRequestId } from '../../src/platform/request-id.ts';

it('request ids are unique, of one shape, and sort in the order they were made', () => {
  const now = Date.now();
  const ids = Array.from({ length: 20_000 }, (_, i) => createRequestId(now + Math.floor(i / 5000)));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^req_[0-9a-hjkmnp-tv-z]{26}$/.test(id))).toBe(true);
  expect(ids.toSorted()).toEqual(ids);
});

it('request ids stay in order when the clock goes back', () => {
  const now = Date.now() + 1000;
  expect(createRequestId(now) < createRequestId(now - 500)).toBe(true);
});
