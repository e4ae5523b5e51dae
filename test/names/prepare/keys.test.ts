import { expect, test } from 'vitest';

import {
  compareNames,
  getNameKeys,
  getLatinNamePartsByRole,
  prepareName,
  splitGivenAndFamilyName,
} from '../../../src/names/index.ts';

const keys = (text: string) => getNameKeys(prepareName(text));
const share = (a: string, b: string) => keys(a).some((key) => keys(b).includes(key));

test('the first key depends on given and family name only, not on order, title, middle name and suffix', () => {
  const first = keys('Anna Novak')[0];
  for (const text of ['NOVAK, Anna', 'Dr. Anna Maria Novak', 'Novák Anna', 'Anna Novak Jr.'])
    expect(keys(text)[0]).toBe(first);
});

test.each([
  ['Лебедева Марина Андреевна', 'Марина Лебедева'],
  ['Лебедев Андрей Романович', 'Андрей Романович Лебедев'],
  ['Иванов Айрат Ринатович', 'Айрат Ринатович Иванов'],
  ['Rogova-Belova Vera Ilyinichna', 'Vera Ilyinichna Rogova-Belova'],
  ['Савченко Ірина Тарасівна', 'Ірина Тарасівна Савченко'],
])('%s has the family name first, like %s without a comma', (familyFirst, givenFirst) => {
  expect(keys(familyFirst)).toEqual(keys(givenFirst));
  expect(compareNames(familyFirst, givenFirst).confidence).toBeGreaterThan(98);
});

test.each([
  ['Nguyễn Thị Mai', 'nguyen', 'mai'],
  ['Kim Minsu', 'kim', 'minsu'],
  ['Nagy László', 'nagy', 'laszlo'],
  ['Иванов Иван', 'ivanov', 'ivan'],
  ['Kim Oakley', 'oakley', 'kim'],
  ['James Oliver', 'oliver', 'james'],
  ['Mai Nguyen', 'nguyen', 'mai'],
])('%s has the family name %s and the given name %s', (text, family, given) => {
  const halves = splitGivenAndFamilyName(prepareName(text));
  expect([halves.family.text, halves.given.text]).toEqual([family, given]);
});

test.each(['Maria Elena Stankovich', 'Адам Бернард Станкевич', 'Зоряна Петрівна Станкевич'])(
  '%s has the given name first',
  (text) => {
    expect(getLatinNamePartsByRole(prepareName(text)).family).toEqual([
      expect.stringMatching(/^stank[eo]vich$/),
    ]);
  },
);

test.each([
  ['Bob Miller', 'Robert Miller'],
  ['Liz Warren', 'Elizabeth Warren'],
  ['Giuseppe Verdi', 'Joseph Verdi'],
  ['Mohammed Salah', 'Muhamad Sallah'],
  ['Владимир Путин', 'Vladimir Putin'],
  ['محمد صلاح', 'Mohamed Salah'],
  ['Park Ji-sung', '박지성'],
  ['マイケル・ジャクソン', 'Michael Jackson'],
  ['Anna Ivanova', 'Anna Ivanov'],
  ['J. Whitfield', 'James Whitfield'],
])('%s and %s share a key', (a, b) => {
  expect(share(a, b)).toBe(true);
});

test('people with different names share no key', () => {
  expect(share('Jessica Clauser', 'Robert Clauser')).toBe(false);
  expect(share('Maria Rossi', 'Peter Hollander')).toBe(false);
});

test('a name has at most four keys, the same ones every time', () => {
  for (const text of ['Anna Novak', '山田太郎', 'Prince', '', 'X Æ A-12 Musk']) {
    expect(keys(text).length).toBeLessThanOrEqual(4);
    expect(keys(text)).toEqual(keys(text));
  }
});

test('a name without blanks has a family and a given name', () => {
  expect(getLatinNamePartsByRole(prepareName('박지성'))).toMatchObject({
    family: ['bak'],
    given: ['jiseong'],
  });
  expect(getLatinNamePartsByRole(prepareName('王小明'))).toMatchObject({
    family: ['wang'],
    given: ['xiaoming'],
  });
});
