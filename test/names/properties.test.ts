import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { compareNames, getNameKeys, getLatinNamePartsByRole, prepareName } from '../../src/names/index.ts';

const words = fc.constantFrom(
  ...'José María García Müller Anne-Marie O’Connor van der Berg al-Din Владимир Путин محمد علي 山田太郎 박지성 Νίκος Jr. J. Dr. Łukasz Çelik Xiaoming smith'.split(
    ' ',
  ),
);
const name = fc.array(words, { minLength: 1, maxLength: 5 }).map((list) => list.join(' '));
// An initial, even with particles, cannot be distinguished from other names.
const fullName = name.filter(
  (text) => text.replace(/\b(?:J\.|Jr\.|Dr\.|van|der)(?= |$)/g, '').trim().length > 2,
);
const latinName = fc
  .array(
    fc.constantFrom(
      ...'José María García Müller Anne O’Connor Bérénice Łukasz Robert Zoë Ångström'.split(' '),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((list) => list.join(' '));
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.constantFrom(
    '',
    ' ',
    '.',
    ',,,,',
    '()',
    '((((((',
    '"""',
    "'''''",
    '\u0000\u0002',
    '\ud800',
    '-'.repeat(200),
    'a'.repeat(200),
    'ab '.repeat(66),
    'é'.repeat(200),
  ),
  fc.constantFrom(
    '一'.repeat(200),
    '王 '.repeat(100),
    'ي'.repeat(200),
    'ア'.repeat(200),
    '각'.repeat(200),
    'iiii '.repeat(40),
    'a,b,'.repeat(50),
    'абв '.repeat(50),
    '(a) '.repeat(50),
    'de la '.repeat(33),
  ),
);

const outcome = (a: string, b: string) => {
  const { confidence, variation, same } = compareNames(a, b);
  return { confidence, variation, same };
};

test('the answer does not depend on which name comes first', () => {
  fc.assert(
    fc.property(name, name, (a, b) => {
      expect(outcome(a, b)).toEqual(outcome(b, a));
    }),
    { numRuns: 400 },
  );
});

test('case, accents, spacing and Unicode form change nothing', () => {
  const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '');
  fc.assert(
    fc.property(latinName, latinName, (a, b) => {
      const expected = outcome(a, b);
      for (const other of [a.toUpperCase(), a.toLowerCase(), plain(a), `  ${a.replaceAll(' ', '   ')} `]) {
        expect(outcome(other, b)).toEqual(expected);
      }
    }),
    { numRuns: 200 },
  );
  fc.assert(
    fc.property(name, name, (a, b) => {
      for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
        expect(outcome(a.normalize(form), b)).toEqual(outcome(a, b));
    }),
    { numRuns: 200 },
  );
});

test('a name equals itself', () => {
  fc.assert(
    fc.property(fullName, (a) => {
      expect(compareNames(a, a).confidence).toBeGreaterThanOrEqual(95);
    }),
    { numRuns: 300 },
  );
});

test('any text gives a confidence of 0 to 100, keys and parts', () => {
  fc.assert(
    fc.property(hostile, fc.oneof(hostile, name), (a, b) => {
      const result = compareNames(a, b);
      expect(result.confidence).toBeGreaterThanOrEqual(0);
      expect(result.confidence).toBeLessThanOrEqual(100);
      expect(result.explanation).toMatch(/\.$/);
      expect(Array.isArray(result.concerns)).toBe(true);
      for (const row of result.alignment) expect(row.quality).toBeGreaterThanOrEqual(0);
      const prepared = prepareName(a);
      expect(getNameKeys(prepared).length).toBeLessThanOrEqual(4);
      expect(getLatinNamePartsByRole(prepared)).toHaveProperty('family');
    }),
    { numRuns: 600 },
  );
});

test('a hostile text is read up to twelve words, 250 characters and four other readings', () => {
  const long = fc.tuple(hostile, hostile, hostile).map((parts) => parts.join(' '));
  fc.assert(
    fc.property(fc.oneof(hostile, long), (text) => {
      const { tokens, alternatives: others } = prepareName(text);
      expect(tokens.length).toBeLessThanOrEqual(12);
      // Words in brackets count too: at most 250 characters of the text are read.
      expect(tokens.reduce((sum, token) => sum + token.raw.length, 0)).toBeLessThanOrEqual(250);
      expect(others.length).toBeLessThanOrEqual(4);
    }),
    { numRuns: 400 },
  );
});
