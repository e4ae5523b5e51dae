// Merges rows with the same record id in one import: several orders, several lines of an order, or an id that
// does not identify a person.
import type { StoredRecord, FullRecordValues } from '../link/stored-record.ts';
import { areSameNames, type PreparedName, prepareName } from '../names/index.ts';
import type { SharedIdCounts } from './summary.ts';

/** Maximum number of people per record id. An id with more is a placeholder, such as `0` for all guests of a shop. */
const MOST_PEOPLE = 20;
/** Maximum number of contacts per person. A record id with a person who has more is a placeholder too. */
const MOST_CONTACTS = 60;
/**
 * Maximum number of rows of one record id that are kept separately, in case the id turns out to be a placeholder. In that case, each row becomes a
 * record.
 */
const MOST_ROWS = 1000;

interface Person {
  record: StoredRecord;
  names: PreparedName[];
}

type MakeId = (content: string) => string;

/**
 * Merges the rows of one record id into one record per person. If several people share the id, each record gets a new id that does not depend on the
 * order of the rows. If very many people share it, every row becomes a record.
 *
 * @param counts receives the numbers of merged rows and shared ids
 */
export function* mergeRowsWithSameId(
  same: Iterable<StoredRecord>,
  makeId: MakeId,
  counts: SharedIdCounts,
): Generator<StoredRecord> {
  const people: Person[] = [];
  const rows: StoredRecord[] = [];
  const withOwnId = (row: StoredRecord) => ({
    ...row,
    recordId: `${row.recordId}~${makeId(contentOf(row))}`,
  });
  let [count, isId] = [0, true];
  for (const row of same) {
    count++;
    if (!isId) {
      yield withOwnId(row);
      continue;
    }
    if (rows.length < MOST_ROWS) rows.push(row);
    addRow(people, row);
    isId =
      people.length <= MOST_PEOPLE && people.every(({ record }) => record.contacts.length <= MOST_CONTACTS);
    if (!isId) yield* rows.map(withOwnId);
  }
  const byId = isId ? recordsById(people, makeId) : new Map<string, StoredRecord>();
  const records = isId ? byId.size : count;
  counts.merged += count - records;
  counts.shared += Number(records > 1);
  for (const [recordId, record] of byId) yield byId.size > 1 ? { ...record, recordId } : record;
}

/**
 * Returns the record of each person by its new id. Records with an equal new id are merged: they are one person whose two names a later row
 * connected.
 */
function recordsById(people: Person[], makeId: MakeId): Map<string, StoredRecord> {
  const records = new Map<string, StoredRecord>();
  for (const { record } of people) {
    const id = ownId(record, makeId);
    const known = records.get(id);
    records.set(id, known ? mergeRecords(known, record) : record);
  }
  return records;
}

const contentOf = (row: StoredRecord) => JSON.stringify({ ...row, recordId: '' });

/**
 * Returns a new id for one of several people who share a record id: the shared id, `~` and a hash of the alphabetically first name, the label and
 * the birth date. Without a name, the hash is of the label (or else the whole content) and the birth date.
 */
function ownId(record: StoredRecord, makeId: MakeId): string {
  const [name] = record.names.map((text) => text.toLowerCase()).toSorted();
  const label = record.label === null ? '' : ` of ${record.label}`;
  const person = name === undefined ? (record.label ?? contentOf(record)) : `${name}${label}`;
  return `${record.recordId}~${makeId(`${person} ${record.birthDate ?? ''}`)}`;
}

function addRow(people: Person[], row: StoredRecord): void {
  const names = row.names.map(prepareName);
  const known = people.find((person) => mayBeOnePerson(person, { record: row, names }));
  if (!known) {
    people.push({ record: row, names });
    return;
  }
  known.record = mergeRecords(known.record, row);
  for (const name of names) if (!known.names.some(({ text }) => text === name.text)) known.names.push(name);
}

function mayBeOnePerson(a: Person, b: Person): boolean {
  const [labelA, labelB] = [a.record.label, b.record.label];
  if (labelA !== null && labelB !== null && labelA !== labelB) return false;
  const [birthA, birthB] = [a.record.birthDate ?? '', b.record.birthDate ?? ''];
  const shorter = Math.min(birthA.length, birthB.length);
  if (birthA.slice(0, shorter) !== birthB.slice(0, shorter)) return false;
  if (a.names.length === 0 || b.names.length === 0) return true;
  return a.names.some((nameA) => b.names.some((nameB) => areSameNames(nameA, nameB)));
}

function mergeRecords(a: StoredRecord, b: StoredRecord): StoredRecord {
  const isLonger = (a.birthDate?.length ?? 0) >= (b.birthDate?.length ?? 0);
  return {
    ...b,
    ...a,
    names: [...new Set([...a.names, ...b.names])],
    birthDate: isLonger ? a.birthDate : b.birthDate,
    label: a.label ?? b.label,
    firstSeen: mergeTimes(a.firstSeen, b.firstSeen, Math.min),
    lastSeen: mergeTimes(a.lastSeen, b.lastSeen, Math.max),
    contacts: mergeUnique(a.contacts, b.contacts, ({ kind, keys }) => JSON.stringify([kind, keys])),
    birthPlace: a.birthPlace ?? b.birthPlace ?? null,
    gender: a.gender ?? b.gender ?? null,
    identifiers: mergeUnique(a.identifiers ?? [], b.identifiers ?? [], ({ value }) => String(value)),
    ...(a.whole && b.whole && { whole: mergeWhole(a.whole, b.whole) }),
  };
}

function mergeWhole(a: FullRecordValues, b: FullRecordValues): FullRecordValues {
  const { birthPlace, birthPlaceWritten } = a.birthPlace === null ? b : a;
  return {
    contacts: mergeUnique(a.contacts, b.contacts, ({ kind, keys }) => JSON.stringify([kind, keys])),
    identifiers: mergeUnique(a.identifiers, b.identifiers, ({ type, country, value }) =>
      JSON.stringify([type, country, value]),
    ),
    birthPlace,
    birthPlaceWritten,
  };
}

const mergeUnique = <T>(a: T[], b: T[], textOf: (value: T) => string): T[] => [
  ...new Map([...a, ...b].map((value) => [textOf(value), value])).values(),
];

const mergeTimes = (
  a: number | null,
  b: number | null,
  choose: (a: number, b: number) => number,
): number | null => (a === null || b === null ? (a ?? b) : choose(a, b));
