// Computes an identity's published data (the data that check calls read) from its records, for all engines.
import type { StoredContact, StoredRecord } from '../../link/stored-record.ts';
import type { LookupKey } from '../../model.ts';
import { computeNameFingerprints, getNameForLinking, type NameFingerprints } from '../../link/link-name.ts';
import type { FingerprintFunctions } from '../encryption/fingerprints.ts';
import { toBirthDateHashes } from './birth-dates.ts';
import { computeContactAges } from './contact-ages.ts';
import type { BirthDateHashes, StoredTypoSearchData } from './reader.ts';

export interface IdentityForPublishing {
  firstSeen: number | null;
  lastSeen: number | null;
  records: number;
  sources: number;
  /** Names in the spelling of the records, the primary name first; at most 8. */
  names: string[];
  /** Fingerprints of all look-up keys of the identity; true if the key is that of a primary value. */
  postings: Map<number, boolean>;
  /** Data for finding the identity's contacts with a typing error; for at most 16 contacts. */
  signatures: StoredTypoSearchData[];
  /** Hashes of the birth dates on record; empty if there are none. */
  births: BirthDateHashes[];
  /** Ages of old contacts; see contact-ages.ts. */
  contactAges: string;
}

/** Look-up key of all identities whose records have no name. */
export const NAMELESS_LOOKUP_KEY: LookupKey = { type: 'name', text: '' };

const MAX_NAMES = 8;
const MAX_SIGNATURES = 16;
const KINDS = ['email', 'phone', 'address'] as const;

export type RecordFieldsForPublishing = Pick<
  StoredRecord,
  'source' | 'names' | 'birthDate' | 'contacts' | 'firstSeen' | 'lastSeen'
> & {
  /** Fingerprints of the names, if they were computed before. */
  nameFingerprints?: NameFingerprints[];
};

interface PublishedName extends NameFingerprints {
  text: string;
}

/**
 * Computes what is published (written to the tables that checks read) about one identity.
 * @param records all records of the identity, in the order of import
 */
export function computeIdentityForPublishing(
  records: RecordFieldsForPublishing[],
  fingerprints: Pick<FingerprintFunctions, 'of'>,
): IdentityForPublishing {
  const names = rankNames(records, fingerprints);
  const postings = namePostings(names, fingerprints);
  const signatures: StoredTypoSearchData[] = [];
  for (const kind of KINDS) {
    const contacts = rankValues<RecordFieldsForPublishing, StoredContact>(records, (record, add) =>
      addContactsOfKind(record, kind, add),
    );
    for (const [i, contact] of contacts.entries()) {
      for (const entry of contact.keys) addPosting(postings, entry[1], i === 0);
      const { signature } = contact;
      if (signature && kind !== 'phone' && signatures.length < MAX_SIGNATURES)
        signatures.push({ kind, ...signature });
    }
  }
  const span = dateSpan(records);
  return {
    ...span,
    records: records.length,
    sources: new Set(records.map((record) => record.source)).size,
    names: names.slice(0, MAX_NAMES).map(({ text }) => text),
    postings,
    signatures,
    births: toBirthDateHashes(records, fingerprints),
    contactAges: computeContactAges(records, span.lastSeen),
  };
}

function dateSpan(
  records: RecordFieldsForPublishing[],
): Pick<IdentityForPublishing, 'firstSeen' | 'lastSeen'> {
  let [first, last] = [Infinity, -Infinity];
  for (const { firstSeen, lastSeen } of records) {
    first = Math.min(first, firstSeen ?? Infinity, lastSeen ?? Infinity);
    last = Math.max(last, firstSeen ?? -Infinity, lastSeen ?? -Infinity);
  }
  return first > last ? { firstSeen: null, lastSeen: null } : { firstSeen: first, lastSeen: last };
}

/**
 * Returns the fingerprints of the look-up keys of all names of an identity; true for those of its primary name.
 * @param names names of the identity, the primary name first
 */
function namePostings(
  names: PublishedName[],
  fingerprints: Pick<FingerprintFunctions, 'of'>,
): Map<number, boolean> {
  const postings = new Map<number, boolean>();
  for (const [i, { keys, givenKey }] of names.entries()) {
    for (const key of keys) addPosting(postings, key, i === 0);
    if (givenKey !== null) addPosting(postings, givenKey, i === 0);
  }
  if (names.length === 0)
    postings.set(fingerprints.of(NAMELESS_LOOKUP_KEY.type, NAMELESS_LOOKUP_KEY.text), false);
  return postings;
}

function addPosting(postings: Map<number, boolean>, key: number, primary: boolean): void {
  if (primary || !postings.has(key)) postings.set(key, primary);
}

/**
 * Returns the different names of an identity's records, the primary name first. Keeps forms that differ only in middle names or suffix, because each
 * of them is compared with a submitted name.
 */
function rankNames(
  records: RecordFieldsForPublishing[],
  { of }: Pick<FingerprintFunctions, 'of'>,
): PublishedName[] {
  const named = records.map((record) => ({
    firstSeen: record.firstSeen,
    lastSeen: record.lastSeen,
    names: listPublishedNames(record, of),
  }));
  // Spellings with the same exact look-up key are one name. A text without look-up keys is a name of its own.
  const rankNamesBy = (keyOf: (name: PublishedName) => string | number) =>
    rankValues<(typeof named)[number], PublishedName>(named, (record, add) => {
      for (const name of record.names) add(keyOf(name), name);
    });
  const names = rankNamesBy(({ keys, text }) => keys[0] ?? text);
  const forms = rankNamesBy(({ form }) => form);
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

/** Calls `add` for each contact of one kind in a record, with its first look-up key, the exact one. */
function addContactsOfKind(
  { contacts }: RecordFieldsForPublishing,
  kind: StoredContact['kind'],
  add: (key: number, contact: StoredContact) => void,
): void {
  for (const contact of contacts) {
    const exact = contact.keys[0];
    if (contact.kind === kind && exact) add(exact[1], contact);
  }
}

/**
 * Returns the different values of an identity's records, the primary value first: the one in most records, or of several the one seen last. A record
 * with a first date only counts as current. One without any date is after those with dates.
 * @param records records in the order of import
 * @param addValues adds the values of one record, each with a text or number that is the same for equal values
 */
function rankValues<R extends Pick<StoredRecord, 'firstSeen' | 'lastSeen'>, T>(
  records: R[],
  addValues: (record: R, add: (key: string | number, value: T) => void) => void,
): T[] {
  interface RankedValue {
    value: T;
    records: number;
    lastSeen: number;
    /** Last record (in the order of import) that has the value. By it, a record that has the value twice is counted once in `records`. */
    latest: R;
  }
  const ranked = new Map<string | number, RankedValue>();
  for (const record of records)
    addValues(record, (key, value) => {
      const seen = record.lastSeen ?? (record.firstSeen === null ? -Infinity : Infinity);
      const entry = ranked.get(key);
      if (!entry) ranked.set(key, { value, records: 1, lastSeen: seen, latest: record });
      else if (entry.latest !== record) {
        entry.records++;
        entry.lastSeen = Math.max(entry.lastSeen, seen);
        entry.latest = record;
      } else if (entry.records === 1) entry.value = value;
    });
  // The sort is stable: equal values stay in order of import.
  return [...ranked.values()]
    .sort((a, b) => b.records - a.records || compareDescending(a.lastSeen, b.lastSeen))
    .map(({ value }) => value);
}

/** Comparator for a descending sort. A subtraction would give NaN for two infinite numbers. */
const compareDescending = (a: number, b: number) => (a === b ? 0 : b > a ? 1 : -1);
