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
  /** True if the records cannot be one person, even if all other values agree. */
  conflict: boolean;
}

/** Statistics of all records, from which the rarity of shared values is computed. */
export interface LinkStatistics {
  records: number;
  /** Returns the number of people (different names) whose contact or identifier has this blocking key; at least 1. */
  sharers(key: number): number;
  nameCount(key: number): number;
  /** Returns the number of records whose first listed name contains this lower-case word; at least 1. */
  wordCount(word: string): number;
  /** Returns the number of records with this birth date; at least 1. */
  dateCount(date: string): number;
  /** Returns the number of records with this postcode or city, given as its fingerprint; at least 1. */
  placeCount(place: number): number;
  /** Returns the number of records with this name and birth date, given as one fingerprint; at least 1. */
  nameAndBirthCount(key: number): number;
  /** Estimated average number of records per person. It raises the prior odds that two records are one person. */
  perPerson: number;
  errorRates: RecordErrorRates;
}

/**
 * Minimum number of records when weights of contacts and names and the prior odds are computed. A smaller graph counts as this size,
 * because e-mails are as rare in a small graph as in a large one.
 */
const LEAST_RECORDS = 4096;

/** Returns the number of records from which the rarity of a value is computed: those of the graph, but at least `LEAST_RECORDS`. */
export function getRecordCountForRarity({ records }: Pick<LinkStatistics, 'records'>): number {
  return Math.max(records, LEAST_RECORDS);
}

export function roundToHundredthBits(bits: number): number {
  return Math.round(bits * 100) / 100;
}

/**
 * Adds the weights of evidence in bits.
 * @param isCounted selects the evidence to add; default: all
 */
export function sumEvidenceBits(
  evidence: LinkEvidence[],
  isCounted?: (code: LinkEvidence['code']) => boolean,
): number {
  let sum = 0;
  for (const { code, bits } of evidence) if (!isCounted || isCounted(code)) sum += bits;
  return sum;
}

/**
 * Error rates measured on the records of a graph. A rate is null if it could not be measured, or if the differences may have other causes. If the
 * rate of a field is null, a difference in it counts in full as evidence of two people.
 */
export interface RecordErrorRates {
  /** Rate at which two records of one person have names that are not variants of each other. Null if not measured. */
  name: ErrorRatesOfOneField | null;
  /** Rate at which two records of one person have birth dates that differ by more than a typo. Null if not measured. */
  birth: ErrorRatesOfOneField | null;
  /** Rates at which two records of one person have nearly equal birth dates, by type of difference. Null if not measured. */
  near: SmallBirthDateDifferenceRates | null;
  /**
   * Share (0-1) of the record pairs at one address that belong to one person. The other pairs belong to two people of the household. Null if not
   * measured.
   */
  address: number | null;
}

/** Rates of one field, such as the birth date. */
export interface ErrorRatesOfOneField {
  /** Rate (0-1) at which two records of one person differ in the field. */
  rate: number;
  /** Share (0-1) of pairs that are two people (twins, namesakes), among the pairs at one address that differ only in this field. */
  others: number;
}

/** Type of a small difference between two birth dates; see `classifySmallBirthDateDifference`. */
export type SmallBirthDateDifferenceType = 'swapped' | 'digit' | 'exchanged' | 'part';

export type SmallBirthDateDifferenceRates = Record<SmallBirthDateDifferenceType, number>;

export const UNMEASURED_ERROR_RATES: RecordErrorRates = {
  name: null,
  birth: null,
  near: null,
  address: null,
};

/** Minimum share (0-1) of one-person pairs among the record pairs at one address for which an address counts as one person's (odds of 8 to 1). */
export const MIN_ONE_PERSON_SHARE_OF_ADDRESS_PAIRS = 8 / 9;

/**
 * True if a small difference between names or birth dates is an error rather than a relative's: such errors were measured, and people hardly
 * share addresses.
 */
export function areSmallDifferencesErrors({ name, birth, address }: RecordErrorRates): boolean {
  return (name ?? birth) !== null && (address === null || address >= MIN_ONE_PERSON_SHARE_OF_ADDRESS_PAIRS);
}
