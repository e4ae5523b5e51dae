// A world of people: all that is fixed before the first record is made.
import { type Country, parsePlaces, parseNames, getRow } from './tables.ts';
import {
  getItem,
  type Permutation,
  createPermutation,
  type WeightedChoices,
  createWeightedChoices,
  hashToInteger,
  Random,
} from './random.ts';

/** What a draw is for. The numbers are part of what a seed gives: they stay. */
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

/** The day on which the world is seen: its records end here, whatever the clock says. */
export const WORLD_DATE = { year: 2026, month: 10 } as const;

/** People beyond the last that has records: nobody in the graph knows them. Checks need some. */
const STRANGERS = 65_536;
/** Share of adults who work in an office. */
export const EMPLOYED_SHARE = 0.45;
/** People to a tower block, and share of homes in one. */
const PEOPLE_PER_TOWER = 500;
export const TOWER_SHARE = 0.12;
/** Colleagues behind one switchboard, with the share of the employed that work in an office of that size. */
export const OFFICE_SIZES: [size: number, share: number][] = [
  [10, 0.25],
  [30, 0.3],
  [80, 0.25],
  [200, 0.2],
];

export interface WorldOptions {
  /** How many people have records: 1 to 100 million. */
  people: number;
  /** A whole number: another one makes other people. */
  seed: number;
  /** ISO codes; none stands for all. People are spread over them as over the countries themselves. */
  countries: string[];
  /** Texts of data/generate/names.txt and places.txt. */
  names: string;
  places: string;
}

/** A country with what depends on how many live there. */
export interface CountryData {
  index: number;
  country: Country;
  towers: number;
  /** Offices by class of size. */
  offices: number[];
  /** From whom a number belongs to, to a number: nobody gets somebody else's. */
  slots: { mobile: Permutation; landline: Permutation };
}

export interface World {
  seed: number;
  people: number;
  /** How many records they have in all. */
  records: number;
  lands: WeightedChoices<CountryData>;
  blocks: Blocks;
  /** From a record's place in the output to its number, which counts people one by one. */
  order: Permutation;
  firstStranger: number;
}

/** Makes a world. That the tables have every country is for the caller to see to. */
export function createGeneratedWorld(options: WorldOptions): World {
  const { people, seed } = options;
  const origins = parseNames(options.names);
  const all = parsePlaces(options.places, origins);
  const asked = options.countries.length > 0 ? options.countries : [...all.keys()];
  const countries = asked.map((code) => getRow(all, code));
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
): CountryData {
  const people = (of.people * country.share) / of.total;
  const offices = OFFICE_SIZES.map(([size, share]) =>
    Math.max(1, Math.round((people * EMPLOYED_SHARE * share) / size)),
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

/** Which person a record is of, and which of that person's records it is. */
export function findPersonOfRecord(world: World, record: number): { person: number; nth: number } {
  const { blocks } = world;
  const block = Math.floor(record / blocks.recordsEach);
  const layout = blocks.of(block * BLOCK);
  const offset = record - block * blocks.recordsEach;
  const position = getItem(layout.position, offset);
  return { person: block * BLOCK + position, nth: offset - getItem(layout.firstRecord, position) };
}

/** Number of a person's first record, and how many there are: none of a stranger. */
export function getRecordRange(world: World, person: number): { first: number; count: number } {
  if (person >= world.people) return { first: 0, count: 0 };
  const { firstRecord } = world.blocks.of(person);
  const position = person % BLOCK;
  const first = getItem(firstRecord, position);
  const before = Math.floor(person / BLOCK) * world.blocks.recordsEach;
  return { first: before + first, count: getItem(firstRecord, position + 1) - first };
}

function countRecords(blocks: Blocks, people: number): number {
  const rest = people % BLOCK;
  return Math.floor(people / BLOCK) * blocks.recordsEach + getItem(blocks.of(people).firstRecord, rest);
}

/** A household by any of its members: number of the first member and how many there are. */
export function getHouseholdRange(world: World, person: number): { first: number; size: number } {
  const layout = world.blocks.of(person);
  const position = person % BLOCK;
  return {
    first: person - position + getItem(layout.household, position),
    size: getItem(layout.size, position),
  };
}

// How people stand in blocks of 64: who lives together and how many records each has. A few layouts are made once and each block uses one of
// them, so that the person of a record is found by arithmetic, in a world of any size.
const BLOCK = 64;
const LAYOUTS = 256;

/** Households by size: 16 people alone, 13 pairs, 6 of three, 2 of four … */
const HOUSEHOLD_SIZES: [size: number, count: number][] = [
  [1, 15],
  [2, 11],
  [3, 4],
  [4, 2],
  [7, 1],
];
/** Records by person: most have few, some have many. */
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
/** As many records in another block: one of its people has a hundred. */
const HEAVY_RECORD_COUNTS: [records: number, people: number][] = [
  [100, 1],
  [6, 2],
  [4, 3],
  [3, 6],
  [2, 12],
  [1, 40],
];
const HEAVY_LAYOUTS = 4;

/** Of one block: positions are 0 to 63, record offsets 0 to the block's count - 1. */
interface Layout {
  /** Position of the first member of a position's household. */
  household: number[];
  /** Members of a position's household. */
  size: number[];
  /** Offset of a position's first record; one entry more for the end. */
  firstRecord: number[];
  /** Position of a record offset. */
  position: number[];
}

interface Blocks {
  of(person: number): Layout;
  /** Records of every whole block. */
  recordsEach: number;
}

function makeBlocks(seed: number): Blocks {
  const layouts = Array.from({ length: LAYOUTS }, (_, i) => makeLayout(new Random(seed, 1, i), i));
  const of = (person: number) =>
    getItem(layouts, hashToInteger(seed, 2, Math.floor(person / BLOCK)) % LAYOUTS);
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
