import type { Agreement, Contact, LookupKey } from '../model.ts';

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
