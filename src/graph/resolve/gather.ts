// Computes an identity's published data (the data that check calls read) from its records, for all engines.
import type { StoredContact, StoredRecord } from '../../link/stored-record.ts';
import type { LookupKey } from '../../model.ts';
import { computeNameFingerprints, getNameForLinking, type NameFingerprints } from '../../link/link-name.ts';
import type { FingerprintFunctions } from '../encryption/fingerprints.ts';
import { toBirthDateHashes } from './birth-dates.ts';
import type { BirthDateHashes, StoredTypoSearchData } from './reader.ts';

export interface IdentityForPublishing {
  firstSeen: number | null;
  lastSeen: number | null;
  records: number;
  sources: number;
  /** Names as the records spell them, primary name first; at most 8. */
  names: string[];
  /** Fingerprints of all look-up keys of the identity; true if the look-up key belongs to the primary value of its kind. */
  postings: Map<number, boolean>;
  /** Typo signatures of contacts; at most 16. */
  signatures: StoredTypoSearchData[];
  /** Hashes of birth dates; empty if no record has one. */
  births: BirthDateHashes[];
}

/** Look-up key of identities whose records have no name. */
export const NAMELESS_LOOKUP_KEY: LookupKey = { type: 'name', text: '' };

const MAX_NAMES = 8;
const MAX_SIGNATURES = 16;
const KINDS = ['email', 'phone', 'address'] as const;

export type RecordFieldsForPublishing = Pick<
  StoredRecord,
  'source' | 'names' | 'birthDate' | 'contacts' | 'firstSeen' | 'lastSeen'
> & {
  /** Fingerprints of the names, if they are already known. */
  nameFingerprints?: NameFingerprints[];
};

interface PublishedName extends NameFingerprints {
  text: string;
}

/**
 * Computes the published data of one identity.
 *
 * @param records records of the identity, in the order of import
 */
export function computeIdentityForPublishing(
  records: RecordFieldsForPublishing[],
  fingerprints: Pick<FingerprintFunctions, 'of'>,
): IdentityForPublishing {
  const names = rankNames(records, fingerprints);
  const contacts = KINDS.flatMap((kind) =>
    rankValues(records, (record) => contactsOfKind(record, kind)).map((contact, i) => ({
      contact,
      primary: i === 0,
    })),
  );
  const postings = namePostings(names, fingerprints);
  for (const { contact, primary } of contacts)
    for (const [, key] of contact.keys) postings.set(key, primary || (postings.get(key) ?? false));
  return {
    ...dateSpan(records),
    records: records.length,
    sources: new Set(records.map((record) => record.source)).size,
    names: names.slice(0, MAX_NAMES).map(({ text }) => text),
    postings,
    signatures: contacts.flatMap(({ contact }) => signatureOf(contact)).slice(0, MAX_SIGNATURES),
    births: toBirthDateHashes(records, fingerprints),
  };
}

function dateSpan(
  records: RecordFieldsForPublishing[],
): Pick<IdentityForPublishing, 'firstSeen' | 'lastSeen'> {
  let [first, last] = [Infinity, -Infinity];
  for (const { firstSeen, lastSeen } of records)
    for (const time of [firstSeen, lastSeen]) {
      if (time === null) continue;
      first = Math.min(first, time);
      last = Math.max(last, time);
    }
  return first > last ? { firstSeen: null, lastSeen: null } : { firstSeen: first, lastSeen: last };
}

/**
 * Returns the fingerprints of the look-up keys of an identity's names; true for look-up keys of its primary name.
 *
 * @param names names of the identity, primary name first
 */
function namePostings(
  names: PublishedName[],
  fingerprints: Pick<FingerprintFunctions, 'of'>,
): Map<number, boolean> {
  const postings = new Map<number, boolean>();
  for (const [i, { keys, givenKey }] of names.entries()) {
    for (const key of keys) postings.set(key, i === 0 || (postings.get(key) ?? false));
    if (givenKey !== null) postings.set(givenKey, i === 0 || (postings.get(givenKey) ?? false));
  }
  if (names.length === 0)
    postings.set(fingerprints.of(NAMELESS_LOOKUP_KEY.type, NAMELESS_LOOKUP_KEY.text), false);
  return postings;
}

function signatureOf({ kind, signature }: StoredContact): StoredTypoSearchData[] {
  return signature && kind !== 'phone' ? [{ kind, ...signature }] : [];
}

/**
 * Returns the different names of an identity's records, primary name first. Forms that differ in middle names or suffix are kept, because each form
 * is compared with a submitted name.
 */
function rankNames(
  records: RecordFieldsForPublishing[],
  { of }: Pick<FingerprintFunctions, 'of'>,
): PublishedName[] {
  const named = records.map((record) => ({
    lastSeen: record.lastSeen,
    names: listPublishedNames(record, of),
  }));
  // Spellings with the same exact look-up key are one name. A text without look-up keys is a name of its own.
  const names = rankValues(named, (record) =>
    record.names.map((name) => [name.keys[0] ?? name.text, name] as const),
  );
  const forms = rankValues(named, (record) => record.names.map((name) => [name.form, name] as const));
  const known = new Set(names.map(({ form }) => form));
  return [...names, ...forms.filter(({ form }) => !known.has(form))];
}

function listPublishedNames(
  { names, nameFingerprints }: RecordFieldsForPublishing,
  of: FingerprintFunctions['of'],
): PublishedName[] {
  return names.map((text, i) => ({
    text,
    ...(nameFingerprints?.[i] ?? computeNameFingerprints(getNameForLinking(text), of)),
  }));
}

/** Returns a record's contacts of one kind, each with its most exact look-up key. Contacts with the same exact look-up key are one value. */
function contactsOfKind(
  record: RecordFieldsForPublishing,
  kind: StoredContact['kind'],
): (readonly [number, StoredContact])[] {
  return record.contacts.flatMap((contact) => {
    const [exact] = contact.keys;
    return contact.kind === kind && exact ? [[exact[1], contact] as const] : [];
  });
}

/**
 * Returns the different values of an identity's records, the primary value first. The primary value is the one in most records; if several values are
 * in the same number of records, the one seen last.
 *
 * @param records records in the order of import
 * @param listValues returns the values of one record, each with a text or number that is the same for equal values
 */
function rankValues<R extends Pick<StoredRecord, 'lastSeen'>, T>(
  records: R[],
  listValues: (record: R) => (readonly [string | number, T])[],
): T[] {
  const ranked = new Map<string | number, { value: T; records: number; lastSeen: number }>();
  for (const record of records)
    for (const [key, value] of new Map(listValues(record))) {
      const entry = ranked.get(key) ?? { value, records: 0, lastSeen: -Infinity };
      entry.records++;
      entry.lastSeen = Math.max(entry.lastSeen, record.lastSeen ?? -Infinity);
      ranked.set(key, entry);
    }
  // The sort is stable: equal values stay in order of import.
  return [...ranked.values()]
    .sort((a, b) => b.records - a.records || compareDescending(a.lastSeen, b.lastSeen))
    .map(({ value }) => value);
}

/** Compares two numbers for a descending sort. A subtraction would give NaN for two infinite numbers. */
const compareDescending = (a: number, b: number) => (a === b ? 0 : b > a ? 1 : -1);
