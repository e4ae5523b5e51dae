import type { LinkStatistics } from '../compare/evidence.ts';
import { COUNT_KINDS, type ContributedCount, type CountKind, toDateKey, toWordKey } from './record-facts.ts';
import type { FingerprintFunction } from '../stored-record.ts';
import { type CountTable, createCountTable } from './count-table.ts';

/** Statistics that are collected by reading all records once. */
export interface RecordSurvey extends Omit<LinkStatistics, 'sharers' | 'errorRates'> {
  dated: number;
  /** Share (0 to 1) of the dated records whose name and birth date another record has too. */
  recurring: number;
  namePairs: number;
}

/** Sums over all counts of one kind: total, number of keys counted once, and number of record pairs that share a key. */
export interface CountKindSums {
  total: number;
  once: number;
  pairs: number;
}

export interface CountTotals {
  records: number;
  sums: CountKindSums[];
}

export const createCountTotals = (): CountTotals => ({
  records: 0,
  sums: Object.values(COUNT_KINDS).map(() => ({ total: 0, once: 0, pairs: 0 })),
});

/** Changes the totals after the count of a key has changed from `from` to `to`. */
export function updateCountTotals(
  { sums }: CountTotals,
  what: CountKind,
  [from, to]: [number, number],
): void {
  const sum = sums[what];
  if (!sum) throw new Error(`unknown kind of count: ${what}`);
  sum.total += to - from;
  sum.once += Number(to === 1) - Number(from === 1);
  sum.pairs += pairsIn(to) - pairsIn(from);
}

const pairsIn = (count: number) => (count * (count - 1)) / 2;

/** Returns the count of a key; 0 if it was never counted. */
export type KeyCountLookup = (what: CountKind, key: number) => number;

/**
 * Creates the statistics of all records from totals and counts.
 *
 * @param count must return current counts as long as the result is used
 */
export function createRecordSurvey(
  { records, sums }: CountTotals,
  count: KeyCountLookup,
  fingerprint: FingerprintFunction,
): RecordSurvey {
  const of = (what: CountKind) => sums[what] ?? { total: 0, once: 0, pairs: 0 };
  const atLeastOne = (what: CountKind) => (key: number) => Math.max(1, count(what, key));
  const dated = of(COUNT_KINDS.nameAndBirth);
  const [words, dates] = [keysOf(toWordKey, fingerprint), keysOf(toDateKey, fingerprint)];
  const [wordCount, dateCount] = [atLeastOne(COUNT_KINDS.word), atLeastOne(COUNT_KINDS.date)];
  return {
    records,
    dated: dated.total,
    recurring: 1 - dated.once / (dated.total || 1),
    perPerson: perPerson([dated, of(COUNT_KINDS.nameAndPlace), of(COUNT_KINDS.nameAndContact)]),
    namePairs: of(COUNT_KINDS.name).pairs,
    nameCount: atLeastOne(COUNT_KINDS.name),
    wordCount: (word) => wordCount(words(word)),
    placeCount: atLeastOne(COUNT_KINDS.place),
    dateCount: (date) => dateCount(dates(date)),
    nameAndBirthCount: atLeastOne(COUNT_KINDS.nameAndBirth),
  };
}

/** Maximum number of texts whose keys are cached: the same texts recur for many pairs. */
const AT_HAND = 100_000;

function keysOf(
  key: (text: string, fingerprint: FingerprintFunction) => number,
  fingerprint: FingerprintFunction,
): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    let cachedKey = known.get(text);
    if (cachedKey === undefined) {
      if (known.size >= AT_HAND) known.clear();
      known.set(text, (cachedKey = key(text, fingerprint)));
    }
    return cachedKey;
  };
}

/** Collects statistics in memory. Call `see` once for every record, then `survey`. */
export interface RecordSurveyBuilder {
  see(counts: ContributedCount[]): void;
  survey(): RecordSurvey;
  totals(): CountTotals;
  entries(): Iterable<[what: CountKind, counts: CountTable]>;
}

export function createRecordSurveyBuilder(fingerprint: FingerprintFunction): RecordSurveyBuilder {
  const tallies = new Map<CountKind, CountTable>(
    Object.values(COUNT_KINDS).map((what) => [what, createCountTable()]),
  );
  const count: KeyCountLookup = (what, key) => tallies.get(what)?.get(key) ?? 0;
  let records = 0;
  const totals = () => {
    const all = { ...createCountTotals(), records };
    for (const [what, tally] of tallies)
      for (const times of tally.counts()) updateCountTotals(all, what, [0, times]);
    return all;
  };
  return {
    see(counts) {
      records++;
      for (const { what, key } of counts) tallies.get(what)?.add(key, 1);
    },
    survey: () => createRecordSurvey(totals(), count, fingerprint),
    totals,
    entries: () => tallies,
  };
}

/** Maximum of the estimated number of records per person. */
const MOST_RECORDS = 16;
const USUAL_RECORDS = 2;
/** Average number of other records with the same name and another shared value, below which one record per person is assumed. */
const HARDLY = 0.125;

/**
 * Estimates the number of records per person, as a power of two: from the average number of other records with the same name and date, name and
 * place, or name and contact. The estimate is too low for records with errors, and never much too high.
 */
function perPerson(sums: CountKindSums[]): number {
  const others = Math.max(0, ...sums.map(({ pairs, total }) => (2 * pairs) / (total || 1)));
  if (others < HARDLY) return 1;
  return Math.max(USUAL_RECORDS, Math.min(MOST_RECORDS, 2 ** Math.round(Math.log2(1 + others))));
}
