// The generated world: everything that is fixed before the first record is generated.
import { type Country, parseCountries, parseNameOrigins, getTableRowById } from './tables.ts';
import {
  getItemAt,
  type Permutation,
  createPermutation,
  type WeightedChoices,
  createWeightedChoices,
  hashToRandomInteger,
  Random,
} from './random.ts';

/** Number of the random sequence for each purpose. The numbers must not change, so that a seed always gives the same world. */
export const RANDOM_STREAMS = {
  household: 10,
  person: 11,
  home: 12,
  tower: 13,
  office: 14,
  job: 15,
  contact: 16,
  record: 17,
  writing: 18,
  check: 19,
  moves: 20,
} as const;

/** Year and month of the newest records in a world. They do not depend on the system clock. */
export const NEWEST_RECORD_DATE = { year: 2026, month: 10 } as const;

/** Number of people without records, for checks of unknown people. Their indexes follow those of people with records. */
const STRANGERS = 65_536;
/** Share (0-1) of adults who work in an office. */
export const OFFICE_WORKER_SHARE = 0.45;
/** Number of inhabitants for each tower block in a country. */
const PEOPLE_PER_TOWER = 500;
export const TOWER_BLOCK_HOME_SHARE = 0.12;
/** Sizes of offices (number of people with one switchboard), and the share (0-1) of employed people in offices of each size. */
export const OFFICE_SIZES_WITH_SHARES: [size: number, share: number][] = [
  [10, 0.25],
  [30, 0.3],
  [80, 0.25],
  [200, 0.2],
];

export interface WorldOptions {
  /** Number of people with records, from 1 to 100 million. */
  people: number;
  /** Integer that determines all random numbers. Each seed gives a different world. */
  seed: number;
  /** ISO codes of the countries; empty for all. People are distributed by the shares in the places table. */
  countries: string[];
  names: string;
  places: string;
}

/** Country, with counts that depend on its number of inhabitants. */
export interface GeneratedCountry {
  index: number;
  country: Country;
  towers: number;
  offices: number[];
  /**
   * Permutations from the number of an owner (person, household or office) to a phone number, so that no two owners get the same phone number.
   */
  slots: { mobile: Permutation; landline: Permutation };
}

export interface GeneratedWorld {
  seed: number;
  people: number;
  records: number;
  lands: WeightedChoices<GeneratedCountry>;
  blocks: Blocks;
  /** Permutation from a record's position in the output to its number. Record numbers follow the order of people. */
  order: Permutation;
  firstStranger: number;
}

/** Creates a world with the options. Throws if the tables do not contain a country of `countries`; callers check the codes first. */
export function createGeneratedWorld(options: WorldOptions): GeneratedWorld {
  const { people, seed } = options;
  const origins = parseNameOrigins(options.names);
  const all = parseCountries(options.places, origins);
  const countryCodes = options.countries.length > 0 ? options.countries : [...all.keys()];
  const countries = countryCodes.map((code) => getTableRowById(all, code));
  const total = countries.reduce((sum, { share }) => sum + share, 0);
  const lands = countries.map((country, index) => makeLand(country, index, { people, seed, total }));
  const blocks = makeBlocks(seed);
  const records = countRecords(blocks, people);
  return {
    seed,
    people,
    records,
    lands: createWeightedChoices(lands.map((land) => [land, land.country.share])),
    blocks,
    order: createPermutation(records, seed),
    firstStranger: Math.ceil(people / BLOCK) * BLOCK,
  };
}

function makeLand(
  country: Country,
  index: number,
  of: { people: number; seed: number; total: number },
): GeneratedCountry {
  const people = (of.people * country.share) / of.total;
  const offices = OFFICE_SIZES_WITH_SHARES.map(([size, share]) =>
    Math.max(1, Math.round((people * OFFICE_WORKER_SHARE * share) / size)),
  );
  const owners = 3 * (of.people + BLOCK + STRANGERS) + offices.reduce((sum, count) => sum + count, 0);
  const slots = (fiction: number) => createPermutation(Math.max(owners, fiction), of.seed + index);
  return {
    index,
    country,
    towers: Math.max(1, Math.round(people / PEOPLE_PER_TOWER)),
    offices,
    slots: { mobile: slots(country.mobile.fiction), landline: slots(country.landline.fiction) },
  };
}

/** Returns the index of the person whom a record is about, and the index of the record among that person's records. */
export function findPersonAndRecordIndex(
  world: GeneratedWorld,
  record: number,
): { person: number; nth: number } {
  const { blocks } = world;
  const block = Math.floor(record / blocks.recordsEach);
  const layout = blocks.of(block * BLOCK);
  const offset = record - block * blocks.recordsEach;
  const position = getItemAt(layout.position, offset);
  return { person: block * BLOCK + position, nth: offset - getItemAt(layout.firstRecord, position) };
}

/** Returns the index of a person's first record, and the number of the person's records (0 for a stranger). */
export function getPersonRecordStartAndCount(
  world: GeneratedWorld,
  person: number,
): { first: number; count: number } {
  if (person >= world.people) return { first: 0, count: 0 };
  const { firstRecord } = world.blocks.of(person);
  const position = person % BLOCK;
  const first = getItemAt(firstRecord, position);
  const before = Math.floor(person / BLOCK) * world.blocks.recordsEach;
  return { first: before + first, count: getItemAt(firstRecord, position + 1) - first };
}

function countRecords(blocks: Blocks, people: number): number {
  const rest = people % BLOCK;
  return Math.floor(people / BLOCK) * blocks.recordsEach + getItemAt(blocks.of(people).firstRecord, rest);
}

/** Returns the index of the first member of a person's household, and the number of members. */
export function getPersonHouseholdStartAndSize(
  world: GeneratedWorld,
  person: number,
): { first: number; size: number } {
  const layout = world.blocks.of(person);
  const position = person % BLOCK;
  return {
    first: person - position + getItemAt(layout.household, position),
    size: getItemAt(layout.size, position),
  };
}

// Number of people in a block. A layout assigns households and records within one block; every block uses one of a few prepared layouts.
// The person of a record is therefore found by arithmetic, in a world of any size.
const BLOCK = 64;
const LAYOUTS = 256;

/** Number of households of each size in one block of 64 people: 15 of one person, 11 of two, 4 of three, 2 of four, 1 of seven. */
const HOUSEHOLD_SIZES: [size: number, count: number][] = [
  [1, 15],
  [2, 11],
  [3, 4],
  [4, 2],
  [7, 1],
];
/** Number of people in one block of 64 by their number of records. Most have few, some have many. */
const RECORD_COUNTS: [records: number, people: number][] = [
  [1, 20],
  [2, 15],
  [3, 10],
  [4, 7],
  [5, 4],
  [6, 3],
  [8, 2],
  [10, 1],
  [14, 1],
  [20, 1],
];
/** Alternative to RECORD_COUNTS with the same total, in which one person has a hundred records. */
const HEAVY_RECORD_COUNTS: [records: number, people: number][] = [
  [100, 1],
  [6, 2],
  [4, 3],
  [3, 6],
  [2, 12],
  [1, 40],
];
const HEAVY_LAYOUTS = 4;

/** Households and records of one block. A position is 0 to 63; a record offset is 0 to the number of records in the block minus 1. */
interface Layout {
  /** For the person at each position: position of the first member of the person's household. */
  household: number[];
  /** For the person at each position: number of members of the person's household. */
  size: number[];
  /** For the person at each position: offset of the person's first record. A last entry contains the total. */
  firstRecord: number[];
  /** For the record at each offset: position of the person whom it is about. */
  position: number[];
}

interface Blocks {
  of(person: number): Layout;
  recordsEach: number;
}

function makeBlocks(seed: number): Blocks {
  const layouts = Array.from({ length: LAYOUTS }, (_, i) => makeLayout(new Random(seed, 1, i), i));
  const of = (person: number) =>
    getItemAt(layouts, hashToRandomInteger(seed, 2, Math.floor(person / BLOCK)) % LAYOUTS);
  return { of, recordsEach: spread(RECORD_COUNTS).reduce((sum, count) => sum + count, 0) };
}

function makeLayout(random: Random, index: number): Layout {
  const layout: Layout = { household: [], size: [], firstRecord: [0], position: [] };
  for (const size of shuffled(spread(HOUSEHOLD_SIZES), random)) {
    const first = layout.household.length;
    for (let i = 0; i < size; i++) {
      layout.household.push(first);
      layout.size.push(size);
    }
  }
  const counts = spread(index < HEAVY_LAYOUTS ? HEAVY_RECORD_COUNTS : RECORD_COUNTS);
  for (const [position, count] of shuffled(counts, random).entries()) {
    for (let i = 0; i < count; i++) layout.position.push(position);
    layout.firstRecord.push(layout.position.length);
  }
  return layout;
}

const spread = (pairs: [value: number, count: number][]): number[] =>
  pairs.flatMap(([value, count]) => Array.from({ length: count }, () => value));

function shuffled(list: number[], random: Random): number[] {
  return list
    .map((item) => [random.next(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item);
}
