// How two records compare, as a number that an index can keep, and what many such numbers tell of errors.
import { nearDates } from '../compare/near.ts';
import { type Counts, patternOf } from '../compare/pattern.ts';
import { errorCounter, type ErrorRates, nearRates, type NearSeen, NO_ERRORS } from '../error-rates.ts';
import { levelRates } from './levels.ts';
import type { LinkRecord } from '../record.ts';
import type { Survey } from './survey.ts';

const SHARES = ['address', 'contact', 'place'] as const;
const DATES = ['equal', 'swapped', 'digit', 'exchanged', 'part'] as const;
/** Numbers of patterns are multiples of this; what is left tells of the dates. */
const STEP = 8;

/** Orders are below this. */
const ORDERS = 2 ** 52;
/** Of more records with birth dates than this, only a part is looked at for measuring error rates. */
const MEASURED = 4000;

/** Which pairs are measured: a part that depends neither on the order of import nor on the secret. */
export interface Drawing {
  /** The part of all pairs, 0-1: half as much with every doubling of the records. */
  share: number;
  /** @param dated do both have a name and a birth date? */
  isDrawn(orderA: number, orderB: number): boolean;
}

export function drawingFor({ dated }: Pick<Survey, 'dated'>): Drawing {
  const share = 2 ** -Math.max(0, Math.ceil(Math.log2(dated / MEASURED)));
  return { share, isDrawn: (a, b) => (a + b) % ORDERS < share * ORDERS };
}

/** How two records compare; 0 where that tells nothing of errors. */
export function measurePair(a: LinkRecord, b: LinkRecord, counts: Counts): number {
  const pattern = patternOf(a, b, counts);
  const apart = a.nameKeys[0] === b.nameKeys[0] ? datesOf(a, b) : null;
  const date = apart === null ? 0 : DATES.indexOf(apart) + 1;
  if (!pattern) return date;
  const { names, births, recurring, shares } = pattern;
  const flags = Number(names) + 2 * Number(births) + 4 * Number(recurring);
  return date + STEP * (1 + flags + STEP * SHARES.indexOf(shares));
}

/** How the birth dates of two records compare; null where they are far apart. */
function datesOf(a: LinkRecord, b: LinkRecord): keyof NearSeen | null {
  if (a.birthDate === null || b.birthDate === null) return null;
  if (a.birthDate === b.birthDate) return 'equal';
  return nearDates(a.birthDate, b.birthDate);
}

/** The error rates, in levels. @param patterns how many pairs there are of each number */
export function ratesOf(patterns: Map<number, number>, survey: Survey): ErrorRates {
  const counter = errorCounter();
  const dates: NearSeen = { equal: 0, swapped: 0, digit: 0, exchanged: 0, part: 0 };
  for (const [number, times] of patterns) {
    const date = DATES[(number % STEP) - 1];
    if (date) dates[date] += times;
    if (number < STEP) continue;
    const [flags, shares] = splitPattern(Math.floor(number / STEP) - 1);
    counter.see(
      { names: (flags & 1) > 0, births: (flags & 2) > 0, recurring: (flags & 4) > 0, shares },
      times,
    );
  }
  if (survey.dated === 0) return NO_ERRORS;
  const pairs = survey.namePairs * drawingFor(survey).share;
  return levelRates({ ...counter.errorRates(survey.recurring), near: nearRates(dates, pairs) });
}

function splitPattern(number: number): [flags: number, shares: (typeof SHARES)[number]] {
  return [number % STEP, SHARES[Math.floor(number / STEP)] ?? 'place'];
}
