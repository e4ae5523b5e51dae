import { hash } from 'node:crypto';
import { nameKeys, nameParts, prepareName, type PreparedName } from '../names/index.ts';
import type { Fingerprint, RecordRow } from './stored.ts';

/** A record made ready for comparing. */
export interface LinkRecord extends Required<RecordRow> {
  /** What decides between equals; see `orderOf`. */
  order: number;
  prepared: PreparedName[];
  /** The words of each prepared name, for telling the members of a household apart. */
  words(): NameWords[];
  /** `jr`, `sr`, `iii` …; empty where no name tells. */
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
    birthPlace: record.birthPlace ?? null,
    gender: record.gender ?? null,
    identifiers: record.identifiers ?? [],
    order: orderOf(record),
    prepared,
    // Worked out when first asked for: most records are told apart or joined without.
    words: () => (words ??= prepared.map(nameWords)),
    suffix: prepared.map(suffixOf).find(Boolean) ?? '',
    nameKeys: first.map((text) => fingerprint('name', text)),
    nameAndBirth:
      first[0] && record.birthDate ? fingerprint('birth', `${record.birthDate}|${first[0]}`) : null,
  };
}

/**
 * A place among all records that neither the order of import nor the secret has a part in: 52 bits of an unkeyed digest of source and
 * record id.
 */
function orderOf({ source, recordId }: RecordRow): number {
  return Number.parseInt(hash('sha256', `${source}\0${recordId}`).slice(0, 13), 16);
}

/** Spellings of one generation. */
const GENERATIONS: Record<string, string> = { i: 'sr', ii: 'jr', '1st': 'sr', '2nd': 'jr', '3rd': 'iii' };
/** The first of a name: to the name engine a lone I is an initial. */
const THE_FIRST = /\p{L}{2}[ ,]+I\.?$/u;

function suffixOf(name: PreparedName): string {
  const { suffix } = nameParts(name);
  if (suffix === '' && THE_FIRST.test(name.text)) return 'sr';
  return GENERATIONS[suffix] ?? suffix;
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
