import { birthEvidence } from './births.ts';
import type { LinkContext } from './evidence.ts';
import { namesAgree } from './names.ts';
import { NO_ERRORS, type ComparisonPattern } from '../error-rates.ts';
import type { LinkRecord } from '../record.ts';

/** An address that more differently named people share is no household's. */
const HOUSEHOLD = 8;

/** How two records at one address compare; null where they have no address in common or lack a name or a birth date. */
export function patternOf(
  a: LinkRecord,
  b: LinkRecord,
  context: Omit<LinkContext, 'errorRates'>,
): ComparisonPattern | null {
  if (a.nameAndBirth === null || b.nameAndBirth === null || a.suffix !== b.suffix || !oneHome(a, b, context))
    return null;
  const births = birthEvidence(a, b, { ...context, errorRates: NO_ERRORS });
  return {
    names: namesAgree(a, b),
    births: births.some(({ bits }) => bits > 0),
    recurring: bothRecur(a, b, context),
  };
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

/** An address in common that few share. Addresses that are merely alike are no help here: only alike people are compared on those. */
function oneHome(a: LinkRecord, b: LinkRecord, { sharers }: Pick<LinkContext, 'sharers'>): boolean {
  const keys = (record: LinkRecord) =>
    record.contacts
      .filter((contact) => contact.kind === 'address')
      .flatMap((contact) => contact.keys.filter(([type]) => type !== 'street').map(([, key]) => key));
  const theirs = new Set(keys(b));
  return keys(a).some((key) => theirs.has(key) && sharers(key) <= HOUSEHOLD);
}
