import type { LinkContext } from './compare/evidence.ts';
import type { LinkRecord } from './record.ts';

/** What one reading of all records tells. */
export interface Survey extends Omit<LinkContext, 'sharers' | 'errorRates'> {
  /** Number of records with a name and a birth date. */
  dated: number;
  /** The share of these whose name and birth date another record has too, 0-1. */
  recurring: number;
  /** How many pairs of records have one exact name. */
  namePairs: number;
}

/** The most records of a person that are reckoned with. */
const MOST_RECORDS = 16;
const USUAL_RECORDS = 2;
/** Where fewer records than this, 0-1, have name and something else in common with another one, hardly anybody has two. */
const HARDLY = 0.125;

/** Counts how common names, places, dates, and names with a birth date are: show it every record once, then ask. */
export function surveyor(): { see(record: LinkRecord): void; survey(): Survey } {
  const [names, places, datedNames] = [tally(), tally(), tally()];
  const [placedNames, reachedNames] = [tally(), tally()];
  const [dates, words] = [tally<string>(), tally<string>()];
  let records = 0;
  return {
    see(record) {
      records++;
      const [name = 0] = record.nameKeys;
      names.add(name);
      for (const word of wordsOf(record)) words.add(word);
      for (const place of placesOf(record)) places.add(place);
      // Sums of two fingerprints are as good as a fingerprint of the two.
      for (const place of finestPlaces(record)) placedNames.add(name + place);
      for (const key of exactKeys(record)) reachedNames.add(name + key);
      if (record.nameAndBirth !== null) datedNames.add(record.nameAndBirth);
      if (record.birthDate) dates.add(record.birthDate);
    },
    survey: () => ({
      records,
      dated: datedNames.total(),
      recurring: 1 - datedNames.once() / (datedNames.total() || 1),
      perPerson: perPerson([datedNames, placedNames, reachedNames]),
      namePairs: names.pairs(),
      nameCount: names.count,
      wordCount: words.count,
      placeCount: places.count,
      dateCount: dates.count,
      nameAndBirthCount: datedNames.count,
    }),
  };
}

/**
 * How many records a person has, as a power of two: by how many others, on the average of the records, have the same name and date, name
 * and place or name and contact. That is too few where records err, and never too many by much.
 */
function perPerson(tallies: Pick<ReturnType<typeof tally>, 'pairs' | 'total'>[]): number {
  const others = Math.max(0, ...tallies.map((one) => (2 * one.pairs()) / (one.total() || 1)));
  if (others < HARDLY) return 1;
  return Math.max(USUAL_RECORDS, Math.min(MOST_RECORDS, 2 ** Math.round(Math.log2(1 + others))));
}

/** The places of its addresses and of its birth, each once. */
function placesOf({ contacts, birthPlace }: LinkRecord): Set<number> {
  const places = new Set(contacts.flatMap((contact) => contact.places));
  return birthPlace === null ? places : places.add(birthPlace);
}

/** The words of its first name. */
function wordsOf({ prepared }: LinkRecord): Set<string> {
  return new Set(prepared[0]?.canonical.split(' '));
}

function finestPlaces({ contacts }: LinkRecord): Set<number> {
  return new Set(contacts.flatMap(({ places }) => places.slice(0, 1)));
}

function exactKeys({ contacts }: LinkRecord): Set<number> {
  return new Set(contacts.flatMap(({ keys }) => keys.slice(0, 1).map(([, key]) => key)));
}

function tally<Key = number>() {
  const counts = new Map<Key, number>();
  const sum = (of: (count: number) => number) => {
    let all = 0;
    for (const count of counts.values()) all += of(count);
    return all;
  };
  return {
    add: (key: Key) => void counts.set(key, (counts.get(key) ?? 0) + 1),
    count: (key: Key) => counts.get(key) ?? 1,
    total: () => sum((count) => count),
    /** How many keys were added once. */
    once: () => sum((count) => (count === 1 ? 1 : 0)),
    /** How many pairs have a key in common. */
    pairs: () => sum((count) => (count * (count - 1)) / 2),
  };
}
