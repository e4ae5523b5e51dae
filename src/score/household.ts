// Signs that submitted contacts belong to members of the person's household or family.
import { getMatchWithIdentity, haveCommonHolder, type WeighedContact } from './values.ts';

/**
 * Returns the certainty (0-1) that an e-mail or phone belongs to a member of the identity's household: a person with the same rare family
 * name, or at the same address.
 */
export function getHouseholdCertainty(
  value: WeighedContact,
  values: readonly WeighedContact[],
  identity: number,
): number {
  if (!value.isOfFamily || value.kind === 'address') return 0;
  let certainty = value.kinship;
  for (const other of values)
    if (other.kind === 'address' && getMatchWithIdentity(other, identity) && haveCommonHolder(value, other))
      certainty = Math.max(certainty, other.strength);
  return certainty;
}

/** True if none of the contacts is one identity's alone, and several identities with the submitted family name share one of them. */
export const areSharedByFamily = (group: readonly WeighedContact[]): boolean =>
  group.some(({ relatives }) => relatives > 1) &&
  group.every(({ agreements }) => agreements.every(({ share }) => share > 1));
