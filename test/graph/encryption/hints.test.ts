import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { deriveGraphCiphersAndFingerprints } from '../../../src/graph/encryption/keys.ts';
import {
  toFilterCharacterOfLookupKey,
  parseIdentityPrefilterHashes,
  createHalfSipHash,
} from '../../../src/graph/encryption/hints.ts';

const { hints } = deriveGraphCiphersAndFingerprints('a1'.repeat(32));
const fingerprint = fc.integer({ min: 0, max: 2 ** 52 - 1 });
const few = fc.array(fingerprint, { maxLength: 16 });
const ages = fc.uint8Array({ maxLength: 6 }).map((bytes) => String.fromCharCode(...bytes));

test('hints match every key and every exact part that they were made of, and have the ages of contacts', () => {
  const identities = fc.integer({ min: 1, max: 2 ** 40 });
  const some = fc.array(fingerprint, { minLength: 1, maxLength: 16 });
  fc.assert(
    fc.property(identities, few, some, ages, (identity, exactParts, keys, contactAges) => {
      const read = parseIdentityPrefilterHashes(hints.encode({ identity, exactParts, keys, contactAges }));
      expect(read.contactAges).toBe(contactAges);
      expect(keys.every((key) => read.keyBytes.includes(toFilterCharacterOfLookupKey(key)))).toBe(true);
      const may = (part: number) => hints.mayHaveExactPart(identity, read.partHashes, [part]);
      expect(exactParts.every(may)).toBe(true);
    }),
  );
});

test('missing hints match nothing, and hints of other exact parts match in a few cases only', () => {
  expect(parseIdentityPrefilterHashes(undefined)).toEqual({ partHashes: '', keyBytes: '', contactAges: '' });
  const known = Array.from({ length: 512 }, (_, i) => {
    const bytes = hints.encode({ identity: i + 1, exactParts: [5], keys: [], contactAges: '' });
    return { identity: i + 1, partHashes: parseIdentityPrefilterHashes(bytes).partHashes };
  });
  const may = (parts: number[]) =>
    known.filter(({ identity, partHashes }) => hints.mayHaveExactPart(identity, partHashes, parts));
  expect(may([9, 5])).toHaveLength(512);
  expect(may([987_654_321]).length).toBeLessThan(3);
});

test('part hashes do not show that two identities have an exact part in common', () => {
  const hashes = Array.from(
    { length: 512 },
    (_, i) =>
      parseIdentityPrefilterHashes(
        hints.encode({ identity: i + 1, exactParts: [123_456_789], keys: [], contactAges: '' }),
      ).partHashes,
  );
  expect(new Set(hashes).size).toBeGreaterThan(500);
});

const KEY = Buffer.from('0001020304050607', 'hex');

test('HalfSipHash of the bytes 00 to 0f equals the value that its authors publish', () => {
  const bytes = Buffer.from(Array.from({ length: 16 }, (_, i) => i));
  const [a, b, c, d] = [0, 4, 8, 12].map((at) => bytes.readInt32LE(at)) as [number, number, number, number];
  const hash = Buffer.alloc(4);
  hash.writeUInt32LE(createHalfSipHash(KEY)(a, b, c, d));
  expect(hash.toString('hex')).toBe('d9b5ac84');
});
