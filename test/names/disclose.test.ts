import { expect, test } from 'vitest';
import { limitNameToSubmittedWords } from '../../src/names/index.ts';

test.each([
  ['T Johnson', 'Terry Johnson', 'T. Johnson'],
  ['Johnson T.', 'Johnson, Terry', 'Johnson, T.'],
  ['T Johnson', 'Terry Lee Johnson', 'T. Johnson'],
  ['Elena Marchetti', 'Elena Rosa Marchetti', 'Elena Marchetti'],
  ['Elena Rosa Marchetti', 'Elena Rosa Marchetti', 'Elena Rosa Marchetti'],
  ['Elena R. Marchetti', 'Elena Rosa Marchetti', 'Elena R. Marchetti'],
  ['Elena Rosa Marchetti', 'Elena R. Marchetti', 'Elena R. Marchetti'],
  ['Bob Miller', 'Dr. Robert James Miller Jr.', 'Robert Miller'],
  ['Jean Moreau', 'Jean-Luc Moreau', 'Jean Moreau'],
  ['Pieter van den Berg', 'Pieter Jan van den Berg', 'Pieter van den Berg'],
  ['Marco D Angelo', "Marco Aurelio D'Angelo", "Marco D'Angelo"],
  ['Е. Вознесенская', 'Екатерина Сергеевна Вознесенская', 'Е. Вознесенская'],
  ['Ekaterina Voznesenskaya', 'Екатерина Сергеевна Вознесенская', 'Екатерина Вознесенская'],
  ['Mohammed Abdullah', 'محمد عبد الله', 'محمد عبد الله'],
  ['Mohammed Hassan', 'محمد عبد الله حسن', 'محمد حسن'],
  ['Catherine Ray', 'Catherine Blomfield-Ray', 'Catherine Ray'],
  ['Catherine Blomfield', 'Catherine Blomfield-Ray', 'Catherine Blomfield'],
  ['Lee Johnson', 'Johnson, Terry Lee', 'Johnson, Lee'],
  ['Maria Garcia', 'María José García Lozano', 'María García'],
])('%s discloses of %s: %s', (submitted, record, disclosed) => {
  expect(limitNameToSubmittedWords(submitted, record)).toBe(disclosed);
});
