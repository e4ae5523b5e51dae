import type { LinkContext } from './compare/evidence.ts';
import type { LinkRecord } from './record.ts';

/** What one reading of all records tells. */
export interface Survey extends Omit<LinkContext, 'sharers' | 'errorRates'> {
  /** Number of records with a name and a birth date. */
  dated: number;
  /** The share of these whose name and birth date another record has too, 0-1. */
  recurring: number;
}

/** Counts how common names, places, dates, and names with a birth date are: show it every record once, then ask. */
export function surveyor(): { see(record: LinkRecord): void; survey(): Survey } {
  const [names, places, namesAndBirths, dates] = [tally(), tally(), tally(), tally<string>()];
  let [records, dated] = [0, 0];
  return {
    see(record) {
      records++;
      names.add(record.nameKeys[0] ?? 0);
      for (const place of new Set(record.contacts.flatMap((contact) => contact.places))) places.add(place);
      if (record.nameAndBirth !== null) {
        dated++;
        namesAndBirths.add(record.nameAndBirth);
      }
      if (record.birthDate) dates.add(record.birthDate);
    },
    survey: () => ({
      records,
      dated,
      recurring: 1 - namesAndBirths.once() / (dated || 1),
      nameCount: names.count,
      placeCount: places.count,
      dateCount: dates.count,
      nameAndBirthCount: namesAndBirths.count,
    }),
  };
}

function tally<Key = number>() {
  const counts = new Map<Key, number>();
  return {
    add: (key: Key) => void counts.set(key, (counts.get(key) ?? 0) + 1),
    count: (key: Key) => counts.get(key) ?? 1,
    /** How many keys were added once. */
    once: () => {
      let once = 0;
      for (const count of counts.values()) if (count === 1) once++;
      return once;
    },
  };
}
