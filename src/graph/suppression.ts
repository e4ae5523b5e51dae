import type { StoredContact, StoredRecord } from '../link/stored.ts';
import { nameKeys, prepareName } from '../names/index.ts';
import type { Fingerprints } from './encryption/fingerprints.ts';

/** In the place of a source: none is called so, since what is imported has no such characters. */
const PLACE = '\0forgotten';

/** An identity of more records than this is hardly one person: each of its records is marked by itself. */
const MOST_RECORDS = 50;

type MarkedContact = Pick<StoredContact, 'kind' | 'keys'>;

export interface SuppressibleRecord extends Pick<
  StoredRecord,
  'source' | 'recordId' | 'names' | 'birthDate'
> {
  contacts: MarkedContact[];
}

/** What a mark is made of: a word for what it is, the source, and the rest. */
type Marker = (...parts: (string | number)[]) => Buffer;

/**
 * What records are known by when they were erased and come back: each by its source and id; and each person in each source of theirs by a
 * name together with an e-mail, a phone or an address, whatever the record's id. Keyed digests of 16 bytes; none is written anywhere else.
 *
 * @param records of one person
 */
export function suppressionMarksOf(
  records: readonly SuppressibleRecord[],
  fingerprints: Fingerprints,
): Buffer[] {
  const mark = markerOf(fingerprints);
  const people = records.length > MOST_RECORDS ? records.map((one) => [one]) : [records];
  const marks = [
    ...records.map(({ source, recordId }) => mark('record', source, recordId)),
    ...people.flatMap((person) => personMarks(person, mark)),
  ];
  return [...new Map(marks.map((one) => [one.toString('hex'), one])).values()];
}

function personMarks(records: readonly SuppressibleRecord[], mark: Marker): Buffer[] {
  const years = new Set(records.flatMap((one) => yearOf(one) ?? []));
  const contacts = records.flatMap((one) => one.contacts);
  const traits = traitsOf(
    records.flatMap(({ names }) => names),
    contacts,
  );
  return [...new Set(records.map(({ source }) => source))].flatMap((source) => [
    ...linesOf(contacts).map((line) => mark('contact', source, line)),
    ...traits.flatMap(([value, name]) => [
      mark('person', source, value, name),
      ...(years.size > 0 ? [mark('born', source, value, name)] : []),
      ...Array.from(years, (year) => mark('born', source, value, name, year)),
    ]),
  ]);
}

/** What is to be thought of a record that comes in: it is somebody's who was forgotten, may be, or is not. */
export type SuppressionMatch = 'forgotten' | 'alike' | 'free';

/**
 * Is a record of somebody who was forgotten? It is where it is the same record; where it has a name and a contact of theirs, unless it is
 * told to be of a person of another birth year; and where it has no name, and no e-mail or phone but theirs. One that shares an e-mail or a phone
 * with them under another name may be a relative's: it is only `alike`.
 *
 * @param isKnown whether a mark is among those that are kept
 */
export function matchSuppression(
  record: SuppressibleRecord,
  fingerprints: Fingerprints,
  isKnown: (mark: Buffer) => boolean,
): SuppressionMatch {
  const mark = markerOf(fingerprints);
  const { source, recordId, contacts } = record;
  if (isKnown(mark('record', source, recordId))) return 'forgotten';
  const year = yearOf(record);
  const isAnother = (value: number, name: string) =>
    year !== null &&
    isKnown(mark('born', source, value, name)) &&
    !isKnown(mark('born', source, value, name, year));
  for (const [value, name] of traitsOf(record.names, contacts))
    if (isKnown(mark('person', source, value, name)) && !isAnother(value, name)) return 'forgotten';
  const lines = contacts.filter(isLine);
  const theirs = lines.filter((line) =>
    valuesOf([line]).some((value) => isKnown(mark('contact', source, value))),
  );
  if (theirs.length === 0) return 'free';
  return record.names.length === 0 && theirs.length === lines.length ? 'forgotten' : 'alike';
}

/**
 * The same of whoever was forgotten under this secret or an earlier one. Under an earlier one a contact can be told only where the record is
 * kept whole.
 *
 * @param all fingerprints: those of now, then earlier ones
 */
export function matchSuppressionUnderSecrets(
  record: StoredRecord,
  [now, ...earlier]: readonly Fingerprints[],
  isKnown: (mark: Buffer) => boolean,
): SuppressionMatch {
  const found = now ? [matchSuppression(record, now, isKnown)] : [];
  for (const one of earlier) found.push(matchSuppression(recordUnderSecret(record, one), one, isKnown));
  return RETURNS.find((is) => found.includes(is)) ?? 'free';
}

const RETURNS: readonly SuppressionMatch[] = ['forgotten', 'alike'];

/** A record as it was before the secret was changed, as far as marks go. */
export function recordUnderSecret(record: StoredRecord, { of }: Fingerprints): SuppressibleRecord {
  const contacts = (record.whole?.contacts ?? []).map(({ kind, keys }) => ({
    kind,
    keys: keys.map(({ type, text }): StoredContact['keys'][number] => [type, of(type, text)]),
  }));
  return { ...record, contacts };
}

const markerOf =
  (fingerprints: Fingerprints): Marker =>
  (...parts) =>
    fingerprints.ofRecord(PLACE, parts.join('\0'));

/**
 * Every contact with every name. A short form (Bob for Robert) is taken for the name beside an e-mail or a phone, not beside a home, which father
 * and son may share.
 */
function traitsOf(
  names: readonly string[],
  contacts: readonly MarkedContact[],
): [value: number, name: string][] {
  // Where somebody lives tells of nobody without a name.
  if (names.length === 0) return linesOf(contacts).map((line) => [line, '']);
  const known = names.map((name) => nameKeys(prepareName(name)));
  const exact = names.map((name, i) => known[i]?.[0] ?? name);
  const looser = known.flatMap((keys) => keys.filter((key) => key.startsWith('c:')));
  return contacts.flatMap((contact) => {
    const fit = contact.kind === 'address' ? exact : [...exact, ...looser];
    return valuesOf([contact]).flatMap((value) => fit.map((name): [number, string] => [value, name]));
  });
}

const yearOf = ({ birthDate }: SuppressibleRecord): string | null => birthDate?.slice(0, 4) ?? null;

/** E-mails and phones. */
const isLine = ({ kind }: MarkedContact) => kind !== 'address';
const linesOf = (contacts: readonly MarkedContact[]) => valuesOf(contacts.filter(isLine));

/**
 * What each contact is known by: its exact fingerprint, and of an e-mail its mailbox, which is the same with a tag and with the dots that its
 * provider ignores. An address's looser keys are those of a whole house or street.
 */
const valuesOf = (contacts: readonly MarkedContact[]): number[] => [
  ...new Set(
    contacts.flatMap(({ keys }) =>
      keys.filter(([type], i) => i === 0 || type === 'mailbox').map(([, value]) => value),
    ),
  ),
];
