import type { Contact, ContactKind, LookupKeyType } from '../model.ts';

/** Record as stored in a graph. Personal data is readable; contacts are fingerprints only. */
export interface StoredRecord {
  recordId: string;
  source: string;
  names: string[];
  birthDate: string | null;
  /** Identity label from the operator, or null. Records with the same label are one person. */
  label: string | null;
  /** Label (see `label`) that the source file gave. Present only if a manual link has replaced it. */
  said?: string | null;
  /** Time in milliseconds since 1970; null if unknown. */
  firstSeen: number | null;
  lastSeen: number | null;
  contacts: StoredContact[];
  birthPlace?: number | null;
  gender?: Gender | null;
  identifiers?: StoredIdentifier[];
  /** Normalised values from which the fingerprints were computed; missing if the graph stores only fingerprints. */
  whole?: FullRecordValues;
}

/** Normalised values of a record. The graph stores them, encrypted, only with `graph.keep=sealed`. */
export interface FullRecordValues {
  contacts: Contact[];
  /** Normalised identifiers, from which the fingerprints are computed. `written` is the original spelling, if it differs. */
  identifiers: { type: string; country: string; value: string; written?: string }[];
  birthPlace: string | null;
  birthPlaceWritten?: string | undefined;
}

export type Gender = 'female' | 'male' | 'other';

/** Number of a person, such as a passport, licence or customer number. */
export interface StoredIdentifier {
  type: number;
  value: number;
  /**
   * True if a person has only one number of this type, so that two different numbers mean two people. `at a time` for a type that is renewed,
   * such as a passport.
   */
  once: boolean | 'at a time';
}

export interface StoredContact {
  kind: ContactKind;
  /** Type and fingerprint of each look-up key. The exact key is first. */
  keys: [LookupKeyType, number][];
  /**
   * Fingerprints for similar addresses: of the part that must agree exactly, and of the letter pairs (sorted). Null for a contact without them.
   */
  signature: { exactPart: number; grams: number[] } | null;
  /** Fingerprints of the postcode and of the city, for linking only. */
  places: number[];
  /** Fingerprint in `places` that belongs to the postcode, if the postcode identifies a street or building. */
  postcode?: number;
  /** Fingerprint of the flat; missing if the address names none. */
  unit?: number;
}

/**
 * Stored record with its row number and its identity number after the last linking. The identity number is null if the record is not linked yet.
 */
export interface RecordRow extends StoredRecord {
  /** Positive integer, in the order of import. */
  row: number;
  /** Record fingerprint in hexadecimal. It sorts records independently of the order of import. */
  key: string;
  identity: number | null;
}

/**
 * Computes the keyed fingerprint of a text, as a safe integer. The type distinguishes equal texts: `birth` is a date with a name or an initial,
 * `place` a place with or without a name.
 */
export type FingerprintFunction = (type: 'name' | 'birth' | 'place' | 'label', text: string) => number;
