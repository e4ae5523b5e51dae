import { nameKeys, nameParts, prepareName, type PreparedName } from '../../match/name/index.ts';
import type { RecordRow } from '../sqlite/records.ts';
import type { Vault } from '../vault.ts';

/** A record made ready for comparing: names prepared, and the keys under which it meets other records. */
export interface LinkRecord extends RecordRow {
  prepared: PreparedName[];
  /** The words of each prepared name, for telling the members of a household apart. */
  words(): NameWords[];
  suffix: string;
  /** Fingerprints of the keys of its first name, the exact one first. */
  nameKeys: number[];
  /** Sorted, without duplicates. */
  blocks: number[];
}

export interface NameWords {
  /** The given name, where it is more than an initial. */
  given: PreparedName | null;
  /** Every word that is more than an initial. */
  words: PreparedName[];
}

export function linkRecord(record: RecordRow, vault: Vault): LinkRecord {
  const prepared = record.names.map(prepareName);
  let words: NameWords[] | undefined;
  const texts = [...new Set(prepared.flatMap(nameKeys))];
  const first = prepared[0] ? nameKeys(prepared[0]) : [];
  return {
    ...record,
    prepared,
    // Worked out when first asked for: most records are told apart or joined without.
    words: () => (words ??= prepared.map(nameWords)),
    suffix: prepared.map((name) => nameParts(name).suffix).find(Boolean) ?? '',
    nameKeys: first.map((text) => vault.key('name', text)),
    blocks: blockKeys({ record, prepared, nameTexts: texts, vault }),
  };
}

function nameWords(name: PreparedName): NameWords {
  const { given, middle, family } = nameParts(name);
  const full = (word: string | undefined) => word !== undefined && word.length > 1;
  return {
    given: full(given[0]) ? prepareName(given[0]) : null,
    words: [...given, ...middle, ...family].filter(full).map(prepareName),
  };
}

/**
 * Two records are compared when they share one of these: a form of a contact, the name together with a place or a birth date, or a
 * birth date together with an initial. Nothing else is ever compared.
 */
function blockKeys(from: {
  record: RecordRow;
  prepared: PreparedName[];
  nameTexts: string[];
  vault: Vault;
}): number[] {
  const { record, prepared, nameTexts, vault } = from;
  const keys = new Set<number>();
  const places = new Set<number>();
  for (const contact of record.contacts) {
    for (const [, key] of contact.keys) keys.add(key);
    for (const place of contact.places) places.add(place);
  }
  for (const name of nameTexts) {
    for (const place of places) keys.add(vault.key('place', `${name}|${place}`));
    if (record.birthDate) keys.add(vault.key('birth', `${record.birthDate}|${name}`));
  }
  if (record.birthDate) {
    const initials = new Set(prepared.flatMap((name) => words(name).map((word) => word[0])));
    for (const initial of initials) keys.add(vault.key('birth', `${record.birthDate}|${initial}`));
  }
  return [...keys].sort((a, b) => a - b);
}

function words(name: PreparedName): string[] {
  const { given, family } = nameParts(name);
  return [...given, ...family].filter((word) => word.length > 0);
}

/** Records with this in common count as one name among those who share a value: Bob and Robert are not two people. */
export function personKey(record: LinkRecord): number {
  return record.nameKeys[1] ?? record.nameKeys[0] ?? 0;
}
