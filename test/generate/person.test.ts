import { describe, expect, test } from 'vitest';
import { getOfficeOfPerson, listHomes, toBuildingKey, createHomeAddress } from '../../src/generate/places.ts';
import { createLandlineNumber, createMobileNumber } from '../../src/generate/contacts.ts';
import { HOUSEHOLD_CHARACTERISTIC_SHARES } from '../../src/generate/household.ts';
import { createPerson } from '../../src/generate/person.ts';
import { OFFICE_WORKER_SHARE, TOWER_BLOCK_HOME_SHARE } from '../../src/generate/world.ts';
import { worldOf } from './world.ts';

const WORLD = worldOf(20_000, { countries: ['US', 'ES', 'DE'] });
const PEOPLE = Array.from({ length: 20_000 }, (_, index) => createPerson(WORLD, index));
const HEADS = PEOPLE.filter(({ member }) => member === 0);
const share = <T>(list: T[], is: (item: T) => boolean) => list.filter(is).length / list.length;

test('countries have about their shares', () => {
  const of = (code: string) => share(PEOPLE, ({ household }) => household.land.country.code === code);
  expect([of('US'), of('ES'), of('DE')].map((part) => Math.round(part * 20))).toEqual([15, 2, 4]);
});

test('names are common and rare as real ones are: one in a hundred is the commonest, most are borne by few', () => {
  const counts = new Map<string, number>();
  const english = PEOPLE.filter(({ origin, member }) => origin.id === 'english' && member === 0);
  for (const { family } of english) counts.set(family.text, (counts.get(family.text) ?? 0) + 1);
  const sorted = [...counts.values()].toSorted((a, b) => b - a);
  expect((sorted[0] ?? 0) / english.length).toBeGreaterThan(0.007);
  expect((sorted[0] ?? 0) / english.length).toBeLessThan(0.05);
  expect(sorted.filter((count) => count === 1).length).toBeGreaterThan(sorted.length / 3);
});

describe('households', () => {
  test('twins share the day of birth and the family name, never the given name', () => {
    const families = HEADS.filter(({ household }) => household.kind === 'family' && household.size >= 4);
    const twins = families.filter(({ household }) => household.twins);
    expect(twins.length / families.length).toBeCloseTo(HOUSEHOLD_CHARACTERISTIC_SHARES.twins, 1);
    for (const { index } of twins) {
      const [a, b] = [createPerson(WORLD, index + 2), createPerson(WORLD, index + 3)];
      expect(b.birth).toEqual(a.birth);
      expect([b.family.text.slice(0, 2), b.given === a.given]).toEqual([a.family.text.slice(0, 2), false]);
    }
  });

  test('where father and son bear one name they are Sr and Jr', () => {
    const sons = PEOPLE.filter(({ suffix }) => suffix === 'Jr');
    expect(sons.length).toBeGreaterThan(20);
    for (const son of sons) {
      const father = createPerson(WORLD, son.household.first);
      expect([father.suffix, father.given.text]).toEqual(['Sr', son.given.text]);
      expect(son.birth.year - father.birth.year).toBeGreaterThan(15);
    }
  });

  test('one lives where the others of the household live, some in a tower block of many units', () => {
    const home = (index: number) => {
      const person = createPerson(WORLD, index);
      const last = listHomes(WORLD, person).at(-1);
      return last && createHomeAddress(WORLD, person.household.land, last);
    };
    const couple = HEADS.find(({ household }) => household.kind === 'couple');
    expect(home((couple?.index ?? 0) + 1)).toEqual(home(couple?.index ?? 0));
    const buildings = Map.groupBy(
      HEADS.flatMap(({ index }) => home(index) ?? []),
      toBuildingKey,
    );
    const towers = [...buildings.values()].filter((homes) => homes.length >= 10).flat();
    expect(towers.length / HEADS.length).toBeCloseTo(TOWER_BLOCK_HOME_SHARE, 1);
    expect(new Set(towers.map(({ unit }) => unit)).size).toBeGreaterThan(50);
  });
});

test('a number has one owner, and an office has ten to two hundred colleagues', () => {
  const mobiles = PEOPLE.filter(({ household }) => !household.oneMobileForTwo).map((person) =>
    createMobileNumber(person, 0),
  );
  const landlines = HEADS.map(({ household }) => createLandlineNumber(household));
  const digits = [...mobiles, ...landlines].map((phone) => phone.country.code + phone.digits);
  expect(new Set(digits).size).toBe(digits.length);
  const offices = Map.groupBy(
    PEOPLE.filter(({ hasJob }) => hasJob),
    (person) => getOfficeOfPerson(WORLD, person).key,
  );
  const sizes = [...offices.values()].map(({ length }) => length);
  expect(share(PEOPLE, ({ hasJob }) => hasJob)).toBeCloseTo(OFFICE_WORKER_SHARE, 1);
  expect(share(sizes, (size) => size > 3 && size < 260)).toBeGreaterThan(0.9);
  expect(Math.max(...sizes)).toBeGreaterThan(100);
});

test('numbers kept free for fiction are used as long as they last', () => {
  const few = worldOf(500, { countries: ['US'] });
  const areas = Array.from(
    { length: 500 },
    (_, index) => createMobileNumber(createPerson(few, index), 0).digits,
  );
  for (const number of areas) expect(number).toMatch(/^\d{3}555\d{4}$/);
});
