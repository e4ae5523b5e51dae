import { addOnce, blockKeys } from '../blocking.ts';
import { endsOf } from '../compare/names.ts';
import { type LinkRecord, personKey } from '../record.ts';
import type { Fingerprint } from '../stored.ts';

/** What is counted over all records. These numbers are part of what an index keeps. */
export const COUNTED = {
  name: 0,
  word: 1,
  place: 2,
  date: 3,
  nameAndBirth: 4,
  nameAndPlace: 5,
  nameAndContact: 6,
  people: 7,
} as const;

export type Counted = (typeof COUNTED)[keyof typeof COUNTED];

/** One thing that a record is counted for. */
export interface Count {
  what: Counted;
  key: number;
  /** The key under which all records are whose pairs this count weighs in; 0 where it weighs in none by itself. */
  under: number;
}

/** What linking must know of a record that it has seen, to add others beside it or to take it away again. */
export interface Facts {
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
  counts: Count[];
}

/** The facts of a record. */
export function factsOf(record: LinkRecord, fingerprint: Fingerprint): Facts {
  const contacts = contactKeys(record);
  const keys = blockKeys(record, fingerprint).filter((key) => !contacts.includes(key));
  const word = askedOnce((text) => wordKey(text, fingerprint));
  return {
    order: record.order,
    person: personKey(record),
    dated: record.nameAndBirth ?? 0,
    label: record.label === null ? 0 : fingerprint('label', `identity|${record.label}`),
    contacts,
    keys,
    ends: endsOf(record.prepared).map(word),
    words: [...new Set([...wordsCounted(record), ...wordsAsked(record)])].map(word),
    streets: [...new Set(record.contacts.flatMap(({ postcode }) => postcode ?? []))],
    counts: countsOf(record, fingerprint, word),
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
export const wordKey = (text: string, fingerprint: Fingerprint) => fingerprint('name', `word|${text}`);
/** Under what a birth date is counted. */
export const dateKey = (date: string, fingerprint: Fingerprint) => fingerprint('birth', `date|${date}`);

/** Each once. */
function contactKeys({ contacts, identifiers }: LinkRecord): number[] {
  const keys: number[] = [];
  for (const { value } of identifiers) addOnce(keys, value);
  for (const contact of contacts) for (const [, key] of contact.keys) addOnce(keys, key);
  return keys;
}

/** What a record is counted for. @param word see `wordKey` */
export function countsOf(
  record: LinkRecord,
  fingerprint: Fingerprint,
  word = (text: string) => wordKey(text, fingerprint),
): Count[] {
  const { nameKeys, nameAndBirth, birthDate } = record;
  const [name = 0] = nameKeys;
  const counts: Count[] = [{ what: COUNTED.name, key: name, under: -name }];
  const count = (what: Counted, keys: Iterable<number>, under: (key: number) => number) => {
    for (const key of keys) counts.push({ what, key, under: under(key) });
  };
  count(COUNTED.word, [...wordsCounted(record)].map(word), (key) => key);
  count(COUNTED.place, placesOf(record), (place) => -place);
  count(COUNTED.nameAndPlace, finestPlaces(record), () => 0);
  count(COUNTED.nameAndContact, exactKeys(record), () => 0);
  for (const one of counts)
    if (one.what === COUNTED.nameAndPlace || one.what === COUNTED.nameAndContact) one.key += name;
  const sameDate = birthDate === null ? 0 : sharedDateKey(birthDate, fingerprint);
  if (birthDate !== null) count(COUNTED.date, [dateKey(birthDate, fingerprint)], () => sameDate);
  if (nameAndBirth !== null) count(COUNTED.nameAndBirth, [nameAndBirth], () => sameDate);
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
