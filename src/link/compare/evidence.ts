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

export interface PairComparison {
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
export function getPopulation({ records }: Pick<LinkContext, 'records'>): number {
  return Math.max(records, LEAST_RECORDS);
}

/** Two decimals: weights are for people to read. */
export function roundBits(bits: number): number {
  return Math.round(bits * 100) / 100;
}

/** In the order of the evidence, which is the same whichever record comes first. */
export function sumBits(evidence: LinkEvidence[]): number {
  return evidence.reduce((sum, { bits }) => sum + bits, 0);
}

/**
 * What the records themselves tell of their errors; null where they tell nothing, or where what they tell may have other reasons. In
 * clean records all is null, and every disagreement counts in full.
 */
export interface ErrorRates {
  /** Names of one person that are no variants of each other. */
  name: FieldErrors | null;
  /** Birth dates of one person that are no typos of each other. */
  birth: FieldErrors | null;
  /** How often one person's birth dates are nearly one, by how they are; see `nearDates`. */
  near: NearDateRates | null;
  /** Of the pairs of records at one address, how many are one person's, 0-1; the rest are its household's. */
  address: number | null;
}

export interface FieldErrors {
  /** How often two records of one person differ in the field, 0-1. */
  rate: number;
  /** Of the pairs at one address that differ in the field and agree in the other, how many are two people's (twins, namesakes), 0-1. */
  others: number;
}

/** Kind of a small difference between two birth dates; see `classifyNearDates`. */
export type NearDateKind = 'swapped' | 'digit' | 'exchanged' | 'part';

export type NearDateRates = Record<NearDateKind, number>;

export const NO_ERRORS: ErrorRates = { name: null, birth: null, near: null, address: null };

/** From this share on, 0-1, an address in common nearly always means one person: odds of 8 to 1. */
export const SINGLE_PERSON_SHARE = 8 / 9;

/** Are these records known to err, and not known to share addresses with others? Then what differs a little is an error, and no relative. */
export function hasErrorsWithoutHouseholds({ name, birth, address }: ErrorRates): boolean {
  return (name ?? birth) !== null && (address === null || address >= SINGLE_PERSON_SHARE);
}
