// From the records of one identity to what is published of it: shared by engines.
import type { StoredContact } from '../../link/stored.ts';
import type { LookupKey } from '../../model.ts';
import { named } from '../../link/named.ts';
import { givenNameKey } from '../../names/index.ts';
import type { Fingerprints } from '../encryption/fingerprints.ts';
import type { KnownSignature } from '../resolve/reader.ts';
import { ranked, type Told } from './ranked.ts';

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
