// Rows of one file that bear one record id: an order each, a line of an order each, or an id that is none.
import type { StoredContact, StoredRecord, WholeRecord } from '../link/stored.ts';
import { comparePreparedNames, type PreparedName, prepareName } from '../names/index.ts';
import type { SharedIdCounts } from './summary.ts';

/** More different people than this under one id, or more contacts of one of them, and it is no id: `0` of a shop's guests. */
const MOST_PEOPLE = 20;
const MOST_CONTACTS = 60;
/** Rows that are kept at hand until it is known that an id is one. */
const MOST_ROWS = 1000;

interface Person {
  record: StoredRecord;
  names: PreparedName[];
}

/**
 * The records that several rows of one id come to: one for each person, with all that any of the rows says of them. Where they are several
 * people, each gets an id of its own that does not depend on the order of the rows; where there are very many, the id says nothing, and every
 * row is a record of its own.
 */
export function* mergeSameId(
  same: Iterable<StoredRecord>,
  makeId: (content: string) => string,
  counts: SharedIdCounts,
): Generator<StoredRecord> {
  const people: Person[] = [];
  const rows: StoredRecord[] = [];
  const alone = (row: StoredRecord) => ({ ...row, recordId: `${row.recordId}~${makeId(contentOf(row))}` });
  let [count, isId] = [0, true];
  for (const row of same) {
    count++;
    if (!isId) {
      yield alone(row);
      continue;
    }
    if (rows.length < MOST_ROWS) rows.push(row);
    take(people, row);
    isId =
      people.length <= MOST_PEOPLE && people.every(({ record }) => record.contacts.length <= MOST_CONTACTS);
    if (!isId) yield* rows.map(alone);
  }
  const apart = isId ? apartBy(people, (record) => idApart(record, makeId)) : new Map<string, StoredRecord>();
  const records = isId ? apart.size : count;
  counts.merged += count - records;
  counts.shared += Number(records > 1);
  for (const [recordId, record] of apart) yield apart.size > 1 ? { ...record, recordId } : record;
}

/** The records of people by ids of their own. Who turned out to be one by a later row, which bore the names of two, has one. */
function apartBy(people: Person[], idOf: (record: StoredRecord) => string): Map<string, StoredRecord> {
  const apart = new Map<string, StoredRecord>();
  for (const { record } of people) {
    const known = apart.get(idOf(record));
    apart.set(idOf(record), known ? merged(known, record) : record);
  }
  return apart;
}

/** What a row says but for its id. */
const contentOf = (row: StoredRecord) => JSON.stringify({ ...row, recordId: '' });

/** By the name that comes first in the alphabet, or what else there is; and by the label, which tells who bear one name apart. */
function idApart(record: StoredRecord, makeId: (content: string) => string): string {
  const [name] = record.names.map((one) => one.toLowerCase()).toSorted();
  const who = name === undefined ? (record.label ?? contentOf(record)) : `${name}${labelled(record)}`;
  return `${record.recordId}~${makeId(`${who} ${record.birthDate ?? ''}`)}`;
}

const labelled = ({ label }: StoredRecord) => (label === null ? '' : ` of ${label}`);

function take(people: Person[], row: StoredRecord): void {
  const names = row.names.map(prepareName);
  const known = people.find((person) => mayBeOne(person, { record: row, names }));
  if (!known) {
    people.push({ record: row, names });
    return;
  }
  known.record = merged(known.record, row);
  for (const name of names) if (!known.names.some(({ text }) => text === name.text)) known.names.push(name);
}

function mayBeOne(a: Person, b: Person): boolean {
  const differ = (one: string | null, two: string | null) => one !== null && two !== null && one !== two;
  if (differ(a.record.label, b.record.label)) return false;
  const [born, birth] = [a.record.birthDate ?? '', b.record.birthDate ?? ''];
  const shorter = Math.min(born.length, birth.length);
  if (born.slice(0, shorter) !== birth.slice(0, shorter)) return false;
  if (a.names.length === 0 || b.names.length === 0) return true;
  return a.names.some((one) => b.names.some((two) => comparePreparedNames(one, two).same));
}

/** What either says. */
function merged(a: StoredRecord, b: StoredRecord): StoredRecord {
  const longer = (one: string | null, two: string | null) =>
    (one?.length ?? 0) >= (two?.length ?? 0) ? one : two;
  return {
    ...b,
    ...a,
    names: [...new Set([...a.names, ...b.names])],
    birthDate: longer(a.birthDate, b.birthDate),
    label: a.label ?? b.label,
    firstSeen: either(a.firstSeen, b.firstSeen, Math.min),
    lastSeen: either(a.lastSeen, b.lastSeen, Math.max),
    contacts: unique([...a.contacts, ...b.contacts], nameOf),
    birthPlace: a.birthPlace ?? b.birthPlace ?? null,
    gender: a.gender ?? b.gender ?? null,
    identifiers: unique([...(a.identifiers ?? []), ...(b.identifiers ?? [])], ({ value }) => String(value)),
    ...(a.whole && b.whole && { whole: wholeOf(a.whole, b.whole) }),
  };
}

const wholeOf = (a: WholeRecord, b: WholeRecord): WholeRecord => ({
  contacts: unique([...a.contacts, ...b.contacts], ({ kind, keys }) => JSON.stringify([kind, keys])),
  identifiers: unique([...a.identifiers, ...b.identifiers], ({ type, country, value }) =>
    JSON.stringify([type, country, value]),
  ),
  ...placeIn(a.birthPlace === null ? b : a),
});

const placeIn = ({ birthPlace, birthPlaceWritten }: WholeRecord) => ({ birthPlace, birthPlaceWritten });

const nameOf = ({ kind, keys }: StoredContact) => JSON.stringify([kind, keys]);

const unique = <T>(all: T[], name: (one: T) => string): T[] => [
  ...new Map(all.map((one) => [name(one), one])).values(),
];

const either = (a: number | null, b: number | null, of: (a: number, b: number) => number): number | null =>
  a === null || b === null ? (a ?? b) : of(a, b);
