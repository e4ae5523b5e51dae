import type { Contact, ContactKind, LookupKeyType } from '../model.ts';

/** A record as a graph keeps it: what can be read back and, of contacts, fingerprints only. */
export interface StoredRecord {
  recordId: string;
  source: string;
  names: string[];
  birthDate: string | null;
  /** The operator's own word on who this is: records with one label are one person. */
  label: string | null;
  /** What the source says of it, where a person has judged otherwise; see judging.ts in graph. */
  said?: string | null;
  /** Milliseconds since 1970. */
  firstSeen: number | null;
  lastSeen: number | null;
  contacts: StoredContact[];
  /** Fingerprint of where the person was born. */
  birthPlace?: number | null;
  gender?: Gender | null;
  identifiers?: StoredIdentifier[];
  /** What stands behind the fingerprints, where whole records are kept. */
  whole?: WholeRecord;
}

/** What is not kept of a record where only fingerprints are, as it was read. */
export interface WholeRecord {
  contacts: Contact[];
  /** In one spelling, by which fingerprints are made; `written` is the number as it was read where that is another. */
  identifiers: { type: string; country: string; value: string; written?: string }[];
  birthPlace: string | null;
  birthPlaceWritten?: string | undefined;
}

export type Gender = 'female' | 'male' | 'other';

/** A number that somebody gave to the person: a passport's, a licence's, a customer's. */
export interface StoredIdentifier {
  /** Fingerprint of its type and country. */
  type: number;
  /** Fingerprint of type, country and number. */
  value: number;
  /** People have one of its type: two numbers are hardly one person's. One at a time: it may have been renewed. */
  once: boolean | 'at a time';
}

export interface StoredContact {
  kind: ContactKind;
  /** Type and fingerprint of each key; the exact one first. */
  keys: [LookupKeyType, number][];
  /** Fingerprint of the exact part, and of the letter pairs, sorted. */
  signature: { exactPart: number; grams: number[] } | null;
  /** Fingerprints of the zip and of the city, for linking only. */
  places: number[];
  /** The one of the places that is a postcode which means a street or a building. */
  postcode?: number;
  /** Fingerprint of the flat in the house, where the address names one. */
  unit?: number;
}

/** A stored record with its place in the graph and the identity it had after the last linking. */
export interface RecordRow extends StoredRecord {
  /** Positive integer, in the order of import. */
  row: number;
  /** Hex of the record's own fingerprint: the order that does not depend on the order of import. */
  key: string;
  identity: number | null;
}

/**
 * Keyed fingerprint of a text, as a safe integer. The type keeps things of two sorts apart whose texts are alike: `birth` is a date
 * with a name or an initial, `place` a place with or without a name.
 */
export type Fingerprint = (type: 'name' | 'birth' | 'place' | 'label', text: string) => number;
