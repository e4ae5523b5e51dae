import { hash } from 'node:crypto';
import { combineFingerprints } from './fingerprints.ts';
import {
  computeNameFingerprints,
  getNamesForLinking,
  type NamesForLinking,
  type NameFingerprints,
} from './link-name.ts';
import type { FingerprintFunction, RecordRow, StoredRecord } from './stored-record.ts';

export interface LinkableRecord extends RecordPartsForLinking {
  row: number;
  linkNames: NamesForLinking;
}

/** Parts of a stored record that linking and publishing need. */
export interface RecordPartsForLinking extends Required<Omit<StoredRecord, 'said' | 'whole' | 'recordId'>> {
  /** Number that decides the order of records that are otherwise equal; see `orderOf`. */
  order: number;
  nameFingerprints: NameFingerprints[];
  /** Fingerprints of the look-up keys of the first listed name. The exact key is first. */
  nameKeys: number[];
  /** Fingerprint of the first listed name, exactly as written, with the birth date. Null if one of them is missing. */
  nameAndBirth: number | null;
}

/** Prepares a stored record for comparisons. @param getNames prepares the names; by default with caches */
export function toLinkableRecord(
  record: RecordRow,
  fingerprint: FingerprintFunction,
  getNames: (texts: readonly string[]) => NamesForLinking = getNamesForLinking,
): LinkableRecord {
  const linkNames = getNames(record.names);
  const nameFingerprints = linkNames.named.map((name) => computeNameFingerprints(name, fingerprint));
  const known = {
    source: record.source,
    names: record.names,
    birthDate: record.birthDate,
    label: record.label,
    firstSeen: record.firstSeen,
    lastSeen: record.lastSeen,
    contacts: record.contacts,
    birthPlace: record.birthPlace ?? null,
    gender: record.gender ?? null,
    identifiers: record.identifiers ?? [],
    order: orderOf(record),
    nameFingerprints,
    nameKeys: nameFingerprints[0]?.keys ?? [],
  };
  const [exact] = known.nameKeys;
  const { birthDate } = record;
  const nameAndBirth =
    exact !== undefined && birthDate ? combineFingerprints(fingerprint('birth', birthDate), exact) : null;
  return { ...known, nameAndBirth, row: record.row, linkNames };
}

export function createLinkableRecordFromParts(row: number, known: RecordPartsForLinking): LinkableRecord {
  return { ...known, row, linkNames: getNamesForLinking(known.names) };
}

/** Computes a sort number that depends neither on the order of import nor on the secret: 52 bits of an unkeyed hash of source and record id. */
function orderOf({ source, recordId }: Pick<RecordRow, 'source' | 'recordId'>): number {
  return Number.parseInt(hash('sha256', `${source}\0${recordId}`).slice(0, 13), 16);
}

/**
 * Returns a key for the person's name. Records with an equal contact and an equal key count as one person. Nicknames have the key of the
 * full name: Bob and Robert are one.
 */
export function getPersonNameKey(record: Pick<RecordPartsForLinking, 'nameKeys'>): number {
  return record.nameKeys[1] ?? record.nameKeys[0] ?? 0;
}
