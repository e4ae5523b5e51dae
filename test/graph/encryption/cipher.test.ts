import { expect, test } from 'vitest';
import { createDataCipher } from '../../../src/graph/encryption/cipher.ts';

const ONE = 'a1'.repeat(32);
const damaged = expect.objectContaining({ code: 'damaged_database' });

test('an encrypted text is decrypted with its secret only', () => {
  const [one, other] = [createDataCipher(ONE), createDataCipher('b2'.repeat(32))];
  expect(one.decrypt(one.encrypt('Ada Lindqvist'))).toBe('Ada Lindqvist');
  expect(() => other.decrypt(one.encrypt('Ada Lindqvist'))).toThrow(damaged);
});

test('an encrypted text contains no readable byte, and differs each time', () => {
  const sealing = createDataCipher(ONE);
  const [a, b] = [sealing.encrypt('Ada Lindqvist'), sealing.encrypt('Ada Lindqvist')];
  expect(a.equals(b)).toBe(false);
  expect(a.includes('Ada')).toBe(false);
  a.writeUInt8(a.readUInt8(a.length - 1) ^ 1, a.length - 1);
  expect(() => sealing.decrypt(a)).toThrow(damaged);
});
