import { pushUnique, getBlockingKeys } from '../blocking.ts';
import { getEndWords } from '../compare/names.ts';
import { type LinkRecord, personKeyOf } from '../link-record.ts';
import type { Fingerprint } from '../stored-record.ts';

/** What is counted over all records. These numbers are part of what an index keeps. */
export const COUNT_KINDS = {
  name: 0,
  word: 1,
  place: 2,
  date: 3,
  nameAndBirth: 4,
  nameAndPlace: 5,
  nameAndContact: 6,
  people: 7,
} as const;

export type CountKind = (typeof COUNT_KINDS)[keyof typeof COUNT_KINDS];

/** One thing that a record is counted for. */
export interface CountEntry {
  what: CountKind;
  key: number;
  /** The key under which all records are whose pairs this count weighs in; 0 where it weighs in none by itself. */
  under: number;
}

/** What linking must know of a record that it has seen, to add others beside it or to take it away again. */
export interface RecordFacts {
  /** See `orderOf`. */
  order: number;
  /** The `personKey`. */
  person: number;
  /** Name with birth date; 0 where one is missing. */
  dated: number;
  /** Fingerprint of the operator's label; 0 without one. */
  label: number;
  /** Blocking keys of which it is asked how many people share them. */
  contacts: number[];
  /** All other blocking keys. */
  keys: number[];
  /** First and last word of its first name, as they are counted; one where it is one word, none without a name. */
  ends: number[];
  /** Its names' words, under which it is found again and nobody compared. */
  words: number[];
  /** Its postcodes that mean a street, under which it is found again too. */
  streets: number[];
  counts: CountEntry[];
}

/** The facts of a record. */
export function getRecordFacts(record: LinkRecord, fingerprint: Fingerprint): RecordFacts {
  const contacts = contactKeys(record);
  const keys = getBlockingKeys(record, fingerprint).filter((key) => !contacts.includes(key));
  const word = askedOnce((text) => toWordKey(text, fingerprint));
  return {
    order: record.order,
    person: personKeyOf(record),
    dated: record.nameAndBirth ?? 0,
    label: record.label === null ? 0 : fingerprint('label', `identity|${record.label}`),
    contacts,
    keys,
    ends: getEndWords(record.prepared).map(word),
    words: [...new Set([...wordsCounted(record), ...wordsAsked(record)])].map(word),
    streets: [...new Set(record.contacts.flatMap(({ postcode }) => postcode ?? []))],
    counts: listCounts(record, fingerprint, word),
  };
}

/** A record has three words or so, of which each is asked for again and again: looking through them is quicker than a map. */
function askedOnce(key: (text: string) => number): (text: string) => number {
  const texts: string[] = [];
  const keys: number[] = [];
  return (text) => {
    const known = keys[texts.indexOf(text)];
    if (known !== undefined) return known;
    const found = key(text);
    texts.push(text);
    keys.push(found);
    return found;
  };
}

/** Under what a word is counted. */
export const toWordKey = (text: string, fingerprint: Fingerprint) => fingerprint('name', `word|${text}`);
/** Under what a birth date is counted. */
export const toDateKey = (date: string, fingerprint: Fingerprint) => fingerprint('birth', `date|${date}`);

/** Each once. */
function contactKeys({ contacts, identifiers }: LinkRecord): number[] {
  const keys: number[] = [];
  for (const { value } of identifiers) pushUnique(keys, value);
  for (const contact of contacts) for (const [, key] of contact.keys) pushUnique(keys, key);
  return keys;
}

/** What a record is counted for. @param word see `wordKey` */
export function listCounts(
  record: LinkRecord,
  fingerprint: Fingerprint,
  word = (text: string) => toWordKey(text, fingerprint),
): CountEntry[] {
  const { nameKeys, nameAndBirth, birthDate } = record;
  const [name = 0] = nameKeys;
  const counts: CountEntry[] = [{ what: COUNT_KINDS.name, key: name, under: -name }];
  const count = (what: CountKind, keys: Iterable<number>, under: (key: number) => number) => {
    for (const key of keys) counts.push({ what, key, under: under(key) });
  };
  count(COUNT_KINDS.word, [...wordsCounted(record)].map(word), (key) => key);
  count(COUNT_KINDS.place, placesOf(record), (place) => -place);
  count(COUNT_KINDS.nameAndPlace, finestPlaces(record), () => 0);
  count(COUNT_KINDS.nameAndContact, exactKeys(record), () => 0);
  for (const one of counts)
    if (one.what === COUNT_KINDS.nameAndPlace || one.what === COUNT_KINDS.nameAndContact) one.key += name;
  const sameDate = birthDate === null ? 0 : sharedDateKey(birthDate, fingerprint);
  if (birthDate !== null) count(COUNT_KINDS.date, [toDateKey(birthDate, fingerprint)], () => sameDate);
  if (nameAndBirth !== null) count(COUNT_KINDS.nameAndBirth, [nameAndBirth], () => sameDate);
  return counts;
}

/** The weak key of a birth date; see `blockKeys`. */
function sharedDateKey(birthDate: string, fingerprint: Fingerprint): number {
  const [year = '', ...rest] = birthDate.split('-');
  return -fingerprint('birth', [year, ...rest.toSorted()].join('-'));
}

/** The places of its addresses and of its birth, each once. */
function placesOf({ contacts, birthPlace }: Pick<LinkRecord, 'contacts' | 'birthPlace'>): Set<number> {
  const places = new Set(contacts.flatMap((contact) => contact.places));
  return birthPlace === null ? places : places.add(birthPlace);
}

/** The words of its first name. */
function wordsCounted({ prepared }: LinkRecord): Set<string> {
  return new Set(prepared[0]?.canonical.split(' '));
}

/** The words that pairs of it may be weighed by. */
function wordsAsked(record: LinkRecord): string[] {
  const givens = record.named.flatMap(({ parts }) => parts.given.slice(0, 1));
  return [...givens, ...record.words().flatMap(({ words }) => words.map(({ canonical }) => canonical))];
}

function finestPlaces({ contacts }: LinkRecord): Set<number> {
  return new Set(contacts.flatMap(({ places }) => places.slice(0, 1)));
}

function exactKeys({ contacts }: LinkRecord): Set<number> {
  return new Set(contacts.flatMap(({ keys }) => keys.slice(0, 1).map(([, key]) => key)));
}

// Facts as numbers, one after the other: what an index keeps, and what threads hand over. Another order is another FORMAT of the index.
export function factsToNumbers(facts: RecordFacts): number[] {
  const { order, person, dated, label, contacts, keys, ends, words, streets, counts } = facts;
  const lists = [contacts, keys, ends, words, streets];
  const numbers = [order, person, dated, label, ...lists.map(({ length }) => length)];
  for (const list of lists) for (const one of list) numbers.push(one);
  for (const { what, key, under } of counts) numbers.push(what, key, under);
  return numbers;
}

const HEAD = 9;

export function factsFromNumbers(numbers: Float64Array): RecordFacts {
  const [order = 0, person = 0, dated = 0, label = 0, ...lengths] = numbers.subarray(0, HEAD);
  const [contacts = 0, keys = 0, ends = 0, words = 0, streets = 0] = lengths;
  let at = HEAD;
  const next = (count: number) => {
    const list: number[] = [];
    for (const end = at + count; at < end; at++) list.push(numbers[at] ?? 0);
    return list;
  };
  const facts = {
    order,
    person,
    dated,
    label,
    contacts: next(contacts),
    keys: next(keys),
    ends: next(ends),
    words: next(words),
    streets: next(streets),
  };
  const counts: CountEntry[] = [];
  for (; at < numbers.length; at += 3) {
    const [what = 0, key = 0, under = 0] = numbers.subarray(at, at + 3);
    counts.push({ what: what as CountKind, key, under });
  }
  return { ...facts, counts };
}

/** What of every record is kept at hand while its keys are gone through, by its row. */
export interface RowColumns {
  /** The `personKey`. */
  persons: ByRow;
  /** See `orderOf`. */
  orders: ByRow;
  /** Name with birth date; 0 where one is missing. */
  dated: ByRow;
}

/** Some thirty bytes a row where they are those of all records. */
interface ByRow {
  [row: number]: number;
}

/** @param rows one more than the highest row */
export function createRowColumns(rows: number): Record<keyof RowColumns, Float64Array> {
  return {
    persons: new Float64Array(rows),
    orders: new Float64Array(rows),
    dated: new Float64Array(rows),
  };
}

export function setRowColumns({ persons, orders, dated }: RowColumns, row: number, facts: RecordFacts): void {
  persons[row] = facts.person;
  orders[row] = facts.order;
  dated[row] = facts.dated;
}
