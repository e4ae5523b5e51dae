import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { deriveGraphKeys } from '../../../src/graph/encryption/keys.ts';
import { toKeyHint, parseHints, createHalfSipHash } from '../../../src/graph/encryption/hints.ts';

const { hints } = deriveGraphKeys('a1'.repeat(32));
const fingerprint = fc.integer({ min: 0, max: 2 ** 52 - 1 });
const few = fc.array(fingerprint, { maxLength: 16 });

test('every key and every exact part that was written is found again', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 40 }), few, few, (identity, exactParts, keys) => {
      const read = parseHints(hints.write({ identity, exactParts, keys }));
      expect(keys.every((key) => read.keys.includes(toKeyHint(key)))).toBe(true);
      const may = (part: number) => hints.mayHave(identity, read.marks, [part]);
      expect(exactParts.every(may)).toBe(true);
    }),
  );
});

test('of one that is not there nothing may be found, nor of any other in more than a few cases', () => {
  expect(parseHints(undefined)).toEqual({ marks: '', keys: '' });
  const known = Array.from({ length: 512 }, (_, i) => {
    const bytes = hints.write({ identity: i + 1, exactParts: [5], keys: [] });
    return { identity: i + 1, marks: parseHints(bytes).marks };
  });
  const may = (parts: number[]) =>
    known.filter(({ identity, marks }) => hints.mayHave(identity, marks, parts));
  expect(may([9, 5])).toHaveLength(512);
  expect(may([987_654_321]).length).toBeLessThan(3);
});

test('marks do not tell that two identities have an exact part in common', () => {
  const marks = Array.from(
    { length: 512 },
    (_, i) => parseHints(hints.write({ identity: i + 1, exactParts: [123_456_789], keys: [] })).marks,
  );
  expect(new Set(marks).size).toBeGreaterThan(500);
});

const KEY = Buffer.from('0001020304050607', 'hex');

test('is what its authors publish for sixteen bytes from 00 to 0f', () => {
  const bytes = Buffer.from(Array.from({ length: 16 }, (_, i) => i));
  const [a, b, c, d] = [0, 4, 8, 12].map((at) => bytes.readInt32LE(at)) as [number, number, number, number];
  const hash = Buffer.alloc(4);
  hash.writeUInt32LE(createHalfSipHash(KEY)(a, b, c, d));
  expect(hash.toString('hex')).toBe('d9b5ac84');
});
