import type { Confidence, MatchResult } from '../model.ts';
import { getOldContactWeightFactor, MS_PER_YEAR } from './curves.ts';
import {
  getCertaintyOfCurrentPhoneUse,
  getLastUse,
  getMatchWithIdentity,
  haveCommonHolder,
  type WeighedContact,
} from './values.ts';
import { POSSIBLE_CATFISH_LIMITS, OLD_PHONE_YEARS } from './weights.ts';
import type { IdentityHypothesis } from './weigh.ts';

/**
 * True if contacts of other people outweigh the person's own contacts. Counts e-mails and phones that one person of another name, or one known
 * namesake, has alone. Addresses, or a minority of the contacts, never set the flag.
 */
export function isPossibleCatfish(
  values: readonly WeighedContact[],
  { identity, hasName, household, namesakes }: IdentityHypothesis,
  resolved: ResolvedNameAndContacts,
): boolean {
  let [own, others] = [0, 0];
  for (const value of values) {
    const isOwn = hasName && identity !== null && getMatchWithIdentity(value, identity) !== undefined;
    if (isOwn)
      own += value.kind === 'address' ? POSSIBLE_CATFISH_LIMITS.address * value.strength : value.strength;
    // If no identity has the whole name, the holder with the same given name may be the person, after a change of family name.
    else if (!hasName && value.isOfGivenName) continue;
    else if (isExclusiveToOther(value, namesakes) && !household.has(value))
      others += currentWeight(value, values, hasName);
  }
  return (
    others >= POSSIBLE_CATFISH_LIMITS.least &&
    others >= POSSIBLE_CATFISH_LIMITS.share * own &&
    !areOthersMinority(values, resolved)
  );
}

/**
 * Returns the weight (0-1) of a contact of other people, reduced by its age. An old phone has weight 0, unless another submitted contact of the same
 * people shows that they still use it. If no identity has the name, that contact must not be old itself.
 */
function currentWeight(value: WeighedContact, values: readonly WeighedContact[], hasName: boolean): number {
  const weight = value.strength * getOldContactWeightFactor(value.ageYears, value.kind);
  if (value.kind !== 'phone' || value.ageYears < OLD_PHONE_YEARS) return weight;
  const others = values.filter((other) => other !== value && haveCommonHolder(other, value));
  if (hasName) return others.length > 0 ? weight : 0;
  return weight * getCertaintyOfCurrentPhoneUse(value, others);
}

/** True for an e-mail or phone that certainly belongs to a single other person, who has another name or is a known namesake. */
const isExclusiveToOther = (value: WeighedContact, namesakes: ReadonlySet<number>) =>
  value.kind !== 'address' &&
  (value.doubt >= POSSIBLE_CATFISH_LIMITS.doubt ||
    [...value.holders.keys()].some((holder) => namesakes.has(holder))) &&
  hasOneCurrentHolder(value);

/** True if exactly one identity has the contact now. An identity has lost the contact if another identity was seen with it years later. */
function hasOneCurrentHolder({ agreements, holders, newestSeen }: WeighedContact): boolean {
  const share = Math.max(...agreements.map((agreement) => agreement.share));
  if (share === 1) return true;
  const seen = [...holders.values()].map((match) => getLastUse(match, newestSeen) ?? 0);
  const newest = Math.max(...seen);
  const former = seen.filter((time) => newest - time >= OLD_PHONE_YEARS * MS_PER_YEAR);
  return share - former.length === 1;
}

export interface ResolvedNameAndContacts {
  name: MatchResult;
  contacts: readonly MatchResult[];
}

/**
 * True if other people have at most half as many of the submitted contacts as the person. Must be true for all contacts, and for e-mails and phones
 * alone.
 */
function areOthersMinority(
  values: readonly WeighedContact[],
  { name, contacts }: ResolvedNameAndContacts,
): boolean {
  const count = { own: 0, others: 0, ownDirect: 0, othersDirect: 0 };
  for (const { index, kind } of values) {
    const isOwn = name.identity !== null && contacts[index]?.identity === name.identity;
    count[isOwn ? 'own' : 'others']++;
    if (kind !== 'address') count[isOwn ? 'ownDirect' : 'othersDirect']++;
  }
  return count.own >= 2 * count.others && count.ownDirect >= 2 * count.othersDirect;
}

/**
 * Returns the confidence level of a score: how much evidence there is for or against the person. It depends on the number and types of contacts that
 * few other identities have.
 */
export function getConfidenceFromContacts(values: readonly WeighedContact[]): Confidence {
  let total = 0;
  const kinds = new Set<WeighedContact['kind']>();
  for (const { kind, strength } of values) {
    total += strength;
    if (strength >= 0.25) kinds.add(kind);
  }
  if (kinds.size >= 2 && total >= 1.2) return 'HIGH';
  return total >= 0.5 ? 'MEDIUM' : 'LOW';
}
