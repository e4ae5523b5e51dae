import { nameKeys, nameParts, prepareName, type PreparedName } from '../../match/name/index.ts';
import type { RecordRow } from '../sqlite/records.ts';
import type { Vault } from '../vault.ts';

/** A record made ready for comparing: names prepared, and the keys under which it meets other records. */
export interface LinkRecord extends RecordRow {
  prepared: PreparedName[];
  suffix: string;
  /** Fingerprints of the keys of its first name, the exact one first. */
  nameKeys: number[];
  /** Sorted, without duplicates. */
  blocks: number[];
}

export function linkRecord(record: RecordRow, vault: Vault): LinkRecord {
  const prepared = record.names.map(prepareName);
  const texts = [...new Set(prepared.flatMap(nameKeys))];
  const first = prepared[0] ? nameKeys(prepared[0]) : [];
  return {
    ...record,
    prepared,
    suffix: prepared.map((name) => nameParts(name).suffix).find(Boolean) ?? '',
    nameKeys: first.map((text) => vault.key('name', text)),
    blocks: blockKeys({ record, prepared, nameTexts: texts, vault }),
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
