// Weighed values: the weight of each contact on record for its holders and against other people.
import {
  type ContactMatch,
  type ContactKind,
  type CheckEvidence,
  getContactLastSeen,
  type NameMatch,
} from '../model.ts';
import {
  getOldContactWeightFactor,
  getOldPhoneUseCertainty,
  getOtherPersonProbabilityByNameAgreement,
  getCertaintyOfSoleOwner,
  MS_PER_YEAR,
} from './curves.ts';
import {
  COMPANY_CONTACT_CONFLICT_CERTAINTY,
  MAX_OTHER_PERSON_CERTAINTY,
  NAMELESS_IDENTITY_MAX_BITS_AND_DOUBT,
  NON_PERSON_NAME_WEIGHT_FACTOR,
} from './weights.ts';

/**
 * Submitted contact that is on record, with weights that do not depend on who the person is. Its holders are the identities that have the contact.
 */
export interface WeighedContact {
  index: number;
  kind: ContactKind;
  agreements: readonly ContactMatch[];
  /** Match of the contact with each holder, by identity number. If several look-up keys found a holder, the match by the first key. */
  holders: ReadonlyMap<number, ContactMatch>;
  /** Highest certainty (0-1) that the contact belongs to one of its holders alone. */
  strength: number;
  /** Certainty (0-1) that no holder is the person of the submitted name. */
  doubt: number;
  /**
   * Certainty (0-1) that no holder is the person, if another identity has the whole submitted name. Relatives with the contact are then certainly
   * other people.
   */
  doubtBesideName: number;
  /** Like `doubtBesideName`, but for the upper bounds of the score. Companies and people with the same given name then count as other people. */
  doubtForBounds: number;
  /** Years between the last time that a holder was seen with the contact and the newest record of the graph. */
  ageYears: number;
  /** Matches with the holders of another name, who are no relatives. */
  strangers: readonly ContactMatch[];
  /** Time of the newest record of the graph, in milliseconds since 1970; null if no record has a date. */
  newestSeen: number | null;
  /** Rarity (0-1) of the submitted family name if a holder has it too. This holder is probably a relative. */
  kinship: number;
  /** True if a holder has the submitted family name, or a word of it, but another given name. */
  isOfFamily: boolean;
  /** Number of holders that have the submitted family name, but another given name. */
  relatives: number;
  /** True if a holder has the submitted given name, but another family name, and is not probably another man (see `isOfOtherMan`). */
  isOfGivenName: boolean;
  /** True if a holder has the submitted family name, and its given name may be the person's second given name. */
  isOfSecondName: boolean;
  /** Weight (0-1) of the contact against an identity that has the submitted name but not the contact. */
  conflictWeight: number;
}

/** Weighs the submitted contacts that are on record. Skips repeated contacts. */
export function weighContactsOnRecord(evidence: CheckEvidence): WeighedContact[] {
  const doubtOf = doubtByName(evidence);
  const values: WeighedContact[] = [];
  for (const [index, { kind, agreements, isRepeat, isSharedRoleMailbox }] of evidence.contacts.entries()) {
    if (isRepeat || agreements.length === 0) continue;
    const most = isSharedRoleMailbox ? COMPANY_CONTACT_CONFLICT_CERTAINTY : 1;
    values.push(toWeighedValue({ kind, agreements, index }, { evidence, doubtOf, most }));
  }
  return values;
}

function toWeighedValue(
  contact: Pick<WeighedContact, 'kind' | 'agreements' | 'index'>,
  {
    evidence: { nameAgreements, newestSeen },
    doubtOf,
    most,
  }: { evidence: CheckEvidence; doubtOf: (name: NameMatch | undefined) => number; most: number },
): WeighedContact {
  const { kind, agreements } = contact;
  const holders = new Map<number, ContactMatch>();
  let [strength, doubt, doubtBesideName, doubtForBounds] = [0, most, most, 1];
  let [ageYears, kinship, isOfFamily, isOfGivenName, isOfSecondName] = [Infinity, 0, false, false, false];
  const strangers: ContactMatch[] = [];
  let relatives = 0;
  for (const agreement of agreements) {
    const { identity } = agreement;
    const lastSeen = getContactLastSeen(agreement);
    const name = nameAgreements.get(identity);
    if (!holders.has(identity) && isOfFamilyName(name)) relatives++;
    if (!holders.has(identity)) holders.set(identity, agreement);
    strength = Math.max(strength, getCertaintyOfSoleOwner(agreement, kind));
    if (isOfFamilyName(name) || name?.isParentOrChild || name?.hasFamilyWord)
      [kinship, isOfFamily] = [Math.max(kinship, name?.kinship ?? 0), true];
    const holderDoubt = doubtOf(name);
    doubt = Math.min(doubt, holderDoubt);
    if (holderDoubt >= SURE_STRANGER && !isOfFamilyName(name)) strangers.push(agreement);
    const beside = besideName(name, holderDoubt);
    doubtBesideName = Math.min(doubtBesideName, beside);
    if (name?.sharedHalf === 'given' && !isOfOtherMan(name)) isOfGivenName = true;
    if (name?.mayBeSecondName) isOfSecondName = true;
    const isOther =
      name?.isCompany || name?.mayBeSecondName || (name?.sharedHalf === 'given' && !name.isSpeltByEmail);
    doubtForBounds = Math.min(
      doubtForBounds,
      isOther ? Math.max(beside, MAX_OTHER_PERSON_CERTAINTY.bound) : beside,
    );
    ageYears = Math.min(ageYears, getYearsBefore(newestSeen, lastSeen));
  }
  const conflictWeight = strength * doubtBesideName * getOldContactWeightFactor(ageYears, kind);
  return {
    ...contact,
    holders,
    strength,
    doubt,
    doubtBesideName,
    doubtForBounds,
    ageYears,
    strangers,
    newestSeen,
    kinship,
    isOfFamily,
    relatives,
    isOfGivenName,
    isOfSecondName,
    conflictWeight,
  };
}

/** True if an identity shares only the family name. A company with this word in its name is no relative. */
const isOfFamilyName = (name: NameMatch | undefined): boolean =>
  name?.sharedHalf === 'family' && name.isCompany !== true;

/** True for an identity of which only a common given name of men is equal, unless a submitted e-mail spells the other half of the name. */
export const isOfOtherMan = (name: NameMatch | undefined): boolean =>
  name?.hasMansName === true && name.sharedHalf === 'given' && !name.isSpeltByEmail;

/** Minimum certainty (0-1) that a holder is not the person, from which the holder counts as a person with another name. */
const SURE_STRANGER = 0.9;

/**
 * Returns the years between the last time that an identity was seen with a phone and the last time that a person with another name was, who is on
 * record only since then; 0 if there is none, and for other contacts. Such a person is a new subscriber; a person of earlier records shared the phone.
 */
export function getYearsOfLaterStrangerUse(
  { kind, holders, strangers, newestSeen }: WeighedContact,
  identity: number,
): number {
  const own = holders.get(identity);
  const lastSeen = own ? getContactLastSeen(own) : null;
  if (kind !== 'phone' || lastSeen === null) return 0;
  const later = strangers
    .filter(({ firstSeen }) => firstSeen === null || firstSeen >= lastSeen)
    .map((match) => getLastUse(match, newestSeen) ?? lastSeen);
  return Math.max(0, ...later.map((time) => time - lastSeen)) / MS_PER_YEAR;
}

/** Returns when an identity last used a contact: without a last date, when the newest record of the graph was seen. Null if no record has a date. */
export const getLastUse = (match: ContactMatch, newestSeen: number | null): number | null =>
  getContactLastSeen(match) ?? newestSeen;

/** Returns the years from a time to the newest record of the graph; 0 if one of them is unknown. */
export const getYearsBefore = (newestSeen: number | null, time: number | null) =>
  newestSeen === null || time === null ? 0 : (newestSeen - time) / MS_PER_YEAR;

/**
 * Returns the certainty (0-1) that a holder is not the person, if another identity has the whole submitted name. It is lower for a holder with the
 * same given name, or with a possible second given name of the person.
 */
function besideName(name: NameMatch | undefined, doubt: number): number {
  if (name?.mayBeSecondName) return MAX_OTHER_PERSON_CERTAINTY.givenName;
  if (isOfFamilyName(name)) return MAX_OTHER_PERSON_CERTAINTY.relative;
  if (name?.sharedHalf !== 'given' || name.isOtherForm) return doubt;
  return Math.min(MAX_OTHER_PERSON_CERTAINTY.givenName, doubt);
}

/** Creates a function that returns the certainty (0-1) that a holder is not the person, by the match of the holder's name. */
function doubtByName(evidence: CheckEvidence): (name: NameMatch | undefined) => number {
  const namesake = namesakeDoubt(evidence);
  return (name) => {
    if (name?.isSame) return namesake;
    if (evidence.nonPerson) return NON_PERSON_NAME_WEIGHT_FACTOR;
    if (name?.isCompany) return COMPANY_CONTACT_CONFLICT_CERTAINTY;
    if (name?.isNameless) return NAMELESS_IDENTITY_MAX_BITS_AND_DOUBT.doubt;
    return name ? getOtherPersonProbabilityByNameAgreement(name.agreement) : 1;
  };
}

/**
 * Returns the certainty (0-1) that a second identity with the submitted name is another person. Low for a rare name: both identities may be one
 * person whose records were not linked. Uses the number of all identities with exactly this name, because the graph's answer contains only some of
 * them.
 */
function namesakeDoubt({ nameHolders }: CheckEvidence): number {
  return MAX_OTHER_PERSON_CERTAINTY.namesake * Math.max(0, 1 - 2 / Math.max(nameHolders, 1));
}

/** Returns the match of a contact with an identity; undefined if the identity does not have the contact. */
export function getMatchWithIdentity(
  { holders }: WeighedContact,
  identity: number,
): ContactMatch | undefined {
  return holders.get(identity);
}

/** Groups contacts that have a common holder, directly or through other contacts. A group contains the contacts of one person or household. */
export function groupContactsByCommonHolders(values: readonly WeighedContact[]): WeighedContact[][] {
  const groups: WeighedContact[][] = [];
  for (const value of values) {
    const group = [value];
    for (let i = groups.length - 1; i >= 0; i--) {
      const other = groups[i];
      if (!other?.some((x) => group.some((y) => haveCommonHolder(x, y)))) continue;
      group.push(...other);
      groups.splice(i, 1);
    }
    groups.push(group);
  }
  return groups;
}

/**
 * Returns the certainty (0-1) that the holder of an old phone still uses it, because the holder has other submitted contacts: 1 for an e-mail, which
 * is never given to somebody else; less for a phone or address that is also old.
 */
export function getCertaintyOfCurrentPhoneUse(
  { holders }: WeighedContact,
  others: readonly WeighedContact[],
): number {
  let most = 0;
  for (const { kind, newestSeen, holders: otherHolders } of others)
    for (const [identity, match] of otherHolders)
      if (holders.has(identity))
        most = Math.max(
          most,
          kind === 'email'
            ? 1
            : getOldPhoneUseCertainty(getYearsBefore(newestSeen, getContactLastSeen(match))),
        );
  return most;
}

/** True if one identity has both contacts. */
export function haveCommonHolder({ holders: a }: WeighedContact, { holders: b }: WeighedContact): boolean {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  for (const identity of few.keys()) if (many.has(identity)) return true;
  return false;
}
