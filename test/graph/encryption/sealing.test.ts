import { expect, test } from 'vitest';
import { createSealing } from '../../../src/graph/encryption/sealing.ts';

const ONE = 'a1'.repeat(32);
const damaged = expect.objectContaining({ code: 'damaged_database' });

test('an encrypted text is decrypted with its secret only', () => {
  const [one, other] = [createSealing(ONE), createSealing('b2'.repeat(32))];
  expect(one.open(one.seal('Ada Lindqvist'))).toBe('Ada Lindqvist');
  expect(() => other.open(one.seal('Ada Lindqvist'))).toThrow(damaged);
});

test('an encrypted text contains no readable byte, and differs each time', () => {
  const sealing = createSealing(ONE);
  const [a, b] = [sealing.seal('Ada Lindqvist'), sealing.seal('Ada Lindqvist')];
  expect(a.equals(b)).toBe(false);
  expect(a.includes('Ada')).toBe(false);
  a.writeUInt8(a.readUInt8(a.length - 1) ^ 1, a.length - 1);
  expect(() => sealing.open(a)).toThrow(damaged);
});
