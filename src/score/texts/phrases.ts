// Phrases of the sentences of a verdict: counts, and names of contacts.
import type { ContactEvidence, ContactKind } from '../../model.ts';

type Contacts = readonly Pick<ContactEvidence, 'kind'>[];
/** Submitted contact, as its index in the list of all submitted contacts. */
export interface ContactFact {
  contacts: Contacts;
  index: number;
}

const LABELS: Record<ContactKind, string> = { email: 'e-mail', phone: 'phone', address: 'address' };

/** Returns the number (from 1) of a contact among the submitted contacts of its type. Returns 0 if it is the only one. */
export function getNumberOfContact({ contacts, index }: ContactFact): number {
  const kind = contacts[index]?.kind;
  let [all, number] = [0, 0];
  for (let i = 0; i < contacts.length; i++) {
    if (contacts[i]?.kind !== kind) continue;
    all++;
    if (i <= index) number++;
  }
  return all === 1 ? 0 : number;
}

/** Formats the name of a contact for a sentence: "the phone", or "phone 2" if there are several. */
export function formatContactLabel(contact: ContactFact): string {
  const kind = LABELS[contact.contacts[contact.index]?.kind ?? 'email'];
  const number = getNumberOfContact(contact);
  return number === 0 ? `the ${kind}` : `${kind} ${number}`;
}

export const formatCapitalisedContactLabel = (contact: ContactFact) =>
  capitalise(formatContactLabel(contact));

export const capitalise = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

export const chooseSingularOrPlural = (number: number, one: string, many: string) =>
  number === 1 ? one : many;

/** Formats a number with its noun: "1 value", "2 values", "1,234 identities". */
export function formatCountOfNoun(number: number, noun: string): string {
  const many = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${formatNumberWithCommas(number)} ${chooseSingularOrPlural(number, noun, many)}`;
}

/** Formats a number of further identities: "1 other", "12 others". */
export const formatCountOfOthers = (number: number): string =>
  `${formatNumberWithCommas(number)} ${chooseSingularOrPlural(number, 'other', 'others')}`;

export const formatNumberWithCommas = (number: number) =>
  number < 1000 ? String(number) : String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');

export const formatAnotherIdentity = (number: number, hasSameName = false) =>
  `${chooseSingularOrPlural(number, 'another identity', 'other identities')}${hasSameName ? ' of this name' : ''}`;

export interface OtherContactFacts {
  /** Number of submitted contacts that are on record, but not with the submitted name. */
  others: number;
  /** Number of contacts counted in `others` whose record has no name, so that their owner is unknown. */
  nameless: number;
  /** Number of identities with a name that have contacts counted in `others`. */
  identities: number;
  /** True if all these identities have the submitted name. */
  isSameName: boolean;
}

/** Returns an addition to a sentence that counts the contacts of other people: "; 2 contacts belong to another identity". Empty if there are none. */
export function formatContactsOfOthers({
  others,
  nameless,
  identities,
  isSameName,
}: OtherContactFacts): string {
  const named = others - nameless;
  const ofOthers = `; ${formatCountOfNoun(named, 'contact')} ${chooseSingularOrPlural(named, 'belongs', 'belong')} to ${formatAnotherIdentity(identities, isSameName)}`;
  const ofNobody = `; ${formatCountOfNoun(nameless, 'contact')} ${chooseSingularOrPlural(nameless, 'belongs', 'belong')} to a record without a name`;
  return `${named > 0 ? ofOthers : ''}${nameless > 0 ? ofNobody : ''}`;
}

/** Formats how many of the submitted contacts are meant: "the contact", "both contacts", "all 3 contacts" or "2 of 3 contacts". */
export function formatNumberOfContacts(some: number, all: number): string {
  if (some < all) return `${some} of ${all} contacts`;
  return ['', 'the contact', 'both contacts'][all] ?? `all ${all} contacts`;
}
