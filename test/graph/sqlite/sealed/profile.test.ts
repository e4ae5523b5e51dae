import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { graphKeys } from '../../../../src/graph/sqlite/keys.ts';
import { marksIn, type Profile } from '../../../../src/graph/sqlite/sealed/profile.ts';

const { profiles } = graphKeys('a1'.repeat(32));
const other = graphKeys('b2'.repeat(32)).profiles;

const fingerprint = fc.integer({ min: 0, max: 2 ** 52 - 1 });
const SIGNATURE = fc.record({
  kind: fc.constantFrom('email' as const, 'address' as const),
  exactPart: fingerprint,
  grams: fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 }),
});
const PROFILE: fc.Arbitrary<Profile> = fc.record({
  names: fc.array(fc.string({ unit: 'grapheme', maxLength: 300 }), { maxLength: 8 }),
  signatures: fc.array(SIGNATURE, { maxLength: 16 }),
});

test('what is sealed is what is opened, by the same secret alone', () => {
  fc.assert(
    fc.property(PROFILE, fc.integer({ min: 1, max: 2 ** 40 }), (profile, identity) => {
      const sealed = profiles.seal(identity, profile);
      expect({ names: profiles.names(sealed), signatures: profiles.signatures(sealed) }).toEqual(profile);
      expect(() => other.names(sealed)).toThrow(expect.objectContaining({ code: 'damaged_database' }));
    }),
  );
});

test('any byte that is changed behind the marks is noticed', () => {
  const sealed = profiles.seal(7, { names: ['Rosalind Fairweather'], signatures: [] });
  for (let at = 1; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => profiles.names(changed)).toThrow(expect.objectContaining({ code: 'damaged_database' }));
  }
});

test('the length of a name is not told to the letter', () => {
  const lengths = ['Al', 'Ann Lee', 'Rosalind F'].map(
    (name) => profiles.seal(1, { names: [name], signatures: [] }).length,
  );
  expect(new Set(lengths).size).toBe(1);
});

test('an exact part is always found by its marks, and they tell neither what it is nor who has it in common', () => {
  const signature = { kind: 'email' as const, exactPart: 123_456_789, grams: [1, 2, 3] };
  const known = Array.from({ length: 512 }, (_, i) => {
    const sealed = profiles.seal(i + 1, { names: [], signatures: [signature] });
    return { identity: i + 1, marks: marksIn(sealed) };
  });
  expect(profiles.mayHave([5, signature.exactPart], known)).toEqual(known.map(() => true));
  expect(new Set(known.map(({ marks }) => marks)).size).toBeGreaterThan(150);
  const falsely = profiles.mayHave([987_654_321], known).filter(Boolean).length;
  expect(falsely).toBeLessThan(16);
});
