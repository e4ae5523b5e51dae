import { hash } from 'node:crypto';
import type { PreparedName } from '../names/index.ts';
import { together } from './keys.ts';
import { named, type Named, type NameWords } from './named.ts';
import type { Fingerprint, RecordRow } from './stored.ts';

/** A record made ready for comparing. */
export interface LinkRecord extends Required<Omit<RecordRow, 'said'>> {
  /** What decides between equals; see `orderOf`. */
  order: number;
  named: Named[];
  prepared: PreparedName[];
  /** The words of each name. */
  words(): NameWords[];
  /** `jr`, `sr`, `iii` …; empty where no name tells. */
  suffix: string;
  /** Fingerprints of the keys of its first name, the exact one first. */
  nameKeys: number[];
  /** Fingerprint of the exact first name with the birth date; null where one of the two is missing. */
  nameAndBirth: number | null;
}

export function linkRecord(record: RecordRow, fingerprint: Fingerprint): LinkRecord {
  const all = record.names.map(named);
  const nameKeys = (all[0]?.keys ?? []).map((text) => fingerprint('name', text));
  const [exact] = nameKeys;
  return {
    ...record,
    birthPlace: record.birthPlace ?? null,
    gender: record.gender ?? null,
    identifiers: record.identifiers ?? [],
    order: orderOf(record),
    named: all,
    prepared: all.map(({ name }) => name),
    words: () => all.map((name) => name.words()),
    suffix: all.find(({ suffix }) => suffix !== '')?.suffix ?? '',
    nameKeys,
    nameAndBirth:
      exact !== undefined && record.birthDate
        ? together(fingerprint('birth', record.birthDate), exact)
        : null,
  };
}

/**
 * A place among all records that neither the order of import nor the secret has a part in: 52 bits of an unkeyed digest of source and
 * record id.
 */
function orderOf({ source, recordId }: RecordRow): number {
  return Number.parseInt(hash('sha256', `${source}\0${recordId}`).slice(0, 13), 16);
}

/** Records with this in common count as one name among those who share a value: Bob and Robert are not two people. */
export function personKey(record: LinkRecord): number {
  return record.nameKeys[1] ?? record.nameKeys[0] ?? 0;
}
