// Export of all data that a graph stores about a person, to be handed to that person.
import { requireIdentity } from '../graph/inspect.ts';
import type { RecordStoringGraph } from '../graph/graph.ts';
import type { ManualLink, StoredManualLink } from '../graph/capabilities.ts';
import type { RecordRow, StoredContact, FullRecordValues } from '../link/stored-record.ts';
import type { Address } from '../model.ts';

/** All data that is stored about one person, without data of other people. Times are ISO 8601. */
export interface PersonExport {
  identity: number;
  names: string[];
  first_seen: string | null;
  last_seen: string | null;
  records: ExportedRecord[];
  judgements: ExportedManualLink[];
  /** Sentences that explain the numbers in `fingerprints`. */
  about: string[];
}

/** Manual link of the person's records. Its author and the records of other people are left out. */
interface ExportedManualLink {
  /** `join`: these records belong to one person. `split`: they belong to another person than some other records. */
  kind: ManualLink['kind'];
  time: string;
  why: string;
  undone: string | null;
  /** Positions of the person's linked records in the list `records`; 1 is the first. */
  records: number[];
}

interface ExportedRecord {
  source: string;
  record_id: string;
  names: string[];
  birth_date: string | null;
  gender: string | null;
  /** Label that an operator set for the identity; null if there is none. */
  identity_label: string | null;
  first_seen: string | null;
  last_seen: string | null;
  /** Number of values of each kind that are stored only as keyed fingerprints, from which they cannot be read. */
  fingerprints: Record<'emails' | 'phones' | 'addresses' | 'identifiers' | 'birth_places', number>;
  /** Stored values that can be read; null if the graph keeps only fingerprints. */
  whole: ExportedValues | null;
}

interface ExportedValues {
  emails: string[];
  phones: string[];
  addresses: Address[];
  identifiers: { type: string; country: string; value: string }[];
  birth_place: string | null;
}

const NAMES_KEPT = 'Names, dates, record ids and labels are kept encrypted.';
const FINGERPRINTS_KEPT =
  'E-mails, phones, addresses, birth places and identifiers are kept as keyed fingerprints. A given value can be compared with the fingerprints, but a value cannot be read back from them.';
const WHOLE_KEPT =
  'E-mails, phones, addresses, birth places and identifiers are kept encrypted too, as they were read (whole), and as keyed fingerprints.';
const SOME_KEPT = `${FINGERPRINTS_KEPT} For records with "whole", they are also kept encrypted, as they were read.`;
const ABOUT = [
  'Bonafide compares submitted values with these records and says how far they belong together. It decides nothing about anybody.',
];

/** Returns all data that the graph stores about an identity. Errors: `not_found`; those of the graph. */
export async function exportPerson(graph: RecordStoringGraph, identityNumber: number): Promise<PersonExport> {
  const linkedPerson = await requireIdentity(graph, identityNumber);
  const rows = await graph.records.listByIdentity(linkedPerson.id);
  return {
    identity: linkedPerson.id,
    names: linkedPerson.names,
    first_seen: day(linkedPerson.firstSeen),
    last_seen: day(linkedPerson.lastSeen),
    records: rows.map(recordOf),
    judgements: listManualLinks(rows, await graph.manualLinks.list()),
    about: [`${NAMES_KEPT} ${describeKeptValues(rows)}`, ...ABOUT],
  };
}

function listManualLinks(rows: RecordRow[], all: StoredManualLink[]): ExportedManualLink[] {
  return all.flatMap(({ kind, time, why, undone, groups }) => {
    const named = new Set(groups.flat());
    const records = rows.flatMap(({ key }, i) => (named.has(key) ? [i + 1] : []));
    return records.length === 0
      ? []
      : [{ kind, time: new Date(time).toISOString(), why, undone: day(undone), records }];
  });
}

function describeKeptValues(rows: RecordRow[]): string {
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
