// Raises the agreement of a name with the names of people who live at a submitted address.
import type { Contact, ContactMatch, NameMatch } from '../model.ts';
import { raiseNameAgreementByEmail } from './contact-support.ts';
import { LOOSE_KEYS, removeMatchesWithOtherUnits } from './graph-query.ts';
import { SHARED_SURNAME } from './name-halves.ts';

/** Maximum number of identities at an address that counts as the home of a couple or small household. */
const MAX_OF_HOUSEHOLD = 3;

/**
 * Raises the name agreement of identities who may have changed their family name by marriage: they have the submitted given name and a submitted
 * e-mail or phone, and live with a person who has the submitted family name.
 */
export function raiseNamesOfPartners(
  names: Map<number, NameMatch>,
  { contacts, values }: { contacts: readonly Contact[]; values: readonly ContactMatch[][] },
): void {
  const halfOf = ({ identity }: ContactMatch) => names.get(identity)?.sharedHalf ?? null;
  const hasDirectContact = ({ identity: id }: ContactMatch) =>
    values.some((list, i) => contacts[i]?.kind !== 'address' && list.some(({ identity }) => identity === id));
  for (const [i, contact] of contacts.entries()) {
    if (contact.kind !== 'address') continue;
    const there = removeMatchesWithOtherUnits(values[i] ?? [], contact).filter(
      ({ type, share }) => !LOOSE_KEYS.has(type) && share <= MAX_OF_HOUSEHOLD,
    );
    if (!there.some((agreement) => halfOf(agreement) === 'family')) continue;
    for (const agreement of there) {
      const known = names.get(agreement.identity);
      if (!known || halfOf(agreement) !== 'given' || !hasDirectContact(agreement)) continue;
      const raised = raiseNameAgreementByEmail(known.agreement, { isHalfShared: true, share: 1 });
      names.set(agreement.identity, { ...known, agreement: raised, isSpeltByEmail: true });
    }
  }
}

/** Raises the name agreement of identities that have a word of a double family name in common with the submitted name, and a submitted address. */
export function raiseNamesOfResidents(
  names: Map<number, NameMatch>,
  { contacts, values }: { contacts: readonly Contact[]; values: readonly ContactMatch[][] },
): void {
  for (const [i, contact] of contacts.entries()) {
    if (contact.kind !== 'address') continue;
    for (const { identity, type } of removeMatchesWithOtherUnits(values[i] ?? [], contact)) {
      const known = names.get(identity);
      if (!known?.hasFamilyWord || known.isSame || known.sharedHalf !== null || LOOSE_KEYS.has(type))
        continue;
      names.set(identity, { ...known, ...SHARED_SURNAME, kinship: known.kinship ?? 0 });
    }
  }
}
