// Signs that submitted contacts belong to members of the person's household or family.
import { type CheckEvidence, type ContactMatch, getContactLastSeen, type NameMatch } from '../model.ts';
import { interpolateLinearly } from './curves.ts';
import type { MatchingContactEvidence } from './matching-contacts.ts';
import { getMatchWithIdentity, getYearsBefore, haveCommonHolder, type WeighedContact } from './values.ts';
import {
  COMPANY_CONTACT_CONFLICT_CERTAINTY,
  HOUSEHOLD_CERTAINTY_BY_PEOPLE_AT_ADDRESS,
  HOME_CERTAINTY_BY_YEARS_BETWEEN_LAST_SEEN,
  HOUSEHOLD_WEIGHT_REDUCTION,
} from './weights.ts';

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

/** Types of look-up keys that find exactly the submitted contact. The type `address` includes the unit. */
const EXACT_KEYS: ReadonlySet<ContactMatch['type']> = new Set(['email', 'mailbox', 'phone', 'address']);

/**
 * Returns the certainty (0-1) that a holder of an e-mail or phone has one home with the identity, whatever their family names: few people, the two
 * among them, were lately seen with a submitted address, its unit included. A shared e-mail or phone counts like an address for people who have one
 * address on record. One address on record is enough for two people who were last seen at about the same time.
 * @param isHousemate true for an identity with the same address on record
 */
export function getCommonHomeCertainty(
  value: WeighedContact,
  values: readonly WeighedContact[],
  {
    identity,
    lastSeenOf,
    isHousemate,
  }: {
    identity: number;
    lastSeenOf: (identity: number) => number | null;
    isHousemate: (holder: number) => boolean;
  },
): number {
  // A company or an identity without a name is no member of a household.
  if (value.kind === 'address' || value.doubt <= COMPANY_CONTACT_CONFLICT_CERTAINTY) return 0;
  let certainty = 0;
  const yearsOf = (id: number) => getYearsBefore(value.newestSeen, lastSeenOf(id));
  for (const holder of value.holders.keys()) {
    const isOfHome = isHousemate(holder);
    if (isOfHome && !hasOtherHome(holder, identity, values) && !areAllOf(holder, identity, values))
      certainty = Math.max(certainty, getCertaintyOfRecordedHome(yearsOf(identity) - yearsOf(holder)));
    for (const home of values) {
      const own = getMatchWithIdentity(home, identity);
      const shared = getMatchWithIdentity(home, holder);
      if (own === undefined || !EXACT_KEYS.has(own.type)) continue;
      if (shared === undefined || !EXACT_KEYS.has(shared.type)) continue;
      if (home.kind !== 'address' && !isOfHome) continue;
      certainty = Math.max(certainty, getCertaintyOfSameTime(home, own, shared));
    }
  }
  return certainty;
}

/** True if an address was submitted that the holder has and the identity lacks, such as another flat of the building: addresses on record have no unit. */
const hasOtherHome = (holder: number, identity: number, values: readonly WeighedContact[]): boolean =>
  values.some(({ kind, holders }) => kind === 'address' && holders.has(holder) && !holders.has(identity));

/**
 * True if e-mail and phone are the holder's, and nothing submitted is the identity's. A neighbour in another flat would send that, too, and addresses on
 * record have no unit.
 */
const areAllOf = (holder: number, identity: number, values: readonly WeighedContact[]): boolean =>
  (['email', 'phone'] as const).every((kind) =>
    values.some((value) => value.kind === kind && value.holders.has(holder)),
  ) && values.every((value) => !getMatchWithIdentity(value, identity));

/**
 * Returns the certainty (0-1) that two people with one address on record lived there at the same time, by the years between the last dates of their
 * records. People with a record without a last date are current.
 */
const getCertaintyOfRecordedHome = (years: number): number =>
  interpolateLinearly(HOME_CERTAINTY_BY_YEARS_BETWEEN_LAST_SEEN, Math.abs(years));

/** Returns the certainty (0-1) that two identities share a contact at the same time, with few others. Former holders do not count. */
function getCertaintyOfSameTime(home: WeighedContact, own: ContactMatch, other: ContactMatch): number {
  const yearsOf = (match: ContactMatch) => getYearsBefore(home.newestSeen, getContactLastSeen(match));
  const holders = [...home.holders.values()];
  const newest = Math.min(...holders.map(yearsOf));
  const currencyOf = (match: ContactMatch) =>
    interpolateLinearly(HOME_CERTAINTY_BY_YEARS_BETWEEN_LAST_SEEN, yearsOf(match) - newest);
  const former = holders.reduce((all, match) => all + 1 - currencyOf(match), 0);
  const people = Math.max(own.share, other.share) - former;
  return (
    Math.min(currencyOf(own), currencyOf(other)) *
    interpolateLinearly(HOUSEHOLD_CERTAINTY_BY_PEOPLE_AT_ADDRESS, people)
  );
}

/** True if an e-mail or phone belongs to somebody of the submitted family name who lives at a submitted address. */
export const haveRelativesAtHome = (values: readonly WeighedContact[]): boolean =>
  values.some(
    (value) =>
      value.kind !== 'address' &&
      value.isOfFamily &&
      values.some((other) => other.kind === 'address' && haveCommonHolder(other, value)),
  );

/**
 * Returns the certainty (0-1) that a holder of this contact shares another submitted contact with the identity. Relatives share an address, so a
 * shared address counts only as far as the names are similar.
 */
export function getSharedContactStrength(
  { value, doubt }: { value: WeighedContact; doubt: number },
  values: readonly WeighedContact[],
  identity: number,
): number {
  const nameSimilarity = Math.min(1, HOUSEHOLD_WEIGHT_REDUCTION.alike * (1 - doubt));
  let strongest = 0;
  for (const other of values) {
    const strength = other.strength * (other.kind === 'address' ? nameSimilarity : 1);
    if (strength <= strongest || !getMatchWithIdentity(other, identity)) continue;
    if (haveCommonHolder(value, other)) strongest = strength;
  }
  return strongest;
}

/**
 * True if an identity with another given name is probably a relative of the person: the common family name is rare, or the identity's
 * address was submitted.
 */
export const isHouseholdMember = (
  name: NameMatch | undefined,
  { values }: MatchingContactEvidence,
): boolean =>
  isRelativeByName(name) ||
  (name?.sharedHalf === 'family' && !name.isCompany && values.some(({ kind }) => kind === 'address'));

/** True if an identity with another given name is probably a relative, as the common family name is rare or a patronymic shows. */
export const isRelativeByName = (name: NameMatch | undefined): boolean =>
  name?.isParentOrChild === true ||
  (name?.sharedHalf === 'family' && !name.isCompany && (name.kinship ?? 0) >= MIN_KINSHIP);

/**
 * True if a relative's only e-mail or phone was submitted, unless the e-mail contains the relative's given name. Contacts that several relatives share
 * do not count, nor do addresses.
 */
export const isSingleContactOfRelative = (name: NameMatch | undefined, values: readonly WeighedContact[]) =>
  !name?.isGivenNameInEmail &&
  values.filter(({ kind, relatives }) => kind !== 'address' && relatives === 1).length < 2;

/**
 * True if the relative's address was submitted, or a contact that only this relative has. An e-mail that several relatives share may be the person's
 * too.
 */
export const isOfOneRelative = ({ values }: MatchingContactEvidence, identity: number): boolean =>
  values.some((value) => value.kind === 'address' || getMatchWithIdentity(value, identity)?.share === 1);

/**
 * True if several people with the submitted family name live at a submitted address. The person is then probably another member of this family.
 */
export const isFamilyHome = (
  { nameAgreements }: CheckEvidence,
  { values }: MatchingContactEvidence,
): boolean =>
  values.some(
    ({ kind, holders }) =>
      kind === 'address' &&
      [...holders.keys()].filter((holder) => nameAgreements.get(holder)?.sharedHalf === 'family').length > 1,
  );

/** True if an address of the identity was submitted, and the identity has only one record. That record may be wrong, or be a relative's. */
export const hasHomeAndOnlyOneRecord = (
  { identities }: CheckEvidence,
  identity: number,
  { values }: MatchingContactEvidence,
): boolean => (identities.get(identity)?.records ?? 1) === 1 && values.some(({ kind }) => kind === 'address');

/** Minimum rarity (0-1) of a family name, from which two people with it are probably relatives. */
const MIN_KINSHIP = 0.5;
