import type { ContactEvidence, ContactKind } from '../../model.ts';

const LABEL: Record<ContactKind, [one: string, many: string]> = {
  email: ['e-mail', 'e-mails'],
  phone: ['phone', 'phones'],
  address: ['address', 'addresses'],
};

/** "phone", or "phone 2" where several were sent. */
export function label(contacts: readonly Pick<ContactEvidence, 'kind'>[], index: number): string {
  const kind = contacts[index]?.kind ?? 'email';
  const place = placeOf(contacts, index, kind);
  return place === 0 ? LABEL[kind][0] : `${LABEL[kind][0]} ${place}`;
}

/** "the phone", or "phone 2". */
export function named(contacts: readonly Pick<ContactEvidence, 'kind'>[], index: number): string {
  const kind = contacts[index]?.kind ?? 'email';
  const place = placeOf(contacts, index, kind);
  return place === 0 ? `the ${LABEL[kind][0]}` : `${LABEL[kind][0]} ${place}`;
}

/** Which of several of its kind, from 1; 0 where it is the only one. */
function placeOf(
  contacts: readonly Pick<ContactEvidence, 'kind'>[],
  index: number,
  kind: ContactKind,
): number {
  let [all, place] = [0, 0];
  for (let i = 0; i < contacts.length; i++) {
    if (contacts[i]?.kind !== kind) continue;
    all++;
    if (i <= index) place++;
  }
  return all === 1 ? 0 : place;
}

/** The same at the start of a sentence: "The phone", "Phone 2". */
export function subject(contacts: readonly Pick<ContactEvidence, 'kind'>[], index: number): string {
  return capital(named(contacts, index));
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** "1 value", "2 values". */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A verb for one or for several. */
export function verb(count: number, [one, many]: readonly [string, string]): string {
  return count === 1 ? one : many;
}

/** "the one contact", "both contacts", "all 3 contacts", "2 of 3 contacts". */
export function counted(some: number, all: number): string {
  if (some < all) return `${some} of ${all} contacts`;
  return ['', 'the contact', 'both contacts'][all] ?? `all ${all} contacts`;
}
