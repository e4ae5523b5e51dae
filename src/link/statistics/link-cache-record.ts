import { addIfMissing, getBlockingKeys, listRecordPlaceFingerprints } from '../blocking.ts';
import { getCanonicalWord } from '../link-name.ts';
import { getFirstAndLastWord } from '../compare/names.ts';
import { type LinkableRecord, getPersonNameKey } from '../link-record.ts';
import { type BoundedCache, createBoundedCache } from '../bounded-cache.ts';
import type { FingerprintFunction } from '../stored-record.ts';

/** Types of counts over all records. The link cache stores these numbers. */
export const COUNT_TYPES = {
  name: 0,
  word: 1,
  place: 2,
  date: 3,
  nameAndBirth: 4,
  nameAndPlace: 5,
  nameAndContact: 6,
  people: 7,
} as const;

export type CountType = (typeof COUNT_TYPES)[keyof typeof COUNT_TYPES];

export interface LinkStatisticsCountKey {
  what: CountType;
  key: number;
  /** Key under which the link cache lists the records whose match weights depend on the count of `key`; 0 if there are none. */
  under: number;
}

/**
 * Data of a linked record that the link cache stores. With it, later records can be linked with the record, and the record can be removed again.
 */
export interface LinkCacheRecord {
  /** Sort number of the record, independent of the order of import; see `orderOf`. */
  order: number;
  /** Key of the person's name; see `getPersonNameKey`. */
  person: number;
  /** Fingerprint of the name with the birth date; 0 if one of them is missing. */
  dated: number;
  /** Fingerprint of the record's label (the operator's id of the person); 0 without a label. */
  label: number;
  /** Blocking keys of contacts and identifiers. The people who share each key are counted. */
  contacts: number[];
  keys: number[];
  /**
   * Word keys of the first and the last word of the full name that is first in the record's list of names. One key for a name of one word, none
   * without a name.
   */
  ends: number[];
  /** Word keys of the names. When the count of a word changes, they find the affected records. They are not used for blocking. */
  words: number[];
  /** Postcodes that identify a street. When the count of a postcode changes, they find the affected records. */
  streets: number[];
  counts: LinkStatisticsCountKey[];
}

export function toLinkCacheRecord(record: LinkableRecord, fingerprint: FingerprintFunction): LinkCacheRecord {
  const contacts = contactKeys(record);
  const keys = getBlockingKeys(record, fingerprint).filter((key) => !contacts.includes(key));
  const word = (text: string) => computeNameWordKey(text, fingerprint);
  return {
    order: record.order,
    person: getPersonNameKey(record),
    dated: record.nameAndBirth ?? 0,
    label: record.label === null ? 0 : fingerprint('label', `identity|${record.label}`),
    contacts,
    keys,
    ends: getFirstAndLastWord(record.linkNames).map(word),
    words: listWords(record).map(word),
    streets: listStreets(record),
    counts: listStatisticsCountsOfRecord(record, fingerprint),
  };
}

/** Number of cached keys of words or birth dates. A few words make up most names. */
const MAX_CACHED_KEYS = 32_768;

/** Returns `compute` with a cache of its results for each fingerprint function. */
export function withCachePerFingerprintFunction(
  compute: (text: string, fingerprint: FingerprintFunction) => number,
): (text: string, fingerprint: FingerprintFunction) => number {
  const caches = new WeakMap<FingerprintFunction, BoundedCache<string, number>>();
  return (text, fingerprint) => {
    let cache = caches.get(fingerprint);
    if (!cache) {
      cache = createBoundedCache(MAX_CACHED_KEYS, (key: string) => compute(key, fingerprint));
      caches.set(fingerprint, cache);
    }
    return cache.get(text);
  };
}

export const computeNameWordKey = withCachePerFingerprintFunction((text, fingerprint) =>
  fingerprint('name', `word|${text}`),
);
export const computeBirthDateKey = withCachePerFingerprintFunction((date, fingerprint) =>
  fingerprint('birth', `date|${date}`),
);

function contactKeys({ contacts, identifiers }: LinkableRecord): number[] {
  const keys: number[] = [];
  for (const { value } of identifiers) addIfMissing(keys, value);
  for (const contact of contacts) for (const [, key] of contact.keys) addIfMissing(keys, key);
  return keys;
}

/** Lists the statistics counts (of names, words, dates and others) to which a record contributes. */
export function listStatisticsCountsOfRecord(
  record: LinkableRecord,
  fingerprint: FingerprintFunction,
): LinkStatisticsCountKey[] {
  const { nameKeys, nameAndBirth, birthDate } = record;
  const [name = 0] = nameKeys;
  const counts: LinkStatisticsCountKey[] = [{ what: COUNT_TYPES.name, key: name, under: -name }];
  const add = (what: CountType, key: number, under: number) => void counts.push({ what, key, under });
  for (const word of listCountedWords(record)) {
    const key = computeNameWordKey(word, fingerprint);
    add(COUNT_TYPES.word, key, key);
  }
  for (const place of listRecordPlaceFingerprints(record)) add(COUNT_TYPES.place, place, -place);
  for (const place of listFinestPlaces(record)) add(COUNT_TYPES.nameAndPlace, place + name, 0);
  for (const key of listExactKeys(record)) add(COUNT_TYPES.nameAndContact, key + name, 0);
  const sameDate = birthDate === null ? 0 : sharedDateKey(birthDate, fingerprint);
  if (birthDate !== null) add(COUNT_TYPES.date, computeBirthDateKey(birthDate, fingerprint), sameDate);
  if (nameAndBirth !== null) add(COUNT_TYPES.nameAndBirth, nameAndBirth, sameDate);
  return counts;
}

function sharedDateKey(birthDate: string, fingerprint: FingerprintFunction): number {
  const [year = '', ...rest] = birthDate.split('-');
  return -fingerprint('birth', [year, ...rest.toSorted()].join('-'));
}

function listCountedWords({ linkNames: { prepared } }: LinkableRecord): string[] {
  const all: string[] = [];
  for (const word of prepared[0]?.canonical.split(' ') ?? []) addIfMissing(all, word);
  return all;
}

/** Returns the counted words of a record (`listCountedWords`), and other words of its names that may affect the match weights of its pairs. */
function listWords(record: LinkableRecord): string[] {
  const all = listCountedWords(record);
  const { named } = record.linkNames;
  for (const { parts } of named) for (const given of parts.given.slice(0, 1)) addIfMissing(all, given);
  for (const { fullWords } of named)
    for (const word of fullWords.words) addIfMissing(all, getCanonicalWord(word));
  return all;
}

function listStreets({ contacts }: LinkableRecord): number[] {
  const all: number[] = [];
  for (const { postcode } of contacts) if (postcode !== undefined) addIfMissing(all, postcode);
  return all;
}

function listFinestPlaces({ contacts }: LinkableRecord): number[] {
  const all: number[] = [];
  for (const { places } of contacts) for (const place of places.slice(0, 1)) addIfMissing(all, place);
  return all;
}

function listExactKeys({ contacts }: LinkableRecord): number[] {
  const all: number[] = [];
  for (const { keys } of contacts) for (const [, key] of keys.slice(0, 1)) addIfMissing(all, key);
  return all;
}

// Converts facts to numbers for the link cache and for other threads. A change of the order needs a new
// `LINK_CACHE_FILE_VERSION`.
export function encodeLinkCacheRecordAsNumbers(facts: LinkCacheRecord): number[] {
  const { order, person, dated, label, contacts, keys, ends, words, streets, counts } = facts;
  const lists = [contacts, keys, ends, words, streets];
  const numbers = [order, person, dated, label, ...lists.map(({ length }) => length)];
  for (const list of lists) for (const one of list) numbers.push(one);
  for (const { what, key, under } of counts) numbers.push(what, key, under);
  return numbers;
}

const HEAD = 9;

export function decodeLinkCacheRecordFromNumbers(numbers: Float64Array): LinkCacheRecord {
  const number = (at: number) => numbers[at] ?? 0;
  let end = HEAD;
  // A loop takes a tenth of the time that `Array.from` takes for a typed array.
  const nextList = (length: number) => {
    const list: number[] = [];
    for (let i = 0; i < length; i++) list.push(number(end++));
    return list;
  };
  const facts = {
    order: number(0),
    person: number(1),
    dated: number(2),
    label: number(3),
    contacts: nextList(number(4)),
    keys: nextList(number(5)),
    ends: nextList(number(6)),
    words: nextList(number(7)),
    streets: nextList(number(8)),
  };
  const counts: LinkStatisticsCountKey[] = [];
  for (let at = end; at < numbers.length; at += 3)
    counts.push({ what: number(at) as CountType, key: number(at + 1), under: number(at + 2) });
  return { ...facts, counts };
}

/** Data of all records in one array per field. It is in memory while the blocking keys are processed. */
export interface RecordFieldsByRow {
  persons: ByRow;
  orders: ByRow;
  /** Fingerprint of the name with the birth date, by row; 0 if one of them is missing. */
  dated: ByRow;
}

/** Numbers by row: an array for all rows, or an object for a few rows. */
interface ByRow {
  [row: number]: number;
}

/** Creates the columns for all rows. The column of sort numbers is in memory that threads share. @param rows highest row plus one */
export function createRecordFieldsByRow(rows: number): Record<keyof RecordFieldsByRow, Float64Array> {
  return {
    persons: new Float64Array(rows),
    orders: new Float64Array(new SharedArrayBuffer(rows * Float64Array.BYTES_PER_ELEMENT)),
    dated: new Float64Array(rows),
  };
}

export function setRecordFieldsOfRow(
  { persons, orders, dated }: RecordFieldsByRow,
  row: number,
  facts: LinkCacheRecord,
): void {
  persons[row] = facts.person;
  orders[row] = facts.order;
  dated[row] = facts.dated;
}
