// From the records of one identity to what is published of it: shared by engines.
import type { StoredContact, StoredRecord } from '../../link/stored.ts';
import type { LookupKey } from '../../model.ts';
import { named } from '../../link/named.ts';
import { givenNameKey } from '../../names/index.ts';
import type { Fingerprints } from '../encryption/fingerprints.ts';
import type { KnownSignature } from './reader.ts';

/** An identity as it is published: what its records say, gathered. */
export interface Gathered {
  firstSeen: number | null;
  lastSeen: number | null;
  records: number;
  sources: number;
  /** As spelled, the primary first; at most `NAMES`. */
  names: string[];
  /** Fingerprint of each key, and whether it belongs to the primary value of its kind. */
  postings: Map<number, boolean>;
  /** At most `SIGNATURES`. */
  signatures: KnownSignature[];
}

/** Looked up like a key of a name: identities whose records carry no name. */
export const NAMELESS: LookupKey = { type: 'name', text: '' };

const NAMES = 8;
const SIGNATURES = 16;
const KINDS = ['email', 'phone', 'address'] as const;

/** @param records of one identity, in the order of import */
export function gather(records: Told[], fingerprints: Pick<Fingerprints, 'of'>): Gathered {
  const names = ranked(records, (record) => record.names.map((name) => [exactName(name), name] as const));
  const contacts = KINDS.flatMap((kind) =>
    ranked(records, (record) => contactsOf(record, kind)).map((contact, i) => ({
      contact,
      primary: i === 0,
    })),
  );
  const postings = namePostings(names, fingerprints);
  for (const { contact, primary } of contacts)
    for (const [, key] of contact.keys) postings.set(key, primary || (postings.get(key) ?? false));
  return {
    ...spanOf(records),
    records: records.length,
    sources: new Set(records.map((record) => record.source)).size,
    names: names.slice(0, NAMES),
    postings,
    signatures: contacts.flatMap(({ contact }) => signatureOf(contact)).slice(0, SIGNATURES),
  };
}

function spanOf(records: Told[]): Pick<Gathered, 'firstSeen' | 'lastSeen'> {
  let [first, last] = [Infinity, -Infinity];
  for (const { firstSeen, lastSeen } of records)
    for (const time of [firstSeen, lastSeen]) {
      if (time === null) continue;
      first = Math.min(first, time);
      last = Math.max(last, time);
    }
  return first > last ? { firstSeen: null, lastSeen: null } : { firstSeen: first, lastSeen: last };
}

/** @param names the primary first */
function namePostings(names: string[], fingerprints: Pick<Fingerprints, 'of'>): Map<number, boolean> {
  const postings = new Map<number, boolean>();
  for (const [i, text] of names.entries()) {
    const { name, keys } = named(text);
    for (const key of [...keys, givenNameKey(name)]) {
      if (key === null) continue;
      const fingerprint = fingerprints.of('name', key);
      postings.set(fingerprint, i === 0 || (postings.get(fingerprint) ?? false));
    }
  }
  if (names.length === 0) postings.set(fingerprints.of(NAMELESS.type, NAMELESS.text), false);
  return postings;
}

function signatureOf({ kind, signature }: StoredContact): KnownSignature[] {
  return signature && kind !== 'phone' ? [{ kind, ...signature }] : [];
}

/** Spellings that prepare to the same exact key are one name. */
function exactName(name: string): string {
  return named(name).keys[0] ?? name;
}

/** Values with one exact key are one value. */
function contactsOf(record: Told, kind: StoredContact['kind']): (readonly [string, StoredContact])[] {
  return record.contacts.flatMap((contact) => {
    const [exact] = contact.keys;
    return contact.kind === kind && exact ? [[String(exact[1]), contact] as const] : [];
  });
}

/** What is published of a record. */
export type Told = Pick<StoredRecord, 'source' | 'names' | 'contacts' | 'firstSeen' | 'lastSeen'>;

/** One value of an identity, as its records attest it. */
interface Attested<T> {
  value: T;
  records: number;
  lastSeen: number;
}

/**
 * The different values of an identity's records, the primary first: the one that most records attest, then the one seen last, then the
 * first listed.
 *
 * @param records in the order of import
 * @param list the values of one record, each with the text that it is known by
 */
function ranked<T>(records: Told[], list: (record: Told) => (readonly [string, T])[]): T[] {
  const found = new Map<string, Attested<T>>();
  for (const record of records)
    for (const [text, value] of new Map(list(record))) {
      const known = found.get(text) ?? { value, records: 0, lastSeen: -Infinity };
      known.records++;
      known.lastSeen = Math.max(known.lastSeen, record.lastSeen ?? -Infinity);
      found.set(text, known);
    }
  // Array.sort keeps the order of equals: first listed stays first.
  return [...found.values()].sort((a, b) => b.records - a.records || later(a, b)).map(({ value }) => value);
}

/** Not a subtraction: two values without a date would give NaN. */
function later(a: { lastSeen: number }, b: { lastSeen: number }): number {
  if (a.lastSeen === b.lastSeen) return 0;
  return b.lastSeen > a.lastSeen ? 1 : -1;
}
