// How people stand in blocks of 64: who lives together and how many records each has. A few layouts are made once and each block uses one of
// them, so that the person of a record is found by arithmetic, in a world of any size.
import { at, hash, Random } from './random.ts';

export const BLOCK = 64;
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

export interface Blocks {
  of(person: number): Layout;
  /** Records of every whole block. */
  recordsEach: number;
}

export function makeBlocks(seed: number): Blocks {
  const layouts = Array.from({ length: LAYOUTS }, (_, i) => makeLayout(new Random(seed, 1, i), i));
  const of = (person: number) => at(layouts, hash(seed, 2, Math.floor(person / BLOCK)) % LAYOUTS);
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
