import type { ErrorRates } from '../error-rates.ts';

/** One reason for or against two records being one person, with its weight in bits (log2 of the likelihood ratio). */
export interface LinkEvidence {
  code: 'label' | 'name' | 'birth' | 'email' | 'phone' | 'address' | 'prior';
  what: string;
  bits: number;
}

export interface PairVerdict {
  /** Sum of all evidence, in bits. */
  bits: number;
  evidence: LinkEvidence[];
  /** The two cannot be one person, whatever else agrees. */
  conflict: boolean;
}

/** What the records as a whole tell about how much an agreement is worth. */
export interface LinkContext {
  /** Number of records. */
  records: number;
  /** How many differently named people share this key (at least 1). */
  sharers(key: number): number;
  /** How many records carry this exact name (at least 1). */
  nameCount(key: number): number;
  /** How many records have this birth date (at least 1). */
  dateCount(date: string): number;
  /** How many records are in this place (at least 1). */
  placeCount(place: number): number;
  /** How many records carry this name with this birth date (at least 1). */
  nameAndBirthCount(key: number): number;
  errorRates: ErrorRates;
}

/** Pairs that are one person are so much commoner than one in all records, because a person has several records. */
export const RECORDS_PER_PERSON = 2;

/** Two decimals: weights are for people to read. */
export function round(bits: number): number {
  return Math.round(bits * 100) / 100;
}

/** In the order of the evidence, which is the same whichever record comes first. */
export function sumOf(evidence: LinkEvidence[]): number {
  return evidence.reduce((sum, { bits }) => sum + bits, 0);
}
