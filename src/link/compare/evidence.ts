/** Reason for or against two records being one person, with its weight in bits (log2 of the likelihood ratio). */
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
  /** True if the records cannot be one person, whatever else agrees. */
  conflict: boolean;
}

/** Statistics of all records, by which agreements are weighed. */
export interface LinkStatistics {
  records: number;
  /** Returns the number of people with different names who share this key (at least 1). */
  sharers(key: number): number;
  nameCount(key: number): number;
  /** Returns the number of records with this word (lower case) in their first name (at least 1). */
  wordCount(word: string): number;
  /** Returns the number of records with this birth date (at least 1). */
  dateCount(date: string): number;
  /** Returns the number of records in this place (at least 1). */
  placeCount(place: number): number;
  /** Returns the number of records with this name and birth date (at least 1). */
  nameAndBirthCount(key: number): number;
  /** Estimated number of records per person. The prior odds of a pair grow with it. */
  perPerson: number;
  errorRates: RecordErrorRates;
}

/**
 * Minimum number of records for weighing contacts, names and the prior odds. A smaller graph counts as this size: an e-mail is as rare as in the
 * world, however small the file.
 */
const LEAST_RECORDS = 4096;

/** Returns the number of records from which a value is assumed to be drawn. */
export function getPopulation({ records }: Pick<LinkStatistics, 'records'>): number {
  return Math.max(records, LEAST_RECORDS);
}

export function roundToHundredthBits(bits: number): number {
  return Math.round(bits * 100) / 100;
}

/**
 * Adds the weights of evidence. The order of the evidence does not depend on which record is first.
 *
 * @param isCounted selects the evidence whose weights are added; all by default
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
 * Error rates measured on the records. A rate is null if nothing was measured, or if the differences may have other causes. With clean records
 * all rates are null and every disagreement counts in full.
 */
export interface RecordErrorRates {
  /** Errors in names: names of one person that are not variants of each other. */
  name: FieldErrorRates | null;
  /** Errors in birth dates: dates of one person that are not typos of each other. */
  birth: FieldErrorRates | null;
  /** Rate of nearly equal birth dates on one person's records, by kind of difference; see `NEAR_BIRTH_DATES`. */
  near: NearBirthDateRates | null;
  /** Share (0 to 1) of the record pairs at one address that belong to one person; the other pairs belong to two people of the household. */
  address: number | null;
}

export interface FieldErrorRates {
  /** Rate (0 to 1) at which two records of one person differ in the field. */
  rate: number;
  /**
   * Among the record pairs at one address that differ in this field and agree in the other: share (0 to 1) of pairs of two people (twins,
   * namesakes).
   */
  others: number;
}

/** Kind of a small difference between two birth dates; see `classifyNearBirthDates`. */
export type NearBirthDateKind = 'swapped' | 'digit' | 'exchanged' | 'part';

export type NearBirthDateRates = Record<NearBirthDateKind, number>;

export const NO_RECORD_ERRORS: RecordErrorRates = { name: null, birth: null, near: null, address: null };

/** Share (0 to 1) of one-person pairs from which a shared address counts as the address of one person: odds of 8 to 1. */
export const SINGLE_PERSON_ADDRESS_SHARE = 8 / 9;

/**
 * True if names or birth dates contain measured errors, and several people hardly share an address. Then a small difference is an error, not a
 * relative.
 */
export function hasErrorsWithoutHouseholds({ name, birth, address }: RecordErrorRates): boolean {
  return (name ?? birth) !== null && (address === null || address >= SINGLE_PERSON_ADDRESS_SHARE);
}
