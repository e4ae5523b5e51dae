// Everything that a graph holds on a person, to be given to that person.
import { notFoundError } from '../errors.ts';
import type { RecordGraph } from '../graph/graph.ts';
import type { ManualLink, StoredManualLink } from '../graph/capabilities.ts';
import type { RecordRow, StoredContact, WholeRecord } from '../link/stored-record.ts';
import type { Address } from '../model.ts';

/** What is held, for programs and people; times are ISO 8601. Nothing of anybody else is in it. */
export interface PersonExport {
  identity: number;
  names: string[];
  first_seen: string | null;
  last_seen: string | null;
  records: ExportedRecord[];
  judgements: ExportedManualLink[];
  /** What the numbers in `fingerprints` stand for, and what follows for the reader. */
  about: string[];
}

/** What a person judged about who these records are of. Who judged is somebody else, and so are the other records. */
export interface ExportedManualLink {
  /** `split`: these records are another person than others; `join`: they are one person with others. */
  kind: ManualLink['kind'];
  time: string;
  why: string;
  /** When it was taken back; null while it stands. */
  undone: string | null;
  /** Which of the records, in their order, counted from 1. */
  records: number[];
}

export interface ExportedRecord {
  source: string;
  record_id: string;
  names: string[];
  birth_date: string | null;
  gender: string | null;
  /** The operator's own word on who this is. */
  identity_label: string | null;
  first_seen: string | null;
  last_seen: string | null;
  /** How many values are held as keyed fingerprints, of which the value cannot be read back. */
  fingerprints: Record<'emails' | 'phones' | 'addresses' | 'identifiers' | 'birth_places', number>;
  /** The values themselves, where whole records are kept; null where only fingerprints are. */
  whole: ExportedValues | null;
}

/** As they were read. */
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

/** Errors: `not_found`, those of the graph. */
export async function exportPerson(graph: RecordGraph, asked: number): Promise<PersonExport> {
  const { records, linking } = graph;
  const found = await linking.getIdentity(asked);
  if (!found) throw notFoundError(`There is no identity ${asked} in the graph.`, 'identity');
  const rows = await records.listByIdentity(found.id);
  return {
    identity: found.id,
    names: found.names,
    first_seen: day(found.firstSeen),
    last_seen: day(found.lastSeen),
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

function valuesOf({ contacts, identifiers, birthPlace, birthPlaceWritten }: WholeRecord): ExportedValues {
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
