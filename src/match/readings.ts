import type { Contact, LookupKey } from '../model.ts';
import { normaliseContact } from '../normalise/contact.ts';

/** How a phone without a country code would be read in the country of a submitted address. */
export interface PhoneReading {
  /** The phone's place among the contacts. */
  contact: number;
  standardized: string;
  keys: LookupKey[];
}

/** Readings beside those of the region: each phone in each country that a submitted address names, where that makes another number. */
export function foreignPhoneReadings(contacts: readonly Contact[]): PhoneReading[] {
  const countries = new Set<string>();
  for (const one of contacts)
    if (one.kind === 'address' && one.standardized.country.length === 2)
      countries.add(one.standardized.country);
  if (countries.size === 0) return [];
  return contacts.flatMap((one, contact) =>
    one.kind === 'phone' ? [...countries].flatMap((country) => readingOf(one, contact, country)) : [],
  );
}

const NORTH_AMERICA = new Set(['US', 'CA']);

function readingOf(
  { input, keys }: Extract<Contact, { kind: 'email' | 'phone' }>,
  contact: number,
  country: string,
): PhoneReading[] {
  // Read as North American it would be the same again.
  if (NORTH_AMERICA.has(country) && keys[0]?.text.startsWith('+1')) return [];
  const there = normaliseContact('phone', input, country);
  const [first] = there?.keys ?? [];
  if (!there || !first || keys.some(({ text }) => text === first.text)) return [];
  return [{ contact, standardized: there.standardized, keys: [first] }];
}
