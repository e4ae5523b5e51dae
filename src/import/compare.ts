import type { Blocks, GraphRecords } from '../graph/graph.ts';
import { type Edge, edgeOf, type Support } from '../link/cluster.ts';
import type { LinkContext } from '../link/compare/evidence.ts';
import { comparePair, LINK_BITS, supportOf } from '../link/compare/pair.ts';
import { levelContext, levelRates } from '../link/levels.ts';
import { patternOf } from '../link/compare/pattern.ts';
import { nearDates } from '../link/compare/near.ts';
import { breathing } from './breathing.ts';
import { errorCounter, type ErrorRates, nearRates, type NearSeen, NO_ERRORS } from '../link/error-rates.ts';
import { linkRecord, type LinkRecord } from '../link/record.ts';
import type { Blocked } from './block.ts';

/** Reads records by their rows, many at a time. */
export type RecordReader = (rows: Iterable<number>) => Promise<Map<number, LinkRecord>>;

/** Decoded records kept at hand while pairs are compared. */
const CACHE = 5000;
/** Orders are below this. */
const ORDERS = 2 ** 52;
/** Of more records with birth dates than this, only a part is looked at for measuring error rates. */
const MEASURED = 4000;

/** Keeps those at hand that were read last. */
export function recordReader(records: GraphRecords): RecordReader {
  const cache = new Map<number, LinkRecord>();
  return async (rows) => {
    const found = new Map<number, LinkRecord>();
    const missing: number[] = [];
    for (const row of new Set(rows)) {
      const record = cache.get(row);
      if (record) found.set(row, record);
      else missing.push(row);
    }
    for (const raw of missing.length > 0 ? await records.read(missing) : []) {
      const record = linkRecord(raw, records.fingerprints.of);
      found.set(record.row, record);
      cache.set(record.row, record);
    }
    for (const row of cache.keys()) {
      if (cache.size <= CACHE) break;
      cache.delete(row);
    }
    return found;
  };
}

/** Measures how often records err, on the pairs of one home, in a part of the pairs that does not depend on the order of import. */
export async function measureErrors(
  blocks: Blocks,
  read: RecordReader,
  blocked: Blocked,
): Promise<ErrorRates> {
  const { survey, sharers, rows } = blocked;
  if (survey.dated === 0) return NO_ERRORS;
  const counter = errorCounter();
  const counts = levelContext({ ...survey, sharers, errorRates: NO_ERRORS });
  const drawn = drawnOf(survey.dated);
  const { dated, orders } = rows;
  const isDrawn = ([a, b]: [number, number]) =>
    dated[a] !== 0 && dated[b] !== 0 && ((orders[a] ?? 0) + (orders[b] ?? 0)) % ORDERS < drawn;
  const dates: NearSeen = { equal: 0, swapped: 0, digit: 0, exchanged: 0, part: 0 };
  for await (const page of breathing(blocks.pairs())) {
    for (const [one, two] of await recordPairs(page.filter(isDrawn), read)) {
      const pattern = patternOf(one, two, counts);
      if (pattern) counter.see(pattern);
      const apart = one.nameKeys[0] === two.nameKeys[0] ? datesOf(one, two) : null;
      if (apart) dates[apart]++;
    }
  }
  const pairs = (survey.namePairs * drawn) / ORDERS;
  return levelRates({ ...counter.errorRates(survey.recurring), near: nearRates(dates, pairs) });
}

/** Orders whose pairs are drawn are below this: half as many with every doubling of the records. */
export function drawnOf(dated: number): number {
  return ORDERS / 2 ** Math.max(0, Math.ceil(Math.log2(dated / MEASURED)));
}

/** How the birth dates of two records compare; null where they are far apart. */
function datesOf(a: LinkRecord, b: LinkRecord): keyof NearSeen | null {
  if (a.birthDate === null || b.birthDate === null) return null;
  if (a.birthDate === b.birthDate) return 'equal';
  return nearDates(a.birthDate, b.birthDate);
}

export interface Compared {
  edges: Edge[];
  /** What speaks for two records being one person. Compares those that have not been compared. */
  support: Support;
}

/** Compares all pairs of the blocks. */
export async function comparePairs(from: {
  blocks: Blocks;
  read: RecordReader;
  context: LinkContext;
  /** Told the row that is compared. */
  onRow: (row: number) => void;
}): Promise<Compared> {
  const { blocks, read, context, onRow } = from;
  const edges: Edge[] = [];
  // What clustering asks about is mostly what was compared anyway.
  const supports = new Map<number, number>();
  const compare = (a: LinkRecord, b: LinkRecord) => {
    const verdict = comparePair(a, b, context);
    supports.set(place(a.row, b.row), supportOf(verdict));
    return verdict;
  };
  for await (const page of breathing(blocks.pairs())) {
    for (const [one, two] of await recordPairs(page, read)) {
      const { bits, conflict } = compare(one, two);
      if (bits >= LINK_BITS && !conflict) edges.push(edgeOf(one, two, bits));
    }
    onRow(page[0]?.[0] ?? 0);
  }
  const ask = async (a: number, b: number) => {
    const [pair] = await recordPairs([[a, b]], read);
    return pair ? supportOf(compare(...pair)) : -Infinity;
  };
  return { edges, support: (a, b) => supports.get(place(a, b)) ?? ask(a, b) };
}

/** One number for two rows, whichever comes first. */
function place(a: number, b: number): number {
  return Math.min(a, b) * 2 ** 26 + Math.max(a, b);
}

/** The records of pairs of rows. */
async function recordPairs(
  pairs: [number, number][],
  read: RecordReader,
): Promise<[LinkRecord, LinkRecord][]> {
  if (pairs.length === 0) return [];
  const records = await read(pairs.flat());
  return pairs.flatMap(([a, b]) => {
    const [one, two] = [records.get(a), records.get(b)];
    return one && two ? [[one, two] as [LinkRecord, LinkRecord]] : [];
  });
}
