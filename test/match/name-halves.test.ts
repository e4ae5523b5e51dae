import { expect, test } from 'vitest';
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
