// Weighed values: the weight of each contact on record for its holders and against other people.
import type { ContactAgreement, ContactKind, Evidence, NameAgreement } from '../model.ts';
import { getAgeingFactor, getProbabilityOfOtherPerson, getOwnershipStrength, MS_PER_YEAR } from './curves.ts';
import {
  COMPANY_CONTACT_WEIGHT,
  MAX_CONFLICT_CERTAINTY_BY_RELATION,
  NAMELESS_IDENTITY_WEIGHTS,
  NON_PERSON_CONTACT_WEIGHT,
} from './weights.ts';

/** Contact that is on record, with weights that do not depend on who the person is. Its holders are the identities that have it. */
export interface WeighedValue {
  index: number;
  kind: ContactKind;
  agreements: readonly ContactAgreement[];
  /** First agreement (match by a look-up key) of each identity that has the contact, by identity number. */
  holders: ReadonlyMap<number, ContactAgreement>;
  /** Highest certainty (0-1) that the contact belongs to one of the identities that have it. */
  strength: number;
  /** Certainty (0-1) that none of the identities with the contact is the person of the submitted name. */
  doubt: number;
  /** `doubt` if another identity has the full submitted name. A relative with the contact is then certainly another person. */
  doubtBesideName: number;
  /** `doubtBesideName` for upper bounds. A person with the same given name then also counts as another person. */
  doubtForBounds: number;
  /** Years between the newest record of the graph and the last time that an identity was seen with the contact. */
  ageYears: number;
  /** Rarity (0-1) of the submitted family name if an identity with the contact has it too. This identity is probably a relative. */
  kinship: number;
  /** True if an identity with the contact has the submitted family name but another given name. */
  isOfFamily: boolean;
  /** Weight (0-1) of the contact against an identity that has the submitted name but not the contact. */
  conflictWeight: number;
}

/** Returns the contacts that are on record. A repeated contact is returned once. */
export function weighContactsOnRecord(evidence: Evidence): WeighedValue[] {
  const doubtOf = doubtByName(evidence);
  const values: WeighedValue[] = [];
  for (const [index, { kind, agreements, isRepeat }] of evidence.contacts.entries())
    if (!isRepeat && agreements.length > 0)
      values.push(toWeighedValue({ kind, agreements, index }, evidence, doubtOf));
  return values;
}

function toWeighedValue(
  contact: Pick<WeighedValue, 'kind' | 'agreements' | 'index'>,
  { nameAgreements, newestSeen }: Evidence,
  doubtOf: (name: NameAgreement | undefined) => number,
): WeighedValue {
  const { kind, agreements } = contact;
  const holders = new Map<number, ContactAgreement>();
  let [strength, doubt, doubtBesideName, doubtForBounds] = [0, 1, 1, 1];
  let [ageYears, kinship, isOfFamily] = [Infinity, 0, false];
  for (const agreement of agreements) {
    const { identity, lastSeen } = agreement;
    if (!holders.has(identity)) holders.set(identity, agreement);
    const name = nameAgreements.get(identity);
    strength = Math.max(strength, getOwnershipStrength(agreement, kind));
    if (name?.sharedHalf === 'family') [kinship, isOfFamily] = [Math.max(kinship, name.kinship ?? 0), true];
    const holderDoubt = doubtOf(name);
    doubt = Math.min(doubt, holderDoubt);
    const beside = besideName(name, holderDoubt);
    doubtBesideName = Math.min(doubtBesideName, beside);
    const isOther = name?.sharedHalf === 'given' && !name.isSpeltByEmail;
    doubtForBounds = Math.min(
      doubtForBounds,
      isOther ? Math.max(beside, MAX_CONFLICT_CERTAINTY_BY_RELATION.bound) : beside,
    );
    ageYears = Math.min(
      ageYears,
      lastSeen === null || newestSeen === null ? 0 : (newestSeen - lastSeen) / MS_PER_YEAR,
    );
  }
  const conflictWeight = strength * doubtBesideName * getAgeingFactor(ageYears, kind);
  return {
    ...contact,
    holders,
    strength,
    doubt,
    doubtBesideName,
    doubtForBounds,
    ageYears,
    kinship,
    isOfFamily,
    conflictWeight,
  };
}

/**
 * Returns the certainty (0-1) that a holder of the contact is not the person, if another identity has the full name. A holder with the same
 * given name may still be the person.
 */
function besideName(name: NameAgreement | undefined, doubt: number): number {
  if (name?.sharedHalf === 'family') return MAX_CONFLICT_CERTAINTY_BY_RELATION.relative;
  return name?.sharedHalf === 'given' ? Math.min(MAX_CONFLICT_CERTAINTY_BY_RELATION.givenName, doubt) : doubt;
}

/**
 * Creates a function that returns the certainty (0-1) that an identity with the contact is not the person. Its argument is the agreement of the
 * identity's name.
 */
function doubtByName(evidence: Evidence): (name: NameAgreement | undefined) => number {
  const namesake = namesakeDoubt(evidence);
  return (name) => {
    if (name?.isSame) return namesake;
    if (evidence.nonPerson) return NON_PERSON_CONTACT_WEIGHT;
    if (name?.isCompany) return COMPANY_CONTACT_WEIGHT;
    if (name?.isNameless) return NAMELESS_IDENTITY_WEIGHTS.doubt;
    return name ? getProbabilityOfOtherPerson(name.agreement) : 1;
  };
}

/**
 * Returns the certainty (0-1) that a second identity with the name is another person. Two identities with a rare name may be one person whose
 * records were not linked. All identities with exactly this name are counted, because the identities in the answer depend on the submitted
 * values.
 */
function namesakeDoubt({ nameHolders }: Evidence): number {
  return MAX_CONFLICT_CERTAINTY_BY_RELATION.namesake * Math.max(0, 1 - 2 / Math.max(nameHolders, 1));
}

/** Returns how an identity agrees with a value; undefined if it does not have the value. */
export function getAgreementWithIdentity(
  { holders }: WeighedValue,
  identity: number,
): ContactAgreement | undefined {
  return holders.get(identity);
}

/** Groups values that share an identity. A group contains the values of one person or household. */
export function groupValuesByHolders(values: readonly WeighedValue[]): WeighedValue[][] {
  const groups: WeighedValue[][] = [];
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

/** True if one identity has both values. */
export function haveCommonHolder({ holders: a }: WeighedValue, { holders: b }: WeighedValue): boolean {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  for (const identity of few.keys()) if (many.has(identity)) return true;
  return false;
}
