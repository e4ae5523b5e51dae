/**
 * What the records themselves tell of their errors; null where they tell nothing, or where what they tell may have other reasons. In
 * clean records all is null, and every disagreement counts in full.
 */
export interface ErrorRates {
  /** Names of one person that are no variants of each other. */
  name: FieldErrors | null;
  /** Birth dates of one person that are no typos of each other. */
  birth: FieldErrors | null;
  /** Of the pairs of records at one address, how many are one person's, 0-1; the rest are its household's. */
  address: number | null;
}

export interface FieldErrors {
  /** How often two records of one person differ in the field, 0-1. */
  rate: number;
  /** Of the pairs at one address that differ in the field and agree in the other, how many are two people's (twins, namesakes), 0-1. */
  others: number;
}

export const NO_ERRORS: ErrorRates = { name: null, birth: null, address: null };

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
/** Of addresses of which little is known, three pairs more are taken to be two people's. */
const DOUBT = 3;

/** How two records at one address compare: do the names agree, do the birth dates, and are they `bothRecur`? */
export interface ComparisonPattern {
  names: boolean;
  births: boolean;
  recurring: boolean;
}

export interface ErrorCounter {
  see(pair: ComparisonPattern): void;
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
export function errorCounter(): ErrorCounter {
  const seen = { both: 0, birthOnly: 0, nameOnly: 0, none: 0 };
  const twice = { birthOnly: 0, nameOnly: 0 };
  return {
    see({ names, births, recurring }) {
      if (names && births) seen.both++;
      else if (!names && !births) seen.none++;
      else {
        const cell = births ? 'birthOnly' : 'nameOnly';
        seen[cell]++;
        if (recurring) twice[cell]++;
      }
    },
    errorRates(recurring) {
      const { both, birthOnly, nameOnly, none } = seen;
      if (both < PAIRS) return NO_ERRORS;
      const households = Math.max(0, none - (birthOnly * nameOnly) / both);
      // As many as it takes to see so many recur, where each of two records does by chance: the mean of a rare event's rate.
      const told = (seenTwice: number) => (seenTwice + 1) / Math.max(recurring, 0.01) ** 2;
      const explained = (usual: number, seenTwice: number) =>
        Math.max(
          usual * households,
          Math.min(told(seenTwice), seenTwice > 0 ? Infinity : UNSEEN * households),
        );
      const twins = explained(TWINS, twice.birthOnly);
      const namesakes = explained(NAMESAKES, twice.nameOnly);
      const [name, birth] = [fieldErrors(birthOnly, twins, both), fieldErrors(nameOnly, namesakes, both)];
      if (name === null && birth === null) return NO_ERRORS;
      // As many as the rates make of those that agree in both; all others are two people's.
      const one = both / (1 - (name?.rate ?? 0)) / (1 - (birth?.rate ?? 0));
      const all = Math.max(one, both + birthOnly + nameOnly + none);
      return { name, birth, address: one / (all + DOUBT) };
    },
  };
}

function fieldErrors(differing: number, others: number, agreeing: number): FieldErrors | null {
  const errors = Math.max(0, differing - others);
  const rate = errors / (errors + agreeing);
  // Where most of what differs may be two people's, nothing is known of errors.
  if (rate < LEAST || rate > MOST || errors < others) return null;
  return { rate, others: (others + 0.5) / (differing + 1) };
}
