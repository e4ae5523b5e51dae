import type { Facts, FieldFacts } from 'bonafide/plugin';

export const CONTACT_KINDS = ['email', 'phone', 'address'] as const;
export type PhraseContactKind = (typeof CONTACT_KINDS)[number];

const PLURALS: Record<PhraseContactKind, string> = { email: 'emails', phone: 'phones', address: 'addresses' };

export const getContactKindPlural = (kind: PhraseContactKind): string => PLURALS[kind];

/** Returns a phrase such as "the email", "both emails", "all 3 emails" or "1 of 3 emails". */
function some(kind: PhraseContactKind, count: number, total: number): string {
  if (total === 1) return `the ${kind}`;
  if (count < total) return `${count} of ${total} ${PLURALS[kind]}`;
  return total === 2 ? `both ${PLURALS[kind]}` : `all ${total} ${PLURALS[kind]}`;
}

/** Formats a count as "both contacts", "all 3 contacts" or "1 of 3 contacts". `total` is at least 2. */
export function formatContactCountOfTotal(count: number, total: number): string {
  if (count < total) return `${count} of ${total} contacts`;
  return total === 2 ? 'both contacts' : `all ${total} contacts`;
}

/** Returns a phrase after "no record for": "the email", "either email", "any of the 3 emails", "1 of 3 emails". */
function any(kind: PhraseContactKind, count: number, total: number): string {
  if (total === 1 || count < total) return some(kind, count, total);
  return total === 2 ? `either ${kind}` : `any of the ${total} ${PLURALS[kind]}`;
}

/** Returns a phrase for the remaining contacts of a kind, such as "the other 4 phones". */
function others(kind: PhraseContactKind, count: number, total: number): string {
  if (count === total) return any(kind, count, total);
  return count === 1 ? `the other ${kind}` : `the other ${count} ${PLURALS[kind]}`;
}

/** Words for the people of a couple's name whom contacts belong to. */
export const THE_COUPLE = 'the people named, or to one of them';

/** Joins words, such as "a, b and c". */
export function joinWords(parts: readonly string[], last = 'and'): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} ${last} ${parts.at(-1)}`;
}

export interface NounPhrase {
  text: string;
  /** True if the verb after the phrase must be plural. */
  many: boolean;
}

/** Creates a phrase for the contacts with one outcome, such as `matched`; undefined if there are none. */
export function createContactsPhrase(
  matches: Facts['matches'],
  outcome: keyof FieldFacts,
  options: { withName?: boolean; say?: typeof some; last?: string } = {},
): NounPhrase | undefined {
  const involved = CONTACT_KINDS.filter((kind) => matches[kind][outcome] > 0);
  const { say = some } = options;
  const parts = involved.map((kind) => say(kind, matches[kind][outcome], matches[kind].submitted));
  if (options.withName) parts.unshift('the name');
  if (parts.length === 0) return undefined;
  const count = involved.reduce((sum, kind) => sum + matches[kind][outcome], options.withName ? 1 : 0);
  return { text: joinWords(parts, options.last), many: count > 1 };
}

/** True if the submitted name is that of a couple, and the second person has contacts that the matched identity does not have. */
export const hasPartnerContacts = ({ of_bearers, contacts }: Facts['matches']): boolean =>
  of_bearers > contacts.matched;

/**
 * Creates a phrase for the matching contacts, and for the name if it agrees as a whole. It may follow a phrase about the contacts of another
 * identity.
 */
export function createMatchingContactsPhrase(matches: Facts['matches']): NounPhrase | undefined {
  // "The others" means all contacts except those of other people. It would be false if the partner of a couple had some of them.
  const hasPartner = hasPartnerContacts(matches);
  const say = (kind: PhraseContactKind, count: number, total: number): string =>
    count < total && matches[kind].different + count === total && !hasPartner
      ? others(kind, count, total)
      : some(kind, count, total);
  return createContactsPhrase(matches, 'matched', { withName: matches.name_agreement !== 'similar', say });
}

/** Creates a phrase for the contacts without a record. It follows "no matching record for". */
export function describeUnrecordedContacts(
  matches: Facts['matches'],
  options: { rest?: boolean } = {},
): string | undefined {
  return createContactsPhrase(matches, 'unverified', { say: options.rest ? others : any, last: 'or' })?.text;
}

export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
export const uncapitalise = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Formats a number of days as "today", "1 day ago", "5 months ago" or "8 years ago". */
export function formatTimeAgo(days: number): string {
  if (days === 0) return 'today';
  const { count, unit } = toLargestTimeUnit(days);
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

/** Converts days to the largest unit that fits (rounded down), so that a history never seems longer than it is. */
export function toLargestTimeUnit(days: number): { count: number; unit: 'day' | 'month' | 'year' } {
  if (days < 61) return { count: days, unit: 'day' };
  if (days < 730) return { count: Math.floor(days / 30.44), unit: 'month' };
  return { count: Math.floor(days / 365), unit: 'year' };
}
