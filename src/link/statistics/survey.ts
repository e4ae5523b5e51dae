import type { LinkContext } from '../compare/evidence.ts';
import { COUNT_KINDS, type CountEntry, type CountKind, toDateKey, toWordKey } from './record-facts.ts';
import type { Fingerprint } from '../stored-record.ts';
import { type CountTable, createCountTable } from './count-table.ts';

/** What one reading of all records tells. */
export interface RecordSurvey extends Omit<LinkContext, 'sharers' | 'errorRates'> {
  /** Number of records with a name and a birth date. */
  dated: number;
  /** The share of these whose name and birth date another record has too, 0-1. */
  recurring: number;
  /** How many pairs of records have one exact name. */
  namePairs: number;
}

/** Of everything of one sort that is counted: how often in all, how many keys once, and how many pairs of records have one in common. */
export interface CountSums {
  total: number;
  once: number;
  pairs: number;
}

/** What all records come to, but for the single counts. */
export interface CountTotals {
  records: number;
  /** By what is counted. */
  sums: CountSums[];
}

export const createTotals = (): CountTotals => ({
  records: 0,
  sums: Object.values(COUNT_KINDS).map(() => ({ total: 0, once: 0, pairs: 0 })),
});

/** A key was counted `from` times and is now counted `to` times. */
export function updateTotals({ sums }: CountTotals, what: CountKind, [from, to]: [number, number]): void {
  const sum = sums[what];
  if (!sum) throw new Error('nothing of this sort is counted');
  sum.total += to - from;
  sum.once += Number(to === 1) - Number(from === 1);
  sum.pairs += pairsIn(to) - pairsIn(from);
}

const pairsIn = (count: number) => (count * (count - 1)) / 2;

/** How often a key was counted; 0 where it never was. */
export type CountLookup = (what: CountKind, key: number) => number;

/** What the counts tell. @param count must stay true as long as the survey is asked */
export function createSurvey(
  { records, sums }: CountTotals,
  count: CountLookup,
  fingerprint: Fingerprint,
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

/** Texts whose keys are kept at hand: they are asked for pair after pair. */
const AT_HAND = 100_000;

function keysOf(
  key: (text: string, fingerprint: Fingerprint) => number,
  fingerprint: Fingerprint,
): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    let found = known.get(text);
    if (found === undefined) {
      if (known.size >= AT_HAND) known.clear();
      known.set(text, (found = key(text, fingerprint)));
    }
    return found;
  };
}

/** Counts everything in memory: show it the counts of every record once, then ask. */
export interface SurveyBuilder {
  see(counts: CountEntry[]): void;
  survey(): RecordSurvey;
  totals(): CountTotals;
  entries(): Iterable<[what: CountKind, counts: CountTable]>;
}

export function createSurveyBuilder(fingerprint: Fingerprint): SurveyBuilder {
  const tallies = new Map<CountKind, CountTable>(
    Object.values(COUNT_KINDS).map((what) => [what, createCountTable()]),
  );
  const count: CountLookup = (what, key) => tallies.get(what)?.get(key) ?? 0;
  let records = 0;
  const totals = () => {
    const all = { ...createTotals(), records };
    for (const [what, tally] of tallies)
      for (const times of tally.counts()) updateTotals(all, what, [0, times]);
    return all;
  };
  return {
    see(counts) {
      records++;
      for (const { what, key } of counts) tallies.get(what)?.add(key, 1);
    },
    survey: () => createSurvey(totals(), count, fingerprint),
    totals,
    entries: () => tallies,
  };
}

/** The most records of a person that are reckoned with. */
const MOST_RECORDS = 16;
const USUAL_RECORDS = 2;
/** Where fewer records than this, 0-1, have name and something else in common with another one, hardly anybody has two. */
const HARDLY = 0.125;

/**
 * How many records a person has, as a power of two: by how many others, on the average of the records, have the same name and date, name
 * and place or name and contact. That is too few where records err, and never too many by much.
 */
function perPerson(sums: CountSums[]): number {
  const others = Math.max(0, ...sums.map(({ pairs, total }) => (2 * pairs) / (total || 1)));
  if (others < HARDLY) return 1;
  return Math.max(USUAL_RECORDS, Math.min(MOST_RECORDS, 2 ** Math.round(Math.log2(1 + others))));
}
