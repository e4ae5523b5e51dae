import type { ErrorRates } from '../error-rates.ts';

/** One reason for or against two records being one person, with its weight in bits (log2 of the likelihood ratio). */
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
  /** How many records have this word in their first name, in small letters (at least 1). */
  wordCount(word: string): number;
  /** How many records have this birth date (at least 1). */
  dateCount(date: string): number;
  /** How many records are in this place (at least 1). */
  placeCount(place: number): number;
  /** How many records carry this name with this birth date (at least 1). */
  nameAndBirthCount(key: number): number;
  /** Records that a person has, about: pairs of one person are so much commoner than one in all records. */
  perPerson: number;
  errorRates: ErrorRates;
}

/**
 * Graphs smaller than this weigh contacts, names and chance as one of this size: an e-mail is as rare in the world as it is, however
 * small the file.
 */
const LEAST_RECORDS = 4096;

/** Out of how many records a value is taken to be drawn. */
export function population({ records }: Pick<LinkContext, 'records'>): number {
  return Math.max(records, LEAST_RECORDS);
}

/** Two decimals: weights are for people to read. */
export function round(bits: number): number {
  return Math.round(bits * 100) / 100;
}

/** In the order of the evidence, which is the same whichever record comes first. */
export function sumOf(evidence: LinkEvidence[]): number {
  return evidence.reduce((sum, { bits }) => sum + bits, 0);
}
