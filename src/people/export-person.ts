// Export of all data that a graph stores about a person, to be handed to that person.
import { notFoundError } from '../errors.ts';
import type { RecordGraph } from '../graph/graph.ts';
import type { ManualLink, StoredManualLink } from '../graph/capabilities.ts';
import type { RecordRow, StoredContact, FullRecordValues } from '../link/stored-record.ts';
import type { Address } from '../model.ts';

/** Stored data of one person, for programs and people. Times are in ISO 8601. It contains no data of other people. */
export interface PersonExport {
  identity: number;
  names: string[];
  first_seen: string | null;
  last_seen: string | null;
  records: ExportedRecord[];
  judgements: ExportedManualLink[];
  /** Sentences for the reader that explain the numbers in `fingerprints`. */
  about: string[];
}

/** Manual link of the person's records. The author and the other records are left out: they are other people's data. */
export interface ExportedManualLink {
  /** `split`: these records are a different person than other records; `join`: they are one person with other records. */
  kind: ManualLink['kind'];
  time: string;
  why: string;
  undone: string | null;
  /** Positions of the affected records in `records`, starting at 1. */
  records: number[];
}

export interface ExportedRecord {
  source: string;
  record_id: string;
  names: string[];
  birth_date: string | null;
  gender: string | null;
  /** Identity label set by the operator. */
  identity_label: string | null;
  first_seen: string | null;
  last_seen: string | null;
  /** Number of values stored as keyed fingerprints, from which the value cannot be read back. */
  fingerprints: Record<'emails' | 'phones' | 'addresses' | 'identifiers' | 'birth_places', number>;
  /** Stored values, if whole records are kept; null if only fingerprints are kept. */
  whole: ExportedValues | null;
}

export interface ExportedValues {
  emails: string[];
  phones: string[];
  addresses: Address[];
  identifiers: { type: string; country: string; value: string }[];
  birth_place: string | null;
}

const NAMES_KEPT = 'Names, dates, record ids and labels are kept encrypted.';
const FINGERPRINTS_KEPT =
  'E-mails, phones, addresses, birth places and identifiers are kept as keyed fingerprints: whether a given value is among them can be told, the value cannot be read back from them.';
const WHOLE_KEPT =
  'E-mails, phones, addresses, birth places and identifiers are kept encrypted too, as they were read (whole), and as keyed fingerprints.';
const SOME_KEPT = `${FINGERPRINTS_KEPT} Of records with "whole" they are kept encrypted besides, as they were read.`;
const ABOUT = [
  'Bonafide compares submitted values with these records and says how far they belong together. It decides nothing about anybody.',
];

/** Returns all data that the graph stores about an identity. Errors: `not_found`, those of the graph. */
export async function exportPerson(graph: RecordGraph, identityNumber: number): Promise<PersonExport> {
  const { records, linking } = graph;
  const linkedPerson = await linking.getIdentity(identityNumber);
  if (!linkedPerson) throw notFoundError(`There is no identity ${identityNumber} in the graph.`, 'identity');
  const rows = await records.listByIdentity(linkedPerson.id);
  return {
    identity: linkedPerson.id,
    names: linkedPerson.names,
    first_seen: day(linkedPerson.firstSeen),
    last_seen: day(linkedPerson.lastSeen),
    records: rows.map(recordOf),
    judgements: judgementsOf(rows, await graph.manualLinks.list()),
    about: [`${NAMES_KEPT} ${valuesKept(rows)}`, ...ABOUT],
  };
}

function judgementsOf(rows: RecordRow[], all: StoredManualLink[]): ExportedManualLink[] {
  return all.flatMap(({ kind, time, why, undone, groups }) => {
    const named = new Set(groups.flat());
    const records = rows.flatMap(({ key }, i) => (named.has(key) ? [i + 1] : []));
    return records.length === 0
      ? []
      : [{ kind, time: new Date(time).toISOString(), why, undone: day(undone), records }];
  });
}

function valuesKept(rows: RecordRow[]): string {
  if (rows.every(({ whole }) => whole)) return WHOLE_KEPT;
  return rows.some(({ whole }) => whole) ? SOME_KEPT : FINGERPRINTS_KEPT;
}

function recordOf(row: RecordRow): ExportedRecord {
  const count = (kind: StoredContact['kind']) => row.contacts.filter((one) => one.kind === kind).length;
  return {
    source: row.source,
    record_id: row.recordId,
    names: row.names,
    birth_date: row.birthDate,
    gender: row.gender ?? null,
    identity_label: row.said === undefined ? row.label : row.said,
    first_seen: day(row.firstSeen),
    last_seen: day(row.lastSeen),
    fingerprints: {
      emails: count('email'),
      phones: count('phone'),
      addresses: count('address'),
      identifiers: row.identifiers?.length ?? 0,
      birth_places: typeof row.birthPlace === 'number' ? 1 : 0,
    },
    whole: row.whole ? valuesOf(row.whole) : null,
  };
}

function valuesOf({
  contacts,
  identifiers,
  birthPlace,
  birthPlaceWritten,
}: FullRecordValues): ExportedValues {
  const texts = (kind: 'email' | 'phone') =>
    contacts.flatMap((one) => (one.kind === kind ? [one.input] : []));
  return {
    emails: texts('email'),
    phones: texts('phone'),
    addresses: contacts.flatMap((one) => (one.kind === 'address' ? [one.input] : [])),
    identifiers: identifiers.map(({ type, country, value, written = value }) => ({
      type,
      country,
      value: written,
    })),
    birth_place: birthPlaceWritten ?? birthPlace,
  };
}

const day = (time: number | null) => (time === null ? null : new Date(time).toISOString());
