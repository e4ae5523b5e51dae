// Weighed values: the weight of each contact on record for its holders and against other people.
import type { Agreement, ContactKind, Evidence, NameAgreement } from '../model.ts';
import { getAgeingFactor, getDoubtByNameAgreement, getOwnershipStrength, YEAR_MS } from './curves.ts';
import { COMPANY_DOUBT, MAX_DOUBT_BY_RELATION, NAMELESS_IDENTITY_WEIGHTS } from './weights.ts';

/**
 * Contact that is on record, with weights that do not depend on who the person is. Its holders are the identities that have the contact.
 */
export interface WeighedValue {
  index: number;
  kind: ContactKind;
  agreements: readonly Agreement[];
  /** First agreement of each identity with the contact, by identity number. */
  holders: ReadonlyMap<number, Agreement>;
  /** Certainty, 0-1, that the contact belongs to an identity that has the contact; the highest certainty among these identities. */
  strength: number;
  /** Certainty, 0-1, that no identity with the contact is the person of the submitted name. */
  doubt: number;
  /** Value of `doubt` if another identity has the whole name: a relative is then certainly another person. */
  doubtBesideName: number;
  /** Value of `doubtBesideName` for upper bounds: for these, somebody of the same given name counts as another person too. */
  doubtForBounds: number;
  /** Years between the newest record of the graph and the last time that an identity was seen with the contact. */
  ageYears: number;
  /** Rarity, 0-1, of the submitted family name, if an identity with the contact has the same family name: it is likely a relative. */
  kinship: number;
  /** True if an identity with the contact has the submitted family name, but another given name. */
  isOfFamily: boolean;
  /** Weight of the contact, 0-1, against an identity with the name that does not have the contact. */
  conflictWeight: number;
}

/** Returns the contacts that are on record, each once. */
export function toWeighedValues(evidence: Evidence): WeighedValue[] {
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
  const holders = new Map<number, Agreement>();
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
      isOther ? Math.max(beside, MAX_DOUBT_BY_RELATION.bound) : beside,
    );
    ageYears = Math.min(
      ageYears,
      lastSeen === null || newestSeen === null ? 0 : (newestSeen - lastSeen) / YEAR_MS,
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
 * Returns the certainty, 0-1, that a holder is not the person if another identity has the whole name. A holder with the same given name may
 * still be the person.
 */
function besideName(name: NameAgreement | undefined, doubt: number): number {
  if (name?.sharedHalf === 'family') return MAX_DOUBT_BY_RELATION.relative;
  return name?.sharedHalf === 'given' ? Math.min(MAX_DOUBT_BY_RELATION.givenName, doubt) : doubt;
}

/** Returns a function from the agreement of a holder's name to the certainty (0-1) that the holder is not the person. */
function doubtByName(evidence: Evidence): (name: NameAgreement | undefined) => number {
  const namesake = namesakeDoubt(evidence);
  return (name) => {
    if (name?.isSame) return namesake;
    if (name?.isCompany) return COMPANY_DOUBT;
    if (name?.isNameless) return NAMELESS_IDENTITY_WEIGHTS.doubt;
    return name ? getDoubtByNameAgreement(name.agreement) : 1;
  };
}

/**
 * Returns the certainty, 0-1, that another identity with the name is another person. Two identities with a rare name may be one person who
 * was not linked. The result depends on all identities with exactly this name, because the identities in the answer depend on the submitted
 * values.
 */
function namesakeDoubt({ nameHolders }: Evidence): number {
  return MAX_DOUBT_BY_RELATION.namesake * Math.max(0, 1 - 2 / Math.max(nameHolders, 1));
}

/** Returns how an identity agrees with a value; undefined if the identity does not have the value. */
export function getAgreementWithIdentity({ holders }: WeighedValue, identity: number): Agreement | undefined {
  return holders.get(identity);
}

/** Groups values that have common holders: the values of one person or one household. */
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
