import { bothRecur, classifyNearDates } from '../compare/birth-dates.ts';
import { type ErrorRates, type LinkContext, NO_ERRORS } from '../compare/evidence.ts';
import { haveSimilarNames } from '../compare/name-similarity.ts';
import { maxWeakKeyRecords } from '../blocking.ts';
import type { LinkRecord } from '../link-record.ts';
import {
  type ComparisonPattern,
  createErrorCounter,
  estimateNearDateRates,
  type NearDateCounts,
} from './error-rates.ts';
import { roundRatesToLevels } from './levels.ts';
import type { RecordSurvey } from './survey.ts';

/** A contact that more differently named people share is no household's. */
const HOUSEHOLD = 8;

export type RecordCounts = Omit<LinkContext, 'errorRates'>;

/**
 * How two records with names and birth dates compare that share a contact or a place which few have; null where they share none or lack
 * one of the two.
 */
export function getComparisonPattern(
  a: LinkRecord,
  b: LinkRecord,
  context: RecordCounts,
): ComparisonPattern | null {
  if (a.nameAndBirth === null || b.nameAndBirth === null || a.generation !== b.generation) return null;
  const shares = sharedBy(a, b, context);
  if (shares === null) return null;
  return {
    names: haveSimilarNames(a, b),
    births: birthsAgree(a.birthDate ?? '', b.birthDate ?? ''),
    recurring: bothRecur(a, b, context),
    shares,
  };
}

function sharedBy(a: LinkRecord, b: LinkRecord, context: RecordCounts): ComparisonPattern['shares'] | null {
  if (sharesContact(a, b, context, 'address')) return 'address';
  if (sharesContact(a, b, context)) return 'contact';
  return sharesPlace(a, b, context) ? 'place' : null;
}

/** One date, but for how finely it is told, or a typo. */
function birthsAgree(a: string, b: string): boolean {
  const near = classifyNearDates(a, b);
  return a.startsWith(b) || b.startsWith(a) || (near !== null && near !== 'part');
}

/** A contact in common that few share. Addresses that are merely alike are no help here: only alike people are compared on those. */
function sharesContact(a: LinkRecord, b: LinkRecord, { sharers }: RecordCounts, kind?: 'address'): boolean {
  const keys = (record: LinkRecord) =>
    record.contacts
      .filter((contact) => kind === undefined || contact.kind === kind)
      .flatMap((contact) => contact.keys.filter(([type]) => type !== 'street').map(([, key]) => key));
  const theirs = new Set(keys(b));
  return keys(a).some((key) => theirs.has(key) && sharers(key) <= HOUSEHOLD);
}

/** A place in common where few records are, all of which are compared with one another. */
function sharesPlace(a: LinkRecord, b: LinkRecord, { placeCount, perPerson }: RecordCounts): boolean {
  const places = (record: LinkRecord) => record.contacts.flatMap((contact) => contact.places);
  const theirs = new Set(places(b));
  return places(a).some((place) => theirs.has(place) && placeCount(place) <= maxWeakKeyRecords(perPerson));
}

// How two records compare, as a number that an index can keep, and what many such numbers tell of errors.
const SHARES = ['address', 'contact', 'place'] as const;
const DATES = ['equal', 'swapped', 'digit', 'exchanged', 'part'] as const;
/** Numbers of patterns are multiples of this; what is left tells of the dates. */
const STEP = 8;

/** Orders are below this. */
const ORDERS = 2 ** 52;
/** Of more records with birth dates than this, only a part is looked at for measuring error rates. */
const MEASURED = 4000;

/** Which pairs are measured: a part that depends neither on the order of import nor on the secret. */
interface PairSample {
  /** The part of all pairs, 0-1: half as much with every doubling of the records. */
  share: number;
  /** @param dated do both have a name and a birth date? */
  isDrawn(orderA: number, orderB: number): boolean;
}

export function getPairSample({ dated }: Pick<RecordSurvey, 'dated'>): PairSample {
  const share = 2 ** -Math.max(0, Math.ceil(Math.log2(dated / MEASURED)));
  return { share, isDrawn: (a, b) => (a + b) % ORDERS < share * ORDERS };
}

/** How two records compare; 0 where that tells nothing of errors. */
export function encodePattern(a: LinkRecord, b: LinkRecord, counts: RecordCounts): number {
  const pattern = getComparisonPattern(a, b, counts);
  const apart = a.nameKeys[0] === b.nameKeys[0] ? datesOf(a, b) : null;
  const date = apart === null ? 0 : DATES.indexOf(apart) + 1;
  if (!pattern) return date;
  const { names, births, recurring, shares } = pattern;
  const flags = Number(names) + 2 * Number(births) + 4 * Number(recurring);
  return date + STEP * (1 + flags + STEP * SHARES.indexOf(shares));
}

/** How the birth dates of two records compare; null where they are far apart. */
function datesOf(a: LinkRecord, b: LinkRecord): keyof NearDateCounts | null {
  if (a.birthDate === null || b.birthDate === null) return null;
  if (a.birthDate === b.birthDate) return 'equal';
  return classifyNearDates(a.birthDate, b.birthDate);
}

/** The error rates, in levels. @param patterns how many pairs there are of each number */
export function estimateErrorRates(patterns: Map<number, number>, survey: RecordSurvey): ErrorRates {
  const counter = createErrorCounter();
  const dates: NearDateCounts = { equal: 0, swapped: 0, digit: 0, exchanged: 0, part: 0 };
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
  const pairs = survey.namePairs * getPairSample(survey).share;
  return roundRatesToLevels({
    ...counter.errorRates(survey.recurring),
    near: estimateNearDateRates(dates, pairs),
  });
}

function splitPattern(number: number): [flags: number, shares: (typeof SHARES)[number]] {
  return [number % STEP, SHARES[Math.floor(number / STEP)] ?? 'place'];
}
