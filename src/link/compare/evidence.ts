/** Reason for or against two records being one person. The weight is in bits (log2 of the likelihood ratio). */
export interface LinkEvidence {
  code:
    | 'label'
    | 'name'
    | 'birth'
    | 'birth_place'
    | 'gender'
    | 'identifier'
    | 'email'
    | 'phone'
    | 'address'
    | 'prior'
    | 'others';
  what: string;
  bits: number;
}

export interface PairComparison {
  bits: number;
  evidence: LinkEvidence[];
  /** True if the records cannot be one person, whatever other values agree. */
  conflict: boolean;
}

/** Statistics of all records, from which the rarity of shared values is computed. */
export interface LinkStatistics {
  records: number;
  /** Returns the number of people with different names who share this key; at least 1. */
  sharers(key: number): number;
  nameCount(key: number): number;
  /** Returns the number of records whose first name contains this lower-case word; at least 1. */
  wordCount(word: string): number;
  /** Returns the number of records with this birth date; at least 1. */
  dateCount(date: string): number;
  /** Returns the number of records in this place; at least 1. */
  placeCount(place: number): number;
  /** Returns the number of records with this name and birth date; at least 1. */
  nameAndBirthCount(key: number): number;
  /** Estimated average number of records per person. It raises the prior odds that two records are one person. */
  perPerson: number;
  errorRates: RecordErrorRates;
}

/**
 * Minimum number of records for the weights of contacts, names and prior odds. A smaller graph counts as this size, because an e-mail is as rare
 * as in the world.
 */
const LEAST_RECORDS = 4096;

/** Returns the number of records among which a value counts as rare. */
export function getPopulationSize({ records }: Pick<LinkStatistics, 'records'>): number {
  return Math.max(records, LEAST_RECORDS);
}

export function roundToHundredthBits(bits: number): number {
  return Math.round(bits * 100) / 100;
}

/**
 * Adds the weights of evidence in bits. The sum does not depend on which record is first. @param isCounted selects the evidence to add; default:
 * all
 */
export function sumBits(
  evidence: LinkEvidence[],
  isCounted?: (code: LinkEvidence['code']) => boolean,
): number {
  let sum = 0;
  for (const { code, bits } of evidence) if (!isCounted || isCounted(code)) sum += bits;
  return sum;
}

/**
 * Error rates measured on the records of a graph. A rate is null if it was not measured or if the differences may have other causes. With clean
 * records all rates are null, and every difference counts in full.
 */
export interface RecordErrorRates {
  /** Rate of name errors: one person's records have names that are not variants of each other. Null if not measured. */
  name: FieldErrorRates | null;
  /** Rate of birth date errors: one person's records have dates that differ by more than a typo. Null if not measured. */
  birth: FieldErrorRates | null;
  /** Rates of nearly equal birth dates in one person's records, by type of difference; see `NEAR_BIRTH_DATES`. Null if not measured. */
  near: NearBirthDateRates | null;
  /**
   * Share (0-1) of the record pairs at one address that belong to one person. The other pairs belong to two people of the household. Null if not
   * measured.
   */
  address: number | null;
}

export interface FieldErrorRates {
  /** Rate (0-1) at which two records of one person differ in the field. */
  rate: number;
  /** Share (0-1) of pairs of two people (twins, namesakes) among the pairs at one address that differ in this field and agree in the other. */
  others: number;
}

/** Type of a small difference between two birth dates; see `classifyNearBirthDates`. */
export type NearBirthDateType = 'swapped' | 'digit' | 'exchanged' | 'part';

export type NearBirthDateRates = Record<NearBirthDateType, number>;

export const NO_RECORD_ERRORS: RecordErrorRates = { name: null, birth: null, near: null, address: null };

/** Minimum share (0-1) of one-person pairs with which a shared address counts as the address of one person (odds of 8 to 1). */
export const SINGLE_PERSON_ADDRESS_SHARE = 8 / 9;

/**
 * True if errors in names or birth dates were measured, and people hardly share addresses. A small difference is then an error, not a relative.
 */
export function hasErrorsWithoutHouseholds({ name, birth, address }: RecordErrorRates): boolean {
  return (name ?? birth) !== null && (address === null || address >= SINGLE_PERSON_ADDRESS_SHARE);
}
