import { expect, test } from 'vitest';
import { createNameComparer } from '../../src/match/name.ts';
import { compareHalves } from '../../src/match/name-halves.ts';
import { prepareName, splitGivenAndFamilyName } from '../../src/names/index.ts';

const compare = (...names: [string, string]) => {
  const [x, y] = names.map((name) => splitGivenAndFamilyName(prepareName(name)));
  return compareHalves(x!, y!);
};

test('a given name that resembles the family name of another person is no family name', () =>
  expect(compare('Kevin Zhang', 'Robert Kensing')).toMatchObject({ agreement: 0, sharedHalf: null }));

test('a misspelt name is known with the family name first', () =>
  expect(compare('Kensin Robert', 'Robert Kensing').agreement).toBeGreaterThan(35));

test.each([
  ['Craig Charles', 'Charles Abernathy'],
  ['Charles Abernathy', 'Craig Charles'],
  ['Craig Devlin', 'Kevin Tunney'],
  ['Shannon Marsh', 'Marshall Tunney'],
  ['Craig Dick', 'Richard Brask'],
])('the family name of %s is not the given name of %s, or the reverse', (name, record) => {
  const identity = { id: 1, names: [record], firstSeen: null, lastSeen: null, records: 1, sources: 1 };
  const { sharedHalf, agreement } = createNameComparer(prepareName(name))(identity);
  expect([sharedHalf, agreement]).toEqual([null, 0]);
});

test.each([
  ['Екатерина Орлова', 'Екатерина Соколова'],
  ['Ekaterina Kozlova', 'Екатерина Соколова'],
  ['Jana Horáková', 'Jana Nováková'],
  ['Jana Dvořáková', 'Jana Nováková'],
  ['Ingrid Hansen', 'Ingrid Aasen'],
  ['Olena Stepchenko', 'Olena Shevchenko'],
])('%s and %s share the given name and the ending of the family name only', (name, record) => {
  const identity = { id: 1, names: [record], firstSeen: null, lastSeen: null, records: 1, sources: 1 };
  const { sharedHalf, isSame } = createNameComparer(prepareName(name))(identity);
  expect([sharedHalf, isSame]).toEqual(['given', false]);
});

test.each([
  ['Anna Peterson', 'Anna Petrson'],
  ['Ekaterina Sokolva', 'Ekaterina Sokolova'],
  ['Jana Novákvá', 'Jana Nováková'],
  ['Małgorzata Wisniwska', 'Małgorzata Wiśniewska'],
])('%s may be a misspelling of %s', (name, record) =>
  expect(compare(name, record).agreement).toBeGreaterThan(35),
);
