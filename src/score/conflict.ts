// Evidence against a person: contacts of the claim that belong to other people.
import { getAgeingFactor, getOldPhoneScoreFloor, toMillibits } from './curves.ts';
import type { OwnContactEvidence } from './own.ts';
import { createScoreReason, type ScoreReason, type ReasonCode, toMillibitsDifference } from './reason.ts';
import {
  getAgreementWithIdentity,
  groupValuesByHolders,
  haveCommonHolder,
  type WeighedValue,
} from './values.ts';
import {
  ADDRESS_CONFLICT_BITS,
  CONTACT_CONFLICT_BITS,
  HOUSEHOLD_SCORE_FLOOR,
  HOUSEHOLD_WEIGHT_REDUCTION,
  MAX_CONFLICT_CERTAINTY_BY_RELATION,
  SHARED_CONTACTS_SCORE_BOUNDS,
  UNRECORDED_NAME_EXPONENT,
} from './weights.ts';

/** Evidence against a person from contacts that belong to other people. */
export interface ContactConflict {
  reasons: ScoreReason[];
  /** Certainty (0-1) that the e-mail or phone with the most weight belongs to another person, however long ago it was seen there. */
  worstConflict: number;
  /** Number of bits that e-mails and phones of the person's household subtract; positive. */
  householdBits: number;
  /** Number of bits that old phones of other people subtract. Zero if another contact shows that these people still have the phones. */
  oldPhoneBits: number;
  /** Lowest score (0-100) that old phones can cause. */
  oldPhoneFloor: number;
  household: ReadonlySet<WeighedValue>;
  /** Identity numbers of namesakes: other people who have the person's name and some of the submitted contacts. */
  namesakes: ReadonlySet<number>;
  /** Upper bound of the score if other people with submitted contacts also have all of the person's own contacts. */
  sharedOnlyBound: number;
  /** Certainty (0-1) that one of the contacts belongs to another person of the same name. */
  namesakeConflict: number;
  /** Number of bits that addresses subtract; positive. */
  addressBits: number;
}

/** Contact that other people have, and its weight (0-1) against the person. */
interface ConflictingValue {
  value: WeighedValue;
  conflict: number;
  /** Certainty (0-1) that the contact belongs to another person. Default: `conflict`. */
  certainty?: number;
  /** Certainty (0-1) for the upper bound of the score. Default: `certainty`. */
  boundCertainty?: number;
  /** Certainty (0-1) that an identity with the contact is a member of the person's household. */
  kinship?: number;
  /** True if an identity with the contact is another person of the same name, according to recorded suffixes or birth dates. */
  isOfNamesake?: boolean;
  /** True if the same identity has another submitted contact, which shows that it still has this contact, however old it is. */
  isConfirmed?: boolean;
}

/**
 * Weighs the contacts that an identity with the submitted name does not have. Its own contacts reduce their weight. An identity that shares
 * another contact with it is probably a member of its household.
 */
export function weighConflictWithName(
  values: readonly WeighedValue[],
  identity: number,
  { own, isNamesake }: { own: OwnContactEvidence; isNamesake: (holder: number) => boolean },
): ContactConflict {
  const support = own.kinds.reduce((all, strength) => all + strength, 0);
  const conflicts: ConflictingValue[] = [];
  let namesakes: Set<number> | null = null;
  for (const value of values) {
    if (getAgreementWithIdentity(value, identity)) continue;
    let doubt = value.doubtBesideName;
    for (const holder of value.holders.keys()) {
      if (!isNamesake(holder)) continue;
      (namesakes ??= new Set()).add(holder);
      doubt = Math.max(doubt, MAX_CONFLICT_CERTAINTY_BY_RELATION.namesake);
    }
    const household = HOUSEHOLD_WEIGHT_REDUCTION.less * sharedValueStrength(value, values, identity);
    const certainty = value.strength * doubt;
    const boundCertainty = value.strength * Math.max(doubt, value.doubtForBounds);
    const conflict = certainty * getAgeingFactor(value.ageYears, value.kind) * (1 - household);
    const isConfirmed = isConfirmedByOther(value, values, identity);
    const kinship = householdCertainty(value, values, identity);
    const isOfNamesake = namesakes !== null && isHeldByAny(value, namesakes);
    if (conflict > 0)
      conflicts.push({ value, conflict, certainty, boundCertainty, kinship, isOfNamesake, isConfirmed });
  }
  const most = CONTACT_CONFLICT_BITS.most + CONTACT_CONFLICT_BITS.unsupported * (1 - Math.min(1, support));
  const single = CONTACT_CONFLICT_BITS.single * own.directStrength;
  const result = weighConflict(conflicts, {
    most,
    further: CONTACT_CONFLICT_BITS.further,
    single,
    countAllAddresses: true,
  });
  if (conflicts.length === 0 && namesakes === null) return result;
  return {
    ...result,
    namesakes: namesakes ?? result.namesakes,
    namesakeConflict: Math.max(
      0,
      ...conflicts.map(({ isOfNamesake, certainty = 0 }) => (isOfNamesake ? certainty : 0)),
    ),
    sharedOnlyBound: boundOfSharedValues(conflicts, own),
  };
}

function isHeldByAny({ holders }: WeighedValue, identities: ReadonlySet<number>): boolean {
  for (const holder of holders.keys()) if (identities.has(holder)) return true;
  return false;
}

/** True if another contact of the same identity shows that this identity still has an old phone. The person must not have this other contact. */
const isConfirmedByOther = (value: WeighedValue, values: readonly WeighedValue[], identity: number) =>
  values.some(
    (other) =>
      other !== value && !getAgreementWithIdentity(other, identity) && haveCommonHolder(other, value),
  );

/**
 * Returns the certainty (0-1) that an e-mail or phone belongs to a member of the identity's household, because of a rare family name or a shared
 * address.
 */
function householdCertainty(value: WeighedValue, values: readonly WeighedValue[], identity: number): number {
  if (!value.isOfFamily || value.kind === 'address') return 0;
  let certainty = value.kinship;
  for (const other of values)
    if (
      other.kind === 'address' &&
      getAgreementWithIdentity(other, identity) &&
      haveCommonHolder(value, other)
    )
      certainty = Math.max(certainty, other.strength);
  return certainty;
}

/** Minimum weight (0-1) of an e-mail or phone that certainly belongs to another person now. */
const SURE_HOLDER = 0.5;
/** Minimum strength (0-1) of an own contact that distinguishes the person from the identity with the other contacts. */
const DISTINGUISHING = 0.5;

/**
 * Returns the upper bound of the score if other people, who have submitted e-mails or phones, also have the person's own contacts. Shared
 * contacts are evidence for both, so only contacts that these people do not have can identify the person.
 */
function boundOfSharedValues(conflicts: readonly ConflictingValue[], own: OwnContactEvidence): number {
  const direct = conflicts.filter(({ value }) => value.kind !== 'address');
  if (direct.length === 0) return 100;
  const weights = direct.map(({ value, certainty = 0 }) =>
    Math.min(
      1,
      (certainty * (value.kind === 'phone' ? 1 - getOldPhoneScoreFloor(value.ageYears) / 50 : 1)) /
        SURE_HOLDER,
    ),
  );
  const [worst = 0, second = 0] = weights.toSorted((a, b) => b - a);
  const kinship = Math.min(1, ...direct.map((conflict) => conflict.kinship ?? 0));
  let distinguishing = 0;
  for (const value of own.values)
    if (!direct.some((conflict) => haveCommonHolder(conflict.value, value)))
      distinguishing = Math.max(distinguishing, value.strength / DISTINGUISHING);
  const { stranger, namesake, household } = SHARED_CONTACTS_SCORE_BOUNDS;
  const relative = direct.some(({ isOfNamesake }) => isOfNamesake) ? namesake : household;
  const least = stranger + (relative - stranger) * kinship * (1 - second);
  return 100 - (100 - least) * worst * (1 - Math.min(1, distinguishing));
}

/** Returns the rules for a submitted name that no identity has. Only the first contact of each group counts, and there are no own contacts. */
const firstOfGroupRules = (): ConflictRules => ({
  most: CONTACT_CONFLICT_BITS.most + CONTACT_CONFLICT_BITS.unsupported,
  further: 0,
  single: 0,
  countAllAddresses: false,
});

/**
 * Weighs the contacts against an identity that has part of the submitted name, or no name. Contacts that are connected with the identity's own
 * contacts do not count.
 */
export function weighConflictWithPartialName(
  values: readonly WeighedValue[],
  identity: number,
): ContactConflict {
  const groups = groupValuesByHolders(values).filter(
    (group) => !group.some((value) => getAgreementWithIdentity(value, identity)),
  );
  return weighConflict(groups.flatMap(weighGroup), firstOfGroupRules());
}

/**
 * Weighs the contacts if no identity has the submitted name or a part of it. The person may also have a shared contact, although no record says
 * so.
 */
export function weighConflictWithUnknownName(values: readonly WeighedValue[]): ContactConflict {
  const conflicts = groupValuesByHolders(values)
    .flatMap(weighGroup)
    .map(({ value, conflict }) => ({
      value,
      conflict: conflict * value.strength ** UNRECORDED_NAME_EXPONENT,
    }));
  return weighConflict(conflicts, firstOfGroupRules());
}

/** Weighs a group of connected contacts. For the whole group, the most similar name and the longest time since a contact was seen are used. */
function weighGroup(group: readonly WeighedValue[]): ConflictingValue[] {
  const doubt = Math.min(...group.map((value) => value.doubt));
  const years = Math.max(...group.map((value) => value.ageYears));
  return group.map((value) => ({
    value,
    conflict: value.strength * doubt * getAgeingFactor(years, value.kind),
  }));
}

/** Minimum certainty (0-1) with which the texts say that a contact belongs to the person's household. */
const MIN_HOUSEHOLD = 0.5;

interface ConflictRules {
  /** Maximum number of bits that an e-mail or phone subtracts, if it certainly belongs to another person. */
  most: number;
  /** Share (0-1) of `most` that each further e-mail or phone of the same people subtracts. */
  further: number;
  /** Number of bits by which a single e-mail or phone subtracts less than `most`. It decreases with the certainty of a second contact. */
  single: number;
  /** True if addresses count in addition to an e-mail or phone of the same people. Otherwise only the first address of other groups counts. */
  countAllAddresses: boolean;
}

const NO_CONFLICT: Readonly<ContactConflict> = {
  reasons: [],
  worstConflict: 0,
  householdBits: 0,
  oldPhoneBits: 0,
  oldPhoneFloor: 100,
  household: new Set(),
  namesakes: new Set(),
  sharedOnlyBound: 100,
  namesakeConflict: 0,
  addressBits: 0,
};

function weighConflict(
  conflicts: ConflictingValue[],
  { most, further, single, countAllAddresses }: ConflictRules,
): ContactConflict {
  if (conflicts.length === 0) return NO_CONFLICT;
  const household = new Set<WeighedValue>();
  const result: ContactConflict = { ...NO_CONFLICT, reasons: [], household };
  const conflictOf = new Map(conflicts.map((conflict) => [conflict.value, conflict]));
  const weight = (value: WeighedValue) => conflictOf.get(value)?.conflict ?? 0;
  const addresses: WeighedValue[] = [];
  const maxRelief = single * (1 - secondWeight(conflicts));
  for (const group of groupValuesByHolders(conflicts.map(({ value }) => value))) {
    const direct = group.filter(({ kind }) => kind !== 'address').sort(byWeight(weight));
    const groupAddresses = group.filter(({ kind }) => kind === 'address').sort(byWeight(weight));
    const [firstAddress] = groupAddresses;
    const relief = firstAddress ? maxRelief * (1 - weight(firstAddress)) : maxRelief;
    for (const [i, value] of direct.entries()) {
      const conflict = conflictOf.get(value);
      const { certainty = weight(value), kinship = 0, isConfirmed = false } = conflict ?? {};
      result.worstConflict = Math.max(result.worstConflict, conflict?.boundCertainty ?? certainty);
      if (kinship >= MIN_HOUSEHOLD) household.add(value);
      const code = household.has(value) ? `${value.kind}_household` : `${value.kind}_other`;
      const exactBits = weight(value) * (i === 0 ? most - relief : most * further);
      const reason = createScoreReason(code as ReasonCode, toMillibits(-exactBits), value, keyOf(value));
      result.reasons.push(reason);
      // Rounded like the bits of the reason: the bounds must not give back more bits than the reason took away.
      const bits = -reason.millibits / 1000;
      const floor = isConfirmed ? 0 : floorOfOldPhones(further === 0 ? direct : [value]);
      // The higher lower bound applies, because an old phone of the household is old too.
      const householdShare = floor < HOUSEHOLD_SCORE_FLOOR ? kinship : 0;
      result.householdBits += householdShare * bits;
      if (floor > 0 && bits > 0 && householdShare < 1) {
        result.oldPhoneBits += (1 - householdShare) * bits;
        result.oldPhoneFloor = Math.min(result.oldPhoneFloor, floor);
      }
    }
    if (countAllAddresses) addresses.push(...groupAddresses);
    else if (direct.length === 0) addresses.push(...groupAddresses.slice(0, 1));
  }
  const addressReasons = createAddressReasons(addresses.sort(byWeight(weight)), weight);
  result.addressBits = -addressReasons.reduce((all, { millibits }) => all + millibits, 0) / 1000;
  result.reasons.push(...addressReasons);
  return result;
}

/**
 * Returns the lowest score that phones of the same people can cause; 0 if one of the contacts is an e-mail, which shows that these people
 * still have the phones. The oldest phone counts, so that a further phone never lowers the score.
 */
function floorOfOldPhones(contacts: readonly WeighedValue[]): number {
  if (contacts.some(({ kind }) => kind !== 'phone')) return 0;
  return getOldPhoneScoreFloor(Math.max(...contacts.map(({ ageYears }) => ageYears)));
}

/** Returns the second highest weight (0-1) among the e-mails and phones. */
function secondWeight(conflicts: readonly ConflictingValue[]): number {
  const direct = conflicts.filter(({ value }) => value.kind !== 'address').map(({ conflict }) => conflict);
  return direct.sort((a, b) => b - a)[1] ?? 0;
}

/** Creates a comparator that sorts values by descending weight. Values of equal weight keep the submitted order. */
const byWeight = (weight: (value: WeighedValue) => number) => (a: WeighedValue, b: WeighedValue) =>
  weight(b) - weight(a) || a.index - b.index;

const keyOf = ({ agreements }: WeighedValue) => agreements[0]?.type ?? null;

/** Creates the reasons for the addresses. The sum of their bits approaches a maximum. */
function createAddressReasons(
  addresses: readonly WeighedValue[],
  weight: (value: WeighedValue) => number,
): ScoreReason[] {
  let remaining = 1;
  return addresses.map((value) => {
    const before = -ADDRESS_CONFLICT_BITS.most * (1 - remaining);
    remaining *= 1 - weight(value);
    const after = -ADDRESS_CONFLICT_BITS.most * (1 - remaining);
    return createScoreReason('address_other', toMillibitsDifference(before, after), value, keyOf(value));
  });
}

/**
 * Returns the certainty (0-1) that an identity with the value shares another value with the given identity. Relatives share an address, so a
 * shared address counts only as far as the names are similar.
 */
function sharedValueStrength(value: WeighedValue, values: readonly WeighedValue[], identity: number): number {
  const nameSimilarity = Math.min(1, HOUSEHOLD_WEIGHT_REDUCTION.alike * (1 - value.doubtBesideName));
  let strongest = 0;
  for (const other of values) {
    const strength = other.strength * (other.kind === 'address' ? nameSimilarity : 1);
    if (strength <= strongest || !getAgreementWithIdentity(other, identity)) continue;
    if (haveCommonHolder(value, other)) strongest = strength;
  }
  return strongest;
}
