import type { LinkStatistics } from '../compare/evidence.ts';
import {
  COUNT_TYPES,
  type LinkStatisticsCountKey,
  type CountType,
  computeBirthDateKey,
  computeNameWordKey,
} from './link-cache-record.ts';
import type { FingerprintFunction } from '../stored-record.ts';
import { type CountTable, createCountTable } from './count-table.ts';

/** Statistics of all records, collected by reading all records once. */
export interface CollectedLinkStatistics extends Omit<LinkStatistics, 'sharers' | 'errorRates'> {
  dated: number;
  /** Among the records with a birth date, the share (0-1) whose name and birth date also occur on another record. */
  recurring: number;
  namePairs: number;
}

/** Sums over all keys of one type: total of the counts, number of keys with the count 1, and number of record pairs that share a key. */
interface CountTypeSums {
  total: number;
  once: number;
  pairs: number;
}

export interface LinkStatisticsTotals {
  records: number;
  sums: CountTypeSums[];
}

export const createLinkStatisticsTotals = (): LinkStatisticsTotals => ({
  records: 0,
  sums: Object.values(COUNT_TYPES).map(() => ({ total: 0, once: 0, pairs: 0 })),
});

/** Updates the sums of one count type after the count of a key has changed from `from` to `to`. */
export function updateTotalsForChangedCount(
  { sums }: LinkStatisticsTotals,
  what: CountType,
  [from, to]: [number, number],
): void {
  const sum = sums[what];
  if (!sum) throw new Error(`unknown kind of count: ${what}`);
  sum.total += to - from;
  sum.once += Number(to === 1) - Number(from === 1);
  sum.pairs += pairsIn(to) - pairsIn(from);
}

const pairsIn = (count: number) => (count * (count - 1)) / 2;

/** Returns the count of a key of this type (name, word, place and others); 0 for an unknown key. */
export type KeyCountLookup = (what: CountType, key: number) => number;

/**
 * Creates the statistics of all records.
 * @param totals sums by type of count
 * @param count returns the count of one key; later changes of counts change the statistics
 */
export function createCollectedLinkStatistics(
  { records, sums }: LinkStatisticsTotals,
  count: KeyCountLookup,
  fingerprint: FingerprintFunction,
): CollectedLinkStatistics {
  const of = (what: CountType) => sums[what] ?? { total: 0, once: 0, pairs: 0 };
  const atLeastOne = (what: CountType) => (key: number) => Math.max(1, count(what, key));
  const dated = of(COUNT_TYPES.nameAndBirth);
  const [wordCount, dateCount] = [atLeastOne(COUNT_TYPES.word), atLeastOne(COUNT_TYPES.date)];
  return {
    records,
    dated: dated.total,
    recurring: 1 - dated.once / (dated.total || 1),
    perPerson: estimateRecordsPerPerson([
      dated,
      of(COUNT_TYPES.nameAndPlace),
      of(COUNT_TYPES.nameAndContact),
    ]),
    namePairs: of(COUNT_TYPES.name).pairs,
    nameCount: atLeastOne(COUNT_TYPES.name),
    wordCount: (word) => wordCount(computeNameWordKey(word, fingerprint)),
    placeCount: atLeastOne(COUNT_TYPES.place),
    dateCount: (date) => dateCount(computeBirthDateKey(date, fingerprint)),
    nameAndBirthCount: atLeastOne(COUNT_TYPES.nameAndBirth),
  };
}

/** Collects the statistics in memory. Call `see` once for every record, then `statistics`. */
export interface LinkStatisticsCollector {
  see(counts: LinkStatisticsCountKey[]): void;
  statistics(): CollectedLinkStatistics;
  totals(): LinkStatisticsTotals;
  entries(): Iterable<[what: CountType, counts: CountTable]>;
}

export function createLinkStatisticsCollector(fingerprint: FingerprintFunction): LinkStatisticsCollector {
  const tallies = new Map<CountType, CountTable>(
    Object.values(COUNT_TYPES).map((what) => [what, createCountTable()]),
  );
  const count: KeyCountLookup = (what, key) => tallies.get(what)?.get(key) ?? 0;
  let records = 0;
  const totals = () => {
    const all = { ...createLinkStatisticsTotals(), records };
    for (const [what, tally] of tallies)
      for (const times of tally.counts()) updateTotalsForChangedCount(all, what, [0, times]);
    return all;
  };
  return {
    see(counts) {
      records++;
      for (const { what, key } of counts) tallies.get(what)?.add(key, 1);
    },
    statistics: () => createCollectedLinkStatistics(totals(), count, fingerprint),
    totals,
    entries: () => tallies,
  };
}

/** Maximum of the estimated average number of records per person. */
const MOST_RECORDS = 16;
const USUAL_RECORDS = 2;
/** Average number of other records with the same name and another equal value, below which one record per person is assumed. */
const HARDLY = 0.125;

/**
 * Estimates the average number of records per person: 1, 2, 4, 8 or 16. It counts the other records with the same name and birth date, name
 * and place, or name and contact, and uses the highest average. The estimate is too low for records with errors, and never much too high.
 */
function estimateRecordsPerPerson(sums: CountTypeSums[]): number {
  const others = Math.max(0, ...sums.map(({ pairs, total }) => (2 * pairs) / (total || 1)));
  if (others < HARDLY) return 1;
  return Math.max(USUAL_RECORDS, Math.min(MOST_RECORDS, 2 ** Math.round(Math.log2(1 + others))));
}
