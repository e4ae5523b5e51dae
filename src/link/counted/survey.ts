import type { LinkContext } from '../compare/evidence.ts';
import { COUNTED, type Count, type Counted, dateKey, wordKey } from './facts.ts';
import type { Fingerprint } from '../stored.ts';
import { type Tally, tallyOf } from './tally.ts';

/** What one reading of all records tells. */
export interface Survey extends Omit<LinkContext, 'sharers' | 'errorRates'> {
  /** Number of records with a name and a birth date. */
  dated: number;
  /** The share of these whose name and birth date another record has too, 0-1. */
  recurring: number;
  /** How many pairs of records have one exact name. */
  namePairs: number;
}

/** Of everything of one sort that is counted: how often in all, how many keys once, and how many pairs of records have one in common. */
export interface Sums {
  total: number;
  once: number;
  pairs: number;
}

/** What all records come to, but for the single counts. */
export interface Totals {
  records: number;
  /** By what is counted. */
  sums: Sums[];
}

export const NO_TOTALS = (): Totals => ({
  records: 0,
  sums: Object.values(COUNTED).map(() => ({ total: 0, once: 0, pairs: 0 })),
});

/** A key was counted `from` times and is now counted `to` times. */
export function recount({ sums }: Totals, what: Counted, [from, to]: [number, number]): void {
  const sum = sums[what];
  if (!sum) throw new Error('nothing of this sort is counted');
  sum.total += to - from;
  sum.once += Number(to === 1) - Number(from === 1);
  sum.pairs += pairsIn(to) - pairsIn(from);
}

const pairsIn = (count: number) => (count * (count - 1)) / 2;

/** How often a key was counted; 0 where it never was. */
export type CountOf = (what: Counted, key: number) => number;

/** What the counts tell. @param count must stay true as long as the survey is asked */
export function surveyFrom({ records, sums }: Totals, count: CountOf, fingerprint: Fingerprint): Survey {
  const of = (what: Counted) => sums[what] ?? { total: 0, once: 0, pairs: 0 };
  const atLeastOne = (what: Counted) => (key: number) => Math.max(1, count(what, key));
  const dated = of(COUNTED.nameAndBirth);
  const [words, dates] = [keysOf(wordKey, fingerprint), keysOf(dateKey, fingerprint)];
  const [wordCount, dateCount] = [atLeastOne(COUNTED.word), atLeastOne(COUNTED.date)];
  return {
    records,
    dated: dated.total,
    recurring: 1 - dated.once / (dated.total || 1),
    perPerson: perPerson([dated, of(COUNTED.nameAndPlace), of(COUNTED.nameAndContact)]),
    namePairs: of(COUNTED.name).pairs,
    nameCount: atLeastOne(COUNTED.name),
    wordCount: (word) => wordCount(words(word)),
    placeCount: atLeastOne(COUNTED.place),
    dateCount: (date) => dateCount(dates(date)),
    nameAndBirthCount: atLeastOne(COUNTED.nameAndBirth),
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
export interface Surveyor {
  see(counts: Count[]): void;
  survey(): Survey;
  totals(): Totals;
  entries(): Iterable<[what: Counted, counts: Tally]>;
}

export function surveyor(fingerprint: Fingerprint): Surveyor {
  const tallies = new Map<Counted, Tally>(Object.values(COUNTED).map((what) => [what, tallyOf()]));
  const count: CountOf = (what, key) => tallies.get(what)?.get(key) ?? 0;
  let records = 0;
  const totals = () => {
    const all = { ...NO_TOTALS(), records };
    for (const [what, tally] of tallies) for (const times of tally.counts()) recount(all, what, [0, times]);
    return all;
  };
  return {
    see(counts) {
      records++;
      for (const { what, key } of counts) tallies.get(what)?.add(key, 1);
    },
    survey: () => surveyFrom(totals(), count, fingerprint),
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
function perPerson(sums: Sums[]): number {
  const others = Math.max(0, ...sums.map(({ pairs, total }) => (2 * pairs) / (total || 1)));
  if (others < HARDLY) return 1;
  return Math.max(USUAL_RECORDS, Math.min(MOST_RECORDS, 2 ** Math.round(Math.log2(1 + others))));
}
