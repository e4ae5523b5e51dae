import { nameKeys, nameParts, prepareName, type PreparedName } from '../names/index.ts';
import type { Fingerprint, RecordRow } from './stored.ts';

/** A record made ready for comparing. */
export interface LinkRecord extends RecordRow {
  prepared: PreparedName[];
  /** The words of each prepared name, for telling the members of a household apart. */
  words(): NameWords[];
  suffix: string;
  /** Fingerprints of the keys of its first name, the exact one first. */
  nameKeys: number[];
  /** Fingerprint of the exact first name with the birth date; null where one of the two is missing. */
  nameAndBirth: number | null;
}

export interface NameWords {
  /** The given name, where it is more than an initial. */
  given: PreparedName | null;
  /** Every word that is more than an initial. */
  words: PreparedName[];
}

export function linkRecord(record: RecordRow, fingerprint: Fingerprint): LinkRecord {
  const prepared = record.names.map(prepareName);
  let words: NameWords[] | undefined;
  const first = prepared[0] ? nameKeys(prepared[0]) : [];
  return {
    ...record,
    prepared,
    // Worked out when first asked for: most records are told apart or joined without.
    words: () => (words ??= prepared.map(nameWords)),
    suffix: prepared.map((name) => nameParts(name).suffix).find(Boolean) ?? '',
    nameKeys: first.map((text) => fingerprint('name', text)),
    nameAndBirth:
      first[0] && record.birthDate ? fingerprint('birth', `${record.birthDate}|${first[0]}`) : null,
  };
}

function nameWords(name: PreparedName): NameWords {
  const { given, middle, family } = nameParts(name);
  const full = (word: string | undefined) => word !== undefined && word.length > 1;
  const [first] = given;
  return {
    given: first !== undefined && full(first) ? prepareName(first) : null,
    words: [...given, ...middle, ...family].filter(full).map(prepareName),
  };
}

/** Records with this in common count as one name among those who share a value: Bob and Robert are not two people. */
export function personKey(record: LinkRecord): number {
  return record.nameKeys[1] ?? record.nameKeys[0] ?? 0;
}

/** Fingerprint of where a record with name and birth date is at home: the exact part of its first address; else 0. */
export function homeOf(record: LinkRecord): number {
  const address = record.contacts.find(({ kind }) => kind === 'address');
  if (record.nameAndBirth === null || !address) return 0;
  return address.signature?.exactPart ?? address.keys[0]?.[1] ?? 0;
}
