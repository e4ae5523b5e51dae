import { expect, test } from 'vitest';

import { compareNames, nameKeys, getFoldedNameParts, prepareName } from '../../src/names/index.ts';

test.each([
  ['José García', 'jose garcia', 'exact'],
  ['李小龍', '李小龙', 'exact'],
  ['García, José', 'José García', 'exact'],
  ['Bob Miller', 'Robert Miller', 'nickname'],
  ['Robert Ian Miller', 'Robert Miller', 'partial'],
  ['Katherine Hampton', 'Katherine Hamptom', 'typo'],
])('%s and %s could be one person', (a, b, variation) => {
  const result = compareNames(a, b);
  expect(result.same).toBe(true);
  expect(result.variation).toBe(variation);
});

test.each([
  ['Jessica Clauser', 'Robert Clauser'],
  ['Yahir Mendoza', 'Yadiel Mendoza'],
  ['Maria Rossi', 'Mario Rossi'],
  ['John Miller Jr', 'John Miller Sr'],
  ['Peter Miller', 'Peter Aldridge'],
])('%s and %s are two people', (a, b) => {
  const result = compareNames(a, b);
  expect(result.same).toBe(false);
  expect(result.confidence).toBeLessThan(25);
});

test('names in any order share their first key', () => {
  expect(nameKeys(prepareName('Anna Maria Novak'))[0]).toBe(nameKeys(prepareName('Novak, Anna'))[0]);
});

test('a name has given, middle and family names', () => {
  expect(getFoldedNameParts(prepareName('Dr. Juan Carlos de la Vega Jr'))).toEqual({
    given: ['juan'],
    middle: ['carlos'],
    family: ['delavega'],
    suffix: 'jr',
  });
});

test('a long word of Japanese syllables with another end takes no longer than other words', () => {
  const started = performance.now();
  for (const syllables of ['a', 'aha', 'shi', 'ahn'])
    for (const length of [30, 50, 190]) {
      const word = syllables.repeat(length).slice(0, length);
      compareNames(`Kenji ${word}q`, `Kenji ${word}r`);
    }
  expect(performance.now() - started).toBeLessThan(1000);
});
