import type { Contact, ContactKind, LookupKeyType } from '../model.ts';

/** Record as stored in a graph: readable personal data and, for contacts, only fingerprints. */
export interface StoredRecord {
  recordId: string;
  source: string;
  names: string[];
  birthDate: string | null;
  /** Identity label set by the operator; records with the same label are one person. */
  label: string | null;
  /** Label from the source, if a manual link has replaced it. */
  said?: string | null;
  /** Time in milliseconds since 1970; null if unknown. */
  firstSeen: number | null;
  lastSeen: number | null;
  contacts: StoredContact[];
  birthPlace?: number | null;
  gender?: Gender | null;
  identifiers?: StoredIdentifier[];
  /** Values behind the fingerprints; present only if whole records are kept. */
  whole?: FullRecordValues;
}

/** Values of a record that are stored only if whole records are kept. */
export interface FullRecordValues {
  contacts: Contact[];
  /** Identifiers in the normalised spelling of the fingerprints. `written` is the original spelling, if it differs. */
  identifiers: { type: string; country: string; value: string; written?: string }[];
  birthPlace: string | null;
  birthPlaceWritten?: string | undefined;
}

export type Gender = 'female' | 'male' | 'other';

/** Number assigned to the person, such as a passport, licence or customer number. */
export interface StoredIdentifier {
  type: number;
  value: number;
  /** True if a person has only one number of this type, so that two numbers mean two people; `at a time` if it can be renewed. */
  once: boolean | 'at a time';
}

export interface StoredContact {
  kind: ContactKind;
  /** Type and fingerprint of each look-up key; the exact key first. */
  keys: [LookupKeyType, number][];
  /** Fingerprints of the part that must agree exactly, and of the letter pairs (sorted); null without a signature. */
  signature: { exactPart: number; grams: number[] } | null;
  /** Fingerprints of the postcode and of the city, for linking only. */
  places: number[];
  /** Fingerprint among `places` that is a postcode of one street or building. */
  postcode?: number;
  /** Fingerprint of the flat, if the address names one. */
  unit?: number;
}

/** Stored record with its row and its identity number after the last linking; the number is null if the record is not linked yet. */
export interface RecordRow extends StoredRecord {
  /** Positive integer, in the order of import. */
  row: number;
  /** Record fingerprint in hexadecimal. It sorts records independently of the order of import. */
  key: string;
  identity: number | null;
}

/**
 * Returns the keyed fingerprint of a text, as a safe integer. The type distinguishes equal texts of different kinds: `birth` is a date with a
 * name or an initial, `place` a place with or without a name.
 */
export type FingerprintFunction = (type: 'name' | 'birth' | 'place' | 'label', text: string) => number;
