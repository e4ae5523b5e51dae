import { nearDates } from './near.ts';
import type { LinkContext } from './evidence.ts';
import { namesAgree } from './name-likeness.ts';
import type { ComparisonPattern } from '../error-rates.ts';
import { weakMost } from '../blocking.ts';
import type { LinkRecord } from '../record.ts';

/** A contact that more differently named people share is no household's. */
const HOUSEHOLD = 8;

export type Counts = Omit<LinkContext, 'errorRates'>;

/**
 * How two records with names and birth dates compare that share a contact or a place which few have; null where they share none or lack
 * one of the two.
 */
export function patternOf(a: LinkRecord, b: LinkRecord, context: Counts): ComparisonPattern | null {
  if (a.nameAndBirth === null || b.nameAndBirth === null || a.generation !== b.generation) return null;
  const shares = sharedBy(a, b, context);
  if (shares === null) return null;
  return {
    names: namesAgree(a, b),
    births: birthsAgree(a.birthDate ?? '', b.birthDate ?? ''),
    recurring: bothRecur(a, b, context),
    shares,
  };
}

function sharedBy(a: LinkRecord, b: LinkRecord, context: Counts): ComparisonPattern['shares'] | null {
  if (sharesContact(a, b, context, 'address')) return 'address';
  if (sharesContact(a, b, context)) return 'contact';
  return sharesPlace(a, b, context) ? 'place' : null;
}

/** One date, but for how finely it is told, or a typo. */
function birthsAgree(a: string, b: string): boolean {
  const near = nearDates(a, b);
  return a.startsWith(b) || b.startsWith(a) || (near !== null && near !== 'part');
}

/** Is each one's name with its birth date on another record too? Then they are two people's: hardly anybody makes one error twice. */
export function bothRecur(
  a: LinkRecord,
  b: LinkRecord,
  { nameAndBirthCount }: Pick<LinkContext, 'nameAndBirthCount'>,
): boolean {
  if (a.nameAndBirth === null || b.nameAndBirth === null || a.nameAndBirth === b.nameAndBirth) return false;
  return nameAndBirthCount(a.nameAndBirth) > 1 && nameAndBirthCount(b.nameAndBirth) > 1;
}

/** A contact in common that few share. Addresses that are merely alike are no help here: only alike people are compared on those. */
function sharesContact(a: LinkRecord, b: LinkRecord, { sharers }: Counts, kind?: 'address'): boolean {
  const keys = (record: LinkRecord) =>
    record.contacts
      .filter((contact) => kind === undefined || contact.kind === kind)
      .flatMap((contact) => contact.keys.filter(([type]) => type !== 'street').map(([, key]) => key));
  const theirs = new Set(keys(b));
  return keys(a).some((key) => theirs.has(key) && sharers(key) <= HOUSEHOLD);
}

/** A place in common where few records are, all of which are compared with one another. */
function sharesPlace(a: LinkRecord, b: LinkRecord, { placeCount, perPerson }: Counts): boolean {
  const places = (record: LinkRecord) => record.contacts.flatMap((contact) => contact.places);
  const theirs = new Set(places(b));
  return places(a).some((place) => theirs.has(place) && placeCount(place) <= weakMost(perPerson));
}
