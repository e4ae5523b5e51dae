import { describe, expect, test } from 'vitest';
import { createRecordWithPersonId, generateRecordLines } from '../../src/generate/records.ts';
import { RECORD_SOURCES } from '../../src/generate/sources.ts';
import {
  findPersonAndRecordIndex,
  getPersonRecordStartAndCount,
  type GeneratedWorld,
} from '../../src/generate/world.ts';
import { parseImportRecord } from '../../src/import/record.ts';
import { worldOf } from './world.ts';

const all = (world: GeneratedWorld) =>
  Array.from({ length: world.records }, (_, place) => createRecordWithPersonId(world, place));
const text = (world: GeneratedWorld) =>
  [...generateRecordLines(world)].map((lines) => lines.records).join('');
const WORLD = worldOf(3000);
const MADE = all(WORLD);

test('one seed gives one file, another seed another', () => {
  expect(text(worldOf(300))).toBe(text(worldOf(300)));
  expect(text(worldOf(300))).not.toBe(text(worldOf(300, { seed: 2 })));
});

test('a record is made from its place alone: none depends on those before it', () => {
  const fresh = worldOf(3000);
  for (const place of [9000, 17, 4242]) expect(createRecordWithPersonId(fresh, place)).toEqual(MADE[place]);
});

test('files are streamed: the first piece of a hundred million people costs as many records as it holds', () => {
  const world = worldOf(100_000_000);
  const [piece] = generateRecordLines(world);
  const lines = piece?.records.trim().split('\n') ?? [];
  expect(world.records).toBeGreaterThan(300_000_000);
  expect(lines.length).toBeLessThan(1000);
  expect(lines.length).toBe(piece?.truth.trim().split('\n').length);
});

describe('what is written', () => {
  test('the importer takes every record and every value', () => {
    for (const { record } of MADE) {
      const { dropped, ...outcome } = parseImportRecord({ ...record }, { source: 'x', region: 'US' });
      expect([outcome.recordId, 'problem' in outcome, dropped]).toEqual([record.record_id, false, []]);
    }
  });

  test('a unit is a word and its number', () => {
    const units = MADE.flatMap(
      ({ record }) => record.addresses?.map(({ street2 }) => street2 ?? []) ?? [],
    ).flat();
    expect(units.length).toBeGreaterThan(100);
    for (const unit of units) expect(unit).toMatch(/^[^\d]+\d+[A-H]?$/i);
  });

  test('ids are unique, and every source has about the share it is said to have', () => {
    expect(new Set(MADE.map(({ record }) => record.record_id)).size).toBe(MADE.length);
    for (const { id, share, work } of RECORD_SOURCES.filter((source) => !source.work)) {
      const found = MADE.filter(({ record }) => record.source === id).length / MADE.length;
      expect([id, Math.abs(found - share) < 0.03, work]).toEqual([id, true, false]);
    }
  });

  test('people stand in the truth with as many records as they have, far apart', () => {
    const places = Map.groupBy(MADE.keys(), (place) => MADE[place]?.truth ?? '');
    expect(places.size).toBe(3000);
    for (const [truth, found] of places)
      expect(found).toHaveLength(getPersonRecordStartAndCount(WORLD, Number(truth.slice(1))).count);
    const gaps = [...places.values()].flatMap((found) =>
      found.slice(1).map((place, i) => place - (found[i] ?? 0)),
    );
    expect(gaps.filter((gap) => gap < 50).length / gaps.length).toBeLessThan(0.1);
  });

  test('most people have few records and some have many', () => {
    const counts = Array.from(
      { length: 3000 },
      (_, person) => getPersonRecordStartAndCount(WORLD, person).count,
    );
    expect(counts.filter((count) => count === 1).length / 3000).toBeGreaterThan(0.25);
    expect(Math.max(...counts)).toBeGreaterThanOrEqual(20);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(WORLD.records);
  });

  test('hardly a mailbox is that of two strangers', () => {
    const owners = new Map<string, Set<string>>();
    for (const { record, truth } of MADE)
      for (const mail of record.emails ?? [])
        owners.set(mail.toLowerCase(), (owners.get(mail.toLowerCase()) ?? new Set()).add(truth));
    const shared = [...owners.values()].filter(
      (of) => Math.max(...numbers(of)) - Math.min(...numbers(of)) > 64,
    );
    expect(shared.length / owners.size).toBeLessThan(0.001);
  });
});

const numbers = (truths: Set<string>) => [...truths].map((truth) => Number(truth.slice(1)));

test('only the countries that were asked for occur', () => {
  const world = worldOf(200, { countries: ['GB', 'DE'] });
  const countries = all(world).flatMap(({ record }) => record.addresses ?? []);
  for (const { country = 'none' } of countries)
    expect(country).toMatch(/^(GB|UK|United Kingdom|DE|Deutschland|Germany|none)$/);
});

test('every record of any world is of the person whose records are counted', () => {
  for (const people of [1, 63, 64, 65, 130]) {
    const world = worldOf(people, { seed: people });
    for (let number = 0; number < world.records; number++) {
      const { person, nth } = findPersonAndRecordIndex(world, number);
      expect(person).toBeLessThan(people);
      expect(getPersonRecordStartAndCount(world, person).first + nth).toBe(number);
    }
  }
});
