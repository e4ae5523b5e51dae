import type { StoredContact, StoredRecord } from '../link/stored-record.ts';
import { getNameKeys, prepareName } from '../names/index.ts';
import type { FingerprintFunctions, FingerprintFunctionsOfAllSecrets } from './encryption/fingerprints.ts';

const MARK_SOURCE = '\0forgotten';

/** Maximum number of records whose values are combined as those of one person. If an identity has more, each record gets its own marks. */
const MAX_RECORDS_OF_PERSON = 50;

type MarkedContact = Pick<StoredContact, 'kind' | 'keys'>;

export interface SuppressibleRecord extends Pick<
  StoredRecord,
  'source' | 'recordId' | 'names' | 'birthDate'
> {
  contacts: MarkedContact[];
}

/** Computes a mark of the suppression list (16-byte hash) from its type and values of the erased person, such as a name and a contact. */
type MarkMaker = (kind: 'record' | 'contact' | 'person' | 'born', ...parts: (string | number)[]) => Buffer;

/**
 * Returns the marks of one erased person for the suppression list: keyed hashes of 16 bytes, by which a later import is recognised. Some recognise a
 * record by source and id, others the person by source, name and one contact.
 * @param records all records of the person
 */
export function computeSuppressionMarks(
  records: readonly SuppressibleRecord[],
  fingerprints: FingerprintFunctions,
): Buffer[] {
  const mark = createMarkMaker(fingerprints);
  const people = records.length > MAX_RECORDS_OF_PERSON ? records.map((record) => [record]) : [records];
  const marks = [
    ...records.map(({ source, recordId }) => mark('record', source, recordId)),
    ...people.flatMap((person) => personMarks(person, mark)),
  ];
  return [...new Map(marks.map((bytes) => [bytes.toString('hex'), bytes])).values()];
}

function personMarks(records: readonly SuppressibleRecord[], mark: MarkMaker): Buffer[] {
  const years = new Set(records.flatMap((record) => birthYear(record) ?? []));
  const contacts = records.flatMap((record) => record.contacts);
  const names = records.flatMap((record) => record.names);
  const traits = traitsOf(names, contacts);
  return [...new Set(records.map(({ source }) => source))].flatMap((source) => [
    ...contactValues(contacts.filter(isEmailOrPhone)).map((value) => mark('contact', source, value)),
    ...traits.flatMap(([value, name]) => [
      mark('person', source, value, name),
      ...(years.size > 0 ? [mark('born', source, value, name)] : []),
      ...Array.from(years, (year) => mark('born', source, value, name, year)),
    ]),
  ]);
}

/**
 * Result of comparing an imported record with the suppression list: `forgotten` for a person on the list, `alike` for another person who shares an
 * e-mail or phone with one on the list, otherwise `free`.
 */
export type SuppressionMatch = 'forgotten' | 'alike' | 'free';

/**
 * Compares a record with the suppression list. Marks under a previous secret recognise contacts only if the graph stores complete records (`whole`).
 * @param isKnown true if a mark is on the suppression list
 */
export function matchRecordWithSuppressionList(
  record: StoredRecord,
  [current, ...earlier]: FingerprintFunctionsOfAllSecrets,
  isKnown: (mark: Buffer) => boolean,
): SuppressionMatch {
  const matches = [matchUnderSecret(record, current, isKnown)];
  for (const one of earlier) matches.push(matchUnderSecret(toSuppressibleRecord(record, one), one, isKnown));
  return (['forgotten', 'alike'] as const).find((match) => matches.includes(match)) ?? 'free';
}

/**
 * Compares a record with the marks under one secret. The record is `forgotten` in three cases: it is a record of an erased person; it has the name
 * and a contact of an erased person, and no other birth year; it has no name, and all its e-mails and phones are those of an erased person. It is
 * `alike` if it has another name and an e-mail or phone of an erased person.
 */
function matchUnderSecret(
  record: SuppressibleRecord,
  fingerprints: FingerprintFunctions,
  isKnown: (mark: Buffer) => boolean,
): SuppressionMatch {
  const mark = createMarkMaker(fingerprints);
  const { source, recordId, contacts } = record;
  if (isKnown(mark('record', source, recordId))) return 'forgotten';
  const year = birthYear(record);
  const hasOtherYear = (value: number, name: string) =>
    year !== null &&
    isKnown(mark('born', source, value, name)) &&
    !isKnown(mark('born', source, value, name, year));
  for (const [value, name] of traitsOf(record.names, contacts))
    if (isKnown(mark('person', source, value, name)) && !hasOtherYear(value, name)) return 'forgotten';
  const own = contacts.filter(isEmailOrPhone);
  const shared = own.filter((contact) =>
    contactValues([contact]).some((value) => isKnown(mark('contact', source, value))),
  );
  if (shared.length === 0) return 'free';
  return record.names.length === 0 && shared.length === own.length ? 'forgotten' : 'alike';
}

/**
 * Returns the parts of a record from which marks under a previous secret are computed. Contains contacts only if the record has their complete
 * values.
 */
export function toSuppressibleRecord(record: StoredRecord, { of }: FingerprintFunctions): SuppressibleRecord {
  const contacts = (record.whole?.contacts ?? []).map(({ kind, keys }) => ({
    kind,
    keys: keys.map(({ type, text }): StoredContact['keys'][number] => [type, of(type, text)]),
  }));
  return { ...record, contacts };
}

const createMarkMaker =
  (fingerprints: FingerprintFunctions): MarkMaker =>
  (...parts) =>
    fingerprints.ofRecord(MARK_SOURCE, parts.join('\0'));

/**
 * Returns every combination of a contact and a form of the name. Short forms of a name are not combined with addresses, because father and son may
 * have the same address. Without a name, e-mails and phones are combined with an empty name.
 */
function traitsOf(
  names: readonly string[],
  contacts: readonly MarkedContact[],
): [value: number, name: string][] {
  if (names.length === 0) return contactValues(contacts.filter(isEmailOrPhone)).map((value) => [value, '']);
  const keys = names.map((name) => getNameKeys(prepareName(name)));
  const exact = names.map((name, i) => keys[i]?.[0] ?? name);
  const shortForms = keys.flatMap((all) => all.filter((key) => key.startsWith('c:')));
  return contacts.flatMap((contact) => {
    const forms = contact.kind === 'address' ? exact : [...exact, ...shortForms];
    return contactValues([contact]).flatMap((value) => forms.map((name): [number, string] => [value, name]));
  });
}

const birthYear = ({ birthDate }: SuppressibleRecord): string | null => birthDate?.slice(0, 4) ?? null;

const isEmailOrPhone = ({ kind }: MarkedContact) => kind !== 'address';

/**
 * Returns the most exact fingerprint of each contact, and the fingerprint of each e-mail without its tag (`+news`). Leaves out less exact look-up
 * keys of an address, because all people in a house share them.
 */
const contactValues = (contacts: readonly MarkedContact[]): number[] => [
  ...new Set(
    contacts.flatMap(({ keys }) =>
      keys.filter(([type], i) => i === 0 || type === 'mailbox').map(([, value]) => value),
    ),
  ),
];
