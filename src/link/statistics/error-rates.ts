import { SMALL_BIRTH_DATE_DIFFERENCE_DETAILS } from '../compare/birth-dates.ts';
import {
  type RecordErrorRates,
  type ErrorRatesOfOneField,
  UNMEASURED_ERROR_RATES,
  type SmallBirthDateDifferenceType,
  type SmallBirthDateDifferenceRates,
} from '../compare/evidence.ts';

/** Minimum number of record pairs from which an error rate is estimated. */
const PAIRS = 40;
/**
 * Lowest plausible error rate (0-1) of a field; `MOST` is the highest. A field with a lower rate counts as free of errors; a higher rate
 * must have other causes.
 */
const LEAST = 0.02;
const MOST = 0.4;
/**
 * Share (0-1) of twins among the pairs of two people at one address. One child in thirty is a twin, a family has about three pairs per child,
 * and many pairs are couples.
 */
const TWINS = 0.003;
/** Share (0-1) of people with the same name among the pairs of two people at one address. About one son in twenty has his father's name. */
const NAMESAKES = 0.01;
/**
 * Maximum estimated share (0-1) of twins or namesakes if no pair of records shows any. A pair shows them if each record's name and birth date also
 * occur on a third record.
 */
const UNSEEN = 0.03;
/** Share (0-1) of household members among the pairs of two people in one place. */
const NEIGHBOURS = 0.1;
/** Number of assumed pairs of two people at one address. They are added to the measured pairs, so that few pairs give no extreme share. */
const DOUBT = 3;

/**
 * Result of comparing two records that share a contact or a place. `recurring` is true if the names with the birth dates of both records
 * occur on other records too.
 */
export interface ComparisonPattern {
  names: boolean;
  births: boolean;
  recurring: boolean;
  /** Type of the shared value: an address, another contact, or only a place. */
  shares: 'address' | 'contact' | 'place';
}

/**
 * Creates an estimator of error rates from pairs of records at one address. An error in a person's record changes the name or the birth date,
 * hardly ever both; records of two people mostly differ in both. Twins and namesakes look like errors, so their number is estimated and
 * subtracted. Method: Winkler (1988) learns a field's error rate from pairs that match in other fields; with three classes and two fields, the
 * method of moments gives a closed form.
 */
export function createErrorRateEstimator() {
  const shared = { address: cells(), contact: cells(), place: cells() };
  const recurs = { address: cells(), contact: cells(), place: cells() };
  return {
    /** Counts a compared pair. @param times number of such pairs */
    see({ shares, recurring, ...pattern }: ComparisonPattern, times = 1): void {
      const cell = cellOf(pattern);
      shared[shares][cell] += times;
      if (recurring) recurs[shares][cell] += times;
    },
    /**
     * Estimates the error rates from the counted pairs. @param recurring share (0-1), among the records with a birth date, of those whose name and birth date also occur on another record
     */
    errorRates(recurring: number): RecordErrorRates {
      const by = MEASURED_ON.find((one) => shared[one].both >= PAIRS);
      if (by === undefined) return UNMEASURED_ERROR_RATES;
      const { both, birthOnly, nameOnly } = shared[by];
      const explained = householdsExplain(by, shared[by], recurring);
      const twins = explained(TWINS, recurs[by].birthOnly);
      const namesakes = explained(NAMESAKES, recurs[by].nameOnly);
      const [name, birth] = [fieldErrors(birthOnly, twins, both), fieldErrors(nameOnly, namesakes, both)];
      if (name === null && birth === null) return UNMEASURED_ERROR_RATES;
      return { ...UNMEASURED_ERROR_RATES, name, birth, address: oneAtHome(shared.address, { name, birth }) };
    },
  };
}

type Shares = ComparisonPattern['shares'];

/**
 * Types of shared values, the most reliable first. People in one place mostly belong to different households, so places are used only if there
 * are too few pairs with shared contacts.
 */
const MEASURED_ON: Shares[] = ['address', 'contact', 'place'];

/**
 * Creates a function that estimates how many pairs with a difference in one field are two people of a household (twins, namesakes). It uses the
 * usual share of such people. For a shared contact, it also uses `seenTwice`: the number of these pairs in which each record's name and birth date
 * occur on a third record.
 */
function householdsExplain(by: Shares, { both, birthOnly, nameOnly, none }: Cells, recurring: number) {
  const apart = Math.max(0, none - (birthOnly * nameOnly) / both);
  if (by === 'place') return (usual: number) => usual * apart * NEIGHBOURS;
  // Upper bound of the count of a rare event: mean plus standard deviation. Without this margin, a few pairs
  // of twins would decide that names contain errors. The bound is squared below, because each of the two
  // records recurs only by chance.
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

/**
 * Returns the share (0-1) of one-person pairs among the pairs at one address, computed from agreeing pairs and error rates. Null if there are
 * too few pairs.
 */
function oneAtHome(home: Cells, { name, birth }: Pick<RecordErrorRates, 'name' | 'birth'>): number | null {
  if (home.both < PAIRS) return null;
  const onePersonPairs = home.both / (1 - (name?.rate ?? 0)) / (1 - (birth?.rate ?? 0));
  const all = Math.max(onePersonPairs, home.both + home.birthOnly + home.nameOnly + home.none);
  return onePersonPairs / (all + DOUBT);
}

/** Number of assumed pairs with the usual rates. They are added to the measured pairs, so that few pairs give no extreme rate. */
const USUAL = 40;

/**
 * Estimates how often two birth dates of one person differ by a small error, from pairs of records with the same name. The number of pairs that
 * differ so by chance is subtracted.
 *
 * @param seen number of pairs with the same name and equal or nearly equal dates, by type of difference
 * @param pairs number of all pairs with the same name
 */
export function estimateSmallBirthDateDifferenceRates(
  seen: SmallBirthDateDifferenceCounts,
  pairs: number,
): SmallBirthDateDifferenceRates | null {
  const beyond = (how: SmallBirthDateDifferenceType) =>
    Math.max(0, seen[how] - pairs * SMALL_BIRTH_DATE_DIFFERENCE_DETAILS[how].chance);
  const all = HOW.reduce((sum, how) => sum + beyond(how), seen.equal);
  if (all < PAIRS) return null;
  const rate = (how: SmallBirthDateDifferenceType) =>
    (beyond(how) + USUAL * SMALL_BIRTH_DATE_DIFFERENCE_DETAILS[how].usual) / (all + USUAL);
  return { swapped: rate('swapped'), digit: rate('digit'), exchanged: rate('exchanged'), part: rate('part') };
}

export type SmallBirthDateDifferenceCounts = Record<SmallBirthDateDifferenceType | 'equal', number>;
const HOW: SmallBirthDateDifferenceType[] = ['swapped', 'digit', 'exchanged', 'part'];

function fieldErrors(differing: number, others: number, agreeing: number): ErrorRatesOfOneField | null {
  const errors = Math.max(0, differing - others);
  const rate = errors / (errors + agreeing);
  // If most differing pairs may be pairs of two people, the error rate is unknown.
  if (rate < LEAST || rate > MOST || errors < others) return null;
  return { rate, others: (others + 0.5) / (differing + 1) };
}
