import type { Agreement, Contact, LookupKey } from '../model.ts';
import { normaliseContact } from '../normalise/contact.ts';

/**
 * The keys that a check asks for. An address with a unit is asked for without it as well: records may have left it out. An e-mail or phone
 * is asked for as it is.
 */
export function queryKeys({ kind, keys }: Pick<Contact, 'kind' | 'keys'>): LookupKey[] {
  const whole = kind === 'address' ? wholeBuilding(keys) : null;
  if (whole === null) return keys;
  const [exact, ...looser] = keys;
  return exact ? [exact, whole, ...looser] : keys;
}

/** Another unit of a known building is no record: who lives there is found by the building alone, and only by that. */
export function withoutOtherUnits(
  agreements: Agreement[],
  { kind, keys }: Pick<Contact, 'kind' | 'keys'>,
): Agreement[] {
  if (kind !== 'address' || !agreements.some(isPremise) || wholeBuilding(keys) === null) return agreements;
  return agreements.filter((one) => !isPremise(one));
}

const isPremise = ({ type }: Agreement) => type === 'premise';

/** An exact key is `number|street|unit|place`. */
function wholeBuilding([exact]: readonly LookupKey[]): LookupKey | null {
  if (exact?.type !== 'address') return null;
  const { text } = exact;
  const street = text.indexOf('|') + 1;
  const unit = text.indexOf('|', street) + 1;
  const place = text.indexOf('|', unit);
  if (street < 2 || unit === 0 || place <= unit) return null;
  return { type: 'address', text: text.slice(0, unit) + text.slice(place) };
}

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
