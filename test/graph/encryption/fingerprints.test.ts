import { expect, test } from 'vitest';
import { createFingerprintFunctions } from '../../../src/graph/encryption/fingerprints.ts';

const ONE = 'a1'.repeat(32);
const OTHER = 'b2'.repeat(32);

test('fingerprints depend on the secret', () => {
  const [one, other] = [createFingerprintFunctions(ONE), createFingerprintFunctions(OTHER)];
  expect(one.of('email', 'ada@post.example')).toBe(
    createFingerprintFunctions(ONE).of('email', 'ada@post.example'),
  );
  expect(one.of('email', 'ada@post.example')).not.toBe(other.of('email', 'ada@post.example'));
  expect(one.ofRecord('crm', '1').equals(other.ofRecord('crm', '1'))).toBe(false);
  expect(one.grams('lindqvist')).not.toEqual(other.grams('lindqvist'));
});

test('a fingerprint is the same in every version of the program, because graphs store it', () => {
  const one = createFingerprintFunctions('1'.repeat(64));
  expect(one.of('email', 'ada@post.example')).toBe(1_231_349_386_034_971);
  expect(one.ofRecord('crm', 'a1').toString('hex')).toBe('153a2d4129ef866a4ef54d0d4bf5bf5f');
  expect(one.grams('oak')).toEqual([8323, 18_067, 20_075, 65_158]);
});

test('a text under two types, and a record id of two sources, have different fingerprints', () => {
  const one = createFingerprintFunctions(ONE);
  expect(one.of('email', 'a@b.example')).not.toBe(one.of('mailbox', 'a@b.example'));
  expect(one.ofRecord('crm', '1').equals(one.ofRecord('shop', '1'))).toBe(false);
});

test('letter pairs occur once each, in ascending order', () => {
  const { grams } = createFingerprintFunctions(ONE);
  const found = grams('bananananana ñandú ñandú');
  expect(found).toEqual([...new Set(found)].toSorted((a, b) => a - b));
  expect(new Set(found)).toEqual(new Set(grams('banana ñandú ñandú')));
});
