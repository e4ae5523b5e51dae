import { describe, expect, test } from 'vitest';
import { UNMEASURED_ERROR_RATES } from '../../../src/link/compare/evidence.ts';
import {
  createErrorRateEstimator,
  type ComparisonPattern,
} from '../../../src/link/statistics/error-rates.ts';
import { explainRecordPair } from '../../../src/graph/inspect.ts';
import { freshFolder } from '../../kit/folder.ts';
import { identitiesOf, importRows, operate, partitionOf, type Row } from '../../kit/graphs/graph.ts';

/** Number of pairs at one address that agree in name and birth date, in the birth date only, in the name only, or in neither. */
interface Seen {
  both?: number;
  birthOnly?: number;
  nameOnly?: number;
  none?: number;
  /** Number of pairs of `birthOnly` and of `nameOnly` whose names and birth dates recur in other pairs. */
  twins?: number;
  namesakes?: number;
}

function noiseOf({ both = 0, birthOnly = 0, nameOnly = 0, none = 0, twins = 0, namesakes = 0 }: Seen) {
  const counter = createErrorRateEstimator();
  const see = (times: number, names: boolean, births: boolean, recurring = 0) => {
    for (let i = 0; i < times; i++)
      counter.see({ names, births, recurring: i < recurring, shares: 'address' } satisfies ComparisonPattern);
  };
  see(both, true, true);
  see(birthOnly, false, true, twins);
  see(nameOnly, true, false, namesakes);
  see(none, false, false);
  return counter.errorRates(0.6);
}

describe('the error rates of records', () => {
  test('are zero if names and birth dates agree', () => {
    expect(noiseOf({ both: 500, birthOnly: 2, nameOnly: 3 })).toEqual(UNMEASURED_ERROR_RATES);
  });

  test('are zero if there are too few pairs', () => {
    expect(noiseOf({ both: 20, birthOnly: 5, nameOnly: 5 })).toEqual(UNMEASURED_ERROR_RATES);
  });

  test('are the shares of pairs that differ in one field, if people live alone', () => {
    const { name, birth, address } = noiseOf({ both: 800, birthOnly: 100, nameOnly: 50, none: 6 });
    expect(name?.rate).toBeCloseTo(0.11, 2);
    expect(birth?.rate).toBeCloseTo(0.06, 2);
    expect(address).toBeGreaterThan(0.99);
  });

  test('are not raised by twins and namesakes in households', () => {
    const clean = { both: 800, none: 3000 };
    expect(noiseOf({ ...clean, birthOnly: 15, nameOnly: 40 })).toEqual(UNMEASURED_ERROR_RATES);
    expect(noiseOf({ ...clean, birthOnly: 200, twins: 70, nameOnly: 200, namesakes: 75 })).toEqual(
      UNMEASURED_ERROR_RATES,
    );
  });

  test('are not raised by recurring twins without a household', () => {
    expect(noiseOf({ both: 800, birthOnly: 200, twins: 70 })).toEqual(UNMEASURED_ERROR_RATES);
  });

  test('are lower if more of the differences recur', () => {
    const rates = [0, 5, 15].map(
      (twins) => noiseOf({ both: 800, birthOnly: 100, none: 5, twins }).name?.rate ?? 0,
    );
    expect(rates).toEqual([...rates].sort((x, y) => y - x));
    expect(rates.at(0)).toBeGreaterThan(rates.at(-1) ?? 0);
  });

  test('give little weight to an address with many people', () => {
    const few = noiseOf({ both: 800, birthOnly: 100, none: 10 });
    const many = noiseOf({ both: 800, birthOnly: 100, none: 1000 });
    expect(many.address).toBeLessThan((few.address ?? 0) - 0.4);
  });
});

const GIVEN = 'Ada Boris Clara Dmitri Elspeth Farid Greta Hugo Imogen Jamal'.split(' ');
const STEMS = 'Aber Bart Call Drum East Fair Grim Hawk Inger Jurg'.split(' ');
const ENDS = 'nathy osz oway mond lake weather aldi sworth soll ensen'.split(' ');

const givenAt = (place: number) => GIVEN[place % GIVEN.length] ?? '';

/** Returns the i-th of a hundred people, each with another name, birth date and address. */
function person(i: number) {
  const day = `${1930 + ((i * 37) % 71)}-${String(1 + (i % 12)).padStart(2, '0')}-${String(1 + ((i * 5) % 28)).padStart(2, '0')}`;
  return {
    given: givenAt(i + Math.floor(i / 10)),
    family: `${STEMS[i % 10]}${ENDS[Math.floor(i / 10)]}`,
    birth_date: day,
    addresses: [{ street: `${100 + i} Quarry Street`, city: 'Denver', state: 'CO', zip: String(80_000 + i) }],
  };
}

function row(id: string, { given, family, ...rest }: ReturnType<typeof person>): Row {
  return { record_id: id, name: `${given} ${family}`, ...rest };
}

const other = (given: string) => givenAt(GIVEN.indexOf(given) + 5);

/** A hundred people who live alone, with two records each. In the second record, every tenth has another given name, and every tenth another birth date. */
const ERRING = Array.from({ length: 100 }, (_, i) => {
  const right = person(i);
  const wrong = { ...right };
  if (i % 10 === 3) wrong.given = other(right.given);
  if (i % 10 === 6) wrong.birth_date = '1911-02-17';
  return [row(`p${i}-1`, right), row(`p${i}-2`, wrong)];
}).flat();

/** A hundred homes without errors, two records for each person: twins in every tenth home, father and son with one name in every tenth. */
const CLEAN = Array.from({ length: 100 }, (_, i) => {
  const one = person(i);
  const twin = { ...one, given: other(one.given) };
  const son = { ...one, birth_date: '2004-02-17' };
  const home = i % 10 === 3 ? [one, twin] : i % 10 === 6 ? [one, son] : [one];
  return home.flatMap((member, m) => [row(`p${i}-${m}a`, member), row(`p${i}-${m}b`, member)]);
}).flat();

describe('linking', () => {
  test('joins records in spite of errors, if people live alone', async () => {
    const folder = freshFolder();
    await importRows(folder, [ERRING]);
    const identities = await identitiesOf(folder);
    const parted = ERRING.filter(
      ({ record_id }) => identities.get(record_id) !== identities.get(record_id.replace(/.$/, '1')),
    );
    expect(parted).toEqual([]);
    expect(new Set(identities.values()).size).toBe(100);
    await operate(folder, async (graph) => {
      const { evidence, bits } = await explainRecordPair(graph, 'p3-1', 'p3-2');
      expect(evidence.map(({ what }) => what).join('; ')).toMatch(
        /the names differ, as \d+ % of one person's do here/,
      );
      expect(evidence.reduce((sum, one) => sum + one.bits, 0)).toBeCloseTo(bits);
    });
  });

  test('does so in any order of the records', async () => {
    const [one, two] = [freshFolder(), freshFolder()];
    await importRows(one, [ERRING]);
    await importRows(two, [ERRING.slice(77).reverse(), ERRING.slice(0, 77)]);
    expect(await partitionOf(two)).toEqual(await partitionOf(one));
  });

  test('keeps twins, and father and son, of clean records apart however many there are', async () => {
    const folder = freshFolder();
    await importRows(folder, [CLEAN]);
    const people = await partitionOf(folder);
    expect(people).toHaveLength(120);
    expect(people.every((records) => /^(\S+)a \1b$/.test(records))).toBe(true);
  });
});
