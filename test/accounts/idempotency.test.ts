import { describe, expect, it } from 'vitest';
import {
  createRequestFingerprinter,
  parseIdempotencyKey,
  hasSeveralIdempotencyKeys,
} from '../../src/accounts/idempotency.ts';

describe('the header Idempotency-Key', () => {
  it.each([
    ['bare', '8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['in quotes', '"8e03978e-40d5"', '8e03978e-40d5'],
    ['with spaces around it', '  order 17 ', 'order 17'],
    ['with quotes and backslashes in its quotes', String.raw`"a\"b\\c"`, String.raw`a"b\c`],
    ['of 255 characters', 'k'.repeat(255), 'k'.repeat(255)],
    ['of 255 characters in quotes', `"${'k'.repeat(255)}"`, 'k'.repeat(255)],
  ])('is taken %s', (_, value, key) => {
    expect(parseIdempotencyKey(value)).toBe(key);
  });

  it.each([
    ['empty', ''],
    ['an empty string', '""'],
    ['of 256 characters', 'k'.repeat(256)],
    ['a quote that never ends', '"abc'],
    ['two strings', '"a", "b"'],
    ['a control character', 'a\u0001b'],
    ['another alphabet', 'ключ'],
  ])('is refused: %s', (_, value) => {
    expect(parseIdempotencyKey(value)).toBeNull();
  });
});

it.each([
  ['a', false],
  ['"a"', false],
  ['"a, b"', false],
  [String.raw`"a\", b"`, false],
  ['a, b', true],
  ['a,a', true],
  ['"a", "b"', true],
  ['"a", b', true],
])('the value %s holds several keys: %s', (value, several) => {
  expect(hasSeveralIdempotencyKeys(value)).toBe(several);
});

it.each([
  ['open quotes and escapes', '"\\'.repeat(8000)],
  ['quotes', '"'.repeat(16_000)],
  ['escaped quotes', '\\"'.repeat(8000)],
  ['spaces', `a${' '.repeat(16_000)}\u0001`],
])('a value of 16 KB of %s is read in time that is linear in its length', (_, value) => {
  const started = process.threadCpuUsage();
  for (let i = 0; i < 20; i++) {
    expect(hasSeveralIdempotencyKeys(value)).toBe(false);
    expect(parseIdempotencyKey(value)).toBeNull();
  }
  expect(process.threadCpuUsage(started).user).toBeLessThan(200_000);
});

it('a value that is too long for any key is refused unread', () => {
  expect(parseIdempotencyKey(`"${'\\"'.repeat(255)}"`)).toBe('"'.repeat(255));
  expect(parseIdempotencyKey(`"${'\\"'.repeat(256)}"`)).toBeNull();
});

describe('a fingerprint', () => {
  const print = createRequestFingerprinter(Buffer.alloc(32, 1));
  const who = { account: 'key_a', key: 'k' };
  const what = { target: '/v1/validate', body: Buffer.from('{}') };
  const first = print(who, what);

  it('is equal for equal calls, and differs for another account, key, path, query, body or secret', () => {
    expect(print({ ...who }, { ...what })).toEqual(first);
    expect(print({ ...who, account: 'key_b' }, what).key).not.toEqual(first.key);
    expect(print({ ...who, key: 'l' }, what).key).not.toEqual(first.key);
    expect(createRequestFingerprinter(Buffer.alloc(32, 2))(who, what).key).not.toEqual(first.key);
    for (const other of [{ target: '/v1/validate?ai=true' }, { body: Buffer.from('{ }') }])
      expect(print(who, { ...what, ...other }).request).not.toEqual(first.request);
  });

  it('separates the account from the key', () => {
    expect(print({ account: 'a', key: 'bc' }, what).key).not.toEqual(
      print({ account: 'ab', key: 'c' }, what).key,
    );
    expect(print(who, { target: '/a', body: Buffer.from('b') }).request).not.toEqual(
      print(who, { target: '/ab', body: Buffer.from('') }).request,
    );
  });

  it('contains nothing of its input', () => {
    const secret = 'jane.quimby@example.com';
    const { key, request } = print(
      { account: 'key_a', key: secret },
      { target: '/', body: Buffer.from(secret) },
    );
    expect([key.length, request.length]).toEqual([16, 16]);
    expect(key.toString('latin1') + request.toString('latin1')).not.toContain('jane');
  });
});
