import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { deriveGraphCiphersAndFingerprints } from '../../../src/graph/encryption/keys.ts';
import { createProfileCipher, type IdentityProfile } from '../../../src/graph/encryption/profile.ts';

const { profiles } = deriveGraphCiphersAndFingerprints('a1'.repeat(32));
const other = deriveGraphCiphersAndFingerprints('b2'.repeat(32)).profiles;

const fingerprint = fc.integer({ min: 0, max: 2 ** 52 - 1 });
const SIGNATURE = fc.record({
  kind: fc.constantFrom('email' as const, 'address' as const),
  exactPart: fingerprint,
  grams: fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 }),
});
const PROFILE: fc.Arbitrary<IdentityProfile> = fc.record({
  names: fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { maxLength: 8 }),
  signatures: fc.array(SIGNATURE, { maxLength: 16 }),
  births: fc.array(fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)), { maxLength: 4 }),
});

test('a profile is decrypted unchanged, and only with its secret', () => {
  fc.assert(
    fc.property(PROFILE, (profile) => {
      const sealed = profiles.encrypt(profile);
      const decrypted = profiles.decrypt(sealed);
      expect({
        births: decrypted.readBirthDateHashes(),
        signatures: decrypted.readSignatures(),
        names: decrypted.readNames(),
      }).toEqual(profile);
      expect(() => other.decrypt(sealed)).toThrow(expect.objectContaining({ code: 'damaged_database' }));
    }),
  );
});

test('a change of any byte is detected', () => {
  const sealed = profiles.encrypt({ names: ['Rosalind Fairweather'], signatures: [], births: [] });
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => profiles.decrypt(changed)).toThrow(expect.objectContaining({ code: 'damaged_database' }));
  }
});

test('the encrypted length does not reveal the exact length of a name', () => {
  const lengths = ['Al', 'Ann Lee', 'Rosalind F'].map(
    (name) => profiles.encrypt({ names: [name], signatures: [], births: [] }).length,
  );
  expect(new Set(lengths).size).toBe(1);
});

test('a list that is longer than its profile is an error, and needs no memory', () => {
  // One signature: e-mail, 7 bytes of fingerprint, and 2 ** 28 letter pairs.
  const bytes = Buffer.from([0, 1, 0, ...Array.from({ length: 7 }, () => 0), 0x80, 0x80, 0x80, 0x80, 1]);
  const unencrypted = createProfileCipher({ encryptBytes: Buffer.from, decryptBytes: () => bytes });
  expect(() => unencrypted.decrypt(bytes).readSignatures()).toThrow(RangeError);
});
