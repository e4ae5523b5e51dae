import { expect, test } from 'vitest';
import { halfSipHash } from '../../../src/graph/sealed/half-sip-hash.ts';

const KEY = Buffer.from('0001020304050607', 'hex');

test('is what its authors publish for sixteen bytes from 00 to 0f', () => {
  const bytes = Buffer.from(Array.from({ length: 16 }, (_, i) => i));
  const [a, b, c, d] = [0, 4, 8, 12].map((at) => bytes.readInt32LE(at)) as [number, number, number, number];
  const hash = Buffer.alloc(4);
  hash.writeUInt32LE(halfSipHash(KEY)(a, b, c, d));
  expect(hash.toString('hex')).toBe('d9b5ac84');
});
