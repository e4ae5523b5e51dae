import { NEAR_DATES } from '../compare/birth-dates.ts';
import {
  type ErrorRates,
  type FieldErrors,
  NO_ERRORS,
  type NearDateKind,
  type NearDateRates,
} from '../compare/evidence.ts';

/** Fewer pairs than this tell nothing. */
const PAIRS = 40;
/** A field that differs more rarely is taken for clean; one that differs more often must have other reasons than errors. */
const LEAST = 0.02;
const MOST = 0.4;
/** Of the pairs of two people at one address: one child in thirty is a twin, a family has some three pairs a child, and many are couples. */
const TWINS = 0.003;
/** And one son in some twenty bears his father's name. */
const NAMESAKES = 0.01;
/** Where none of them recur there may still be more, but hardly more than this. */
const UNSEEN = 0.03;
/** Of two people in one place so many are of one household. */
const NEIGHBOURS = 0.1;
/** Of addresses of which little is known, three pairs more are taken to be two people's. */
const DOUBT = 3;

/**
 * How two records that share a contact or a place compare: do the names agree, do the birth dates, and are they
 * `bothRecur`?
 */
export interface ComparisonPattern {
  names: boolean;
  births: boolean;
  recurring: boolean;
  /** What they share: an address, another contact, or but a place. */
  shares: 'address' | 'contact' | 'place';
}

interface ErrorCounter {
  /** @param times how many such pairs there are; 1 unless said */
  see(pair: ComparisonPattern, times?: number): void;
  /** @param recurring share of the dated records whose name and birth date are on another record too, 0-1 */
  errorRates(recurring: number): ErrorRates;
}

/**
 * Estimates the error rates from pairs of records at one address, by whether names agree and whether birth dates do. One person's records
 * that err in one differ in one, and both differ as often as independent errors make them; all above that are households. Households
 * have twins and namesakes, which look like errors: those are estimated and taken away.
 *
 * The idea of learning a field's error rate from pairs that the other fields match is Winkler's (1988, by expectation maximisation);
 * with three classes and two fields the moments give it in closed form.
 */
export function createErrorCounter(): ErrorCounter {
  const shared = { address: cells(), contact: cells(), place: cells() };
  const recurs = { address: cells(), contact: cells(), place: cells() };
  return {
    see({ shares, recurring, ...pattern }, times = 1) {
      const cell = cellOf(pattern);
      shared[shares][cell] += times;
      if (recurring) recurs[shares][cell] += times;
    },
    errorRates(recurring) {
      const by = MEASURED_ON.find((one) => shared[one].both >= PAIRS);
      if (by === undefined) return NO_ERRORS;
      const { both, birthOnly, nameOnly } = shared[by];
      const explained = householdsExplain(by, shared[by], recurring);
      const twins = explained(TWINS, recurs[by].birthOnly);
      const namesakes = explained(NAMESAKES, recurs[by].nameOnly);
      const [name, birth] = [fieldErrors(birthOnly, twins, both), fieldErrors(nameOnly, namesakes, both)];
      if (name === null && birth === null) return NO_ERRORS;
      return { ...NO_ERRORS, name, birth, address: oneAtHome(shared.address, { name, birth }) };
    },
  };
}

type Shares = ComparisonPattern['shares'];

/** The surest first: who lives in one place is mostly of several households, and asked only where contacts tell too little. */
const MEASURED_ON: Shares[] = ['address', 'contact', 'place'];

/** How many of the pairs that differ in one field are two people of a household, by how usual that is and how many recur. */
function householdsExplain(by: Shares, { both, birthOnly, nameOnly, none }: Cells, recurring: number) {
  const apart = Math.max(0, none - (birthOnly * nameOnly) / both);
  if (by === 'place') return (usual: number) => usual * apart * NEIGHBOURS;
  // As many as it takes to see so many recur, where each of two records does by chance: the mean of a rare event's rate, and the deviation of
  // that. Else a few pairs of twins more or less, and not the records, decide whether names are held to err.
  const most = (seenTwice: number) => seenTwice + 1 + Math.sqrt(seenTwice + 1);
  const told = (seenTwice: number) => most(seenTwice) / Math.max(recurring, 0.01) ** 2;
  return (usual: number, seenTwice: number) =>
    Math.max(usual * apart, Math.min(told(seenTwice), seenTwice > 0 ? Infinity : UNSEEN * apart));
}

type Cells = Record<'both' | 'birthOnly' | 'nameOnly' | 'none', number>;

const cells = (): Cells => ({ both: 0, birthOnly: 0, nameOnly: 0, none: 0 });

function cellOf({ names, births }: Pick<ComparisonPattern, 'names' | 'births'>): keyof Cells {
  if (names) return births ? 'both' : 'nameOnly';
  return births ? 'birthOnly' : 'none';
}

/** Of the pairs at one address how many are one person's: as many as the rates make of those that agree in both. */
function oneAtHome(home: Cells, { name, birth }: Pick<ErrorRates, 'name' | 'birth'>): number | null {
  if (home.both < PAIRS) return null;
  const one = home.both / (1 - (name?.rate ?? 0)) / (1 - (birth?.rate ?? 0));
  const all = Math.max(one, home.both + home.birthOnly + home.nameOnly + home.none);
  return one / (all + DOUBT);
}

/** As if so many pairs had been seen to err as is usual. */
const USUAL = 40;

/**
 * How often one person's birth dates are nearly one, from pairs of one name: what is beyond chance is one person's.
 *
 * @param seen how many pairs of one name have equal dates, and dates that are nearly one
 * @param pairs how many pairs of one name there are
 */
export function estimateNearDateRates(seen: NearDateCounts, pairs: number): NearDateRates | null {
  const beyond = (how: NearDateKind) => Math.max(0, seen[how] - pairs * NEAR_DATES[how].chance);
  const all = HOW.reduce((sum, how) => sum + beyond(how), seen.equal);
  if (all < PAIRS) return null;
  const rate = (how: NearDateKind) => (beyond(how) + USUAL * NEAR_DATES[how].usual) / (all + USUAL);
  return { swapped: rate('swapped'), digit: rate('digit'), exchanged: rate('exchanged'), part: rate('part') };
}

export type NearDateCounts = Record<NearDateKind | 'equal', number>;
const HOW: NearDateKind[] = ['swapped', 'digit', 'exchanged', 'part'];

function fieldErrors(differing: number, others: number, agreeing: number): FieldErrors | null {
  const errors = Math.max(0, differing - others);
  const rate = errors / (errors + agreeing);
  // Where most of what differs may be two people's, nothing is known of errors.
  if (rate < LEAST || rate > MOST || errors < others) return null;
  return { rate, others: (others + 0.5) / (differing + 1) };
}
