// Evidence against a person: submitted contacts that belong to other people. "The person" is the identity that is assumed to be the named
// one.
import { getContactLastSeen } from '../model.ts';
import { getOldContactWeightFactor, getOtherPersonPhoneScoreFloor, toMillibits } from './curves.ts';
import { isOfOneWithAllContacts, type MatchingContactEvidence } from './matching-contacts.ts';
import {
  areSharedByFamily,
  getCommonHomeCertainty,
  getHouseholdCertainty,
  getSharedContactStrength,
} from './household.ts';
import { createScoreReason, type ScoreReason, type ReasonCode, toMillibitsDifference } from './reason.ts';
import {
  getMatchWithIdentity,
  getYearsBefore,
  groupContactsByCommonHolders,
  haveCommonHolder,
  type WeighedContact,
} from './values.ts';
import {
  OTHER_PERSON_ADDRESS_WEIGHT,
  OTHER_PERSON_CONTACT_WEIGHTS,
  HOUSEHOLD_SCORE_FLOOR,
  HOUSEHOLD_WEIGHT_REDUCTION,
  MAX_OTHER_PERSON_CERTAINTY,
  OTHER_PERSON_SHARES_CONTACTS_SCORE_BOUNDS,
  UNRECORDED_NAME_CONTACT_WEIGHT,
} from './weights.ts';

/** Evidence against an identity: submitted contacts that belong to other people. */
export interface ContactConflict {
  reasons: ScoreReason[];
  /** Highest certainty (0-1) that a submitted e-mail or phone belongs to another person, even if that person was last seen with it long ago. */
  worstConflict: number;
  /** Number of bits of evidence that e-mails and phones of the person's household subtract, as a positive number. */
  householdBits: number;
  /**
   * Number of bits of evidence that old phones of other people subtract, as a positive number. A phone does not count as old if another submitted
   * contact shows that these people still have it.
   */
  oldPhoneBits: number;
  /** Lowest score (0-100) to which other people's old phones alone can lower the score. */
  oldPhoneFloor: number;
  household: ReadonlySet<WeighedContact>;
  /** Identity numbers of other people who have the person's name and some of the submitted contacts. */
  namesakes: ReadonlySet<number>;
  /**
   * Upper bound of the score (39-100). It is below 100 if another person has all of the person's submitted contacts, and also a submitted e-mail or
   * phone that the person lacks.
   */
  sharedOnlyBound: number;
  /** Certainty (0-1) that one of the contacts belongs to another person of the same name. */
  namesakeConflict: number;
  /** Number of bits of evidence that addresses of other people subtract, as a positive number. */
  addressBits: number;
}

/** Submitted contact that other people have. `conflict` is its weight (0-1) as evidence against the person. */
interface ConflictingValue {
  value: WeighedContact;
  conflict: number;
  /** Certainty (0-1) that the contact belongs to another person, not reduced by the age of the contact. Default: `conflict`. */
  certainty?: number;
  /** The certainty by which the contact lowers the upper bound of the score. Default: `certainty`. */
  boundCertainty?: number;
  /** Certainty (0-1) that an identity with the contact is of the person's household, according to its name. */
  kinship?: number;
  /** Certainty (0-1) that an identity with the contact is of the person's household, according to its name or its home. */
  household?: number;
  /** True if another person of the same name has the contact. A suffix or birth date on record distinguishes the two. */
  isOfNamesake?: boolean;
  /**
   * True if the other person with this contact has another submitted contact too. The contact then counts as still in use, however long ago it was
   * last seen.
   */
  isConfirmed?: boolean;
}

/** Identity with the submitted name: its own contacts, the last dates of identities, and who is its namesake, or has the same address on record. */
interface NameHolder extends Record<'isNamesake' | 'isHousemate', (holder: number) => boolean> {
  own: MatchingContactEvidence;
  lastSeenOf: (identity: number) => number | null;
}

/**
 * Weighs the submitted contacts that an identity with the submitted name lacks. A contact weighs less if the identity has other submitted contacts.
 * It also weighs less if the identity shares one of these with the contact's holders, who are then probably of its household.
 */
export function weighContactsOfOtherPeople(
  values: readonly WeighedContact[],
  identity: number,
  { own, lastSeenOf, isNamesake, isHousemate }: NameHolder,
): ContactConflict {
  const support = own.kinds.reduce((all, strength) => all + strength, 0);
  const conflicts: ConflictingValue[] = [];
  // Contacts of an identity without a name, or of the same name, are listed without weight.
  const neutral: ScoreReason[] = [];
  let namesakes: Set<number> | null = null;
  for (const value of values) {
    if (getMatchWithIdentity(value, identity)) continue;
    let doubt = value.doubtBesideName;
    for (const holder of value.holders.keys()) {
      if (!isNamesake(holder)) continue;
      (namesakes ??= new Set()).add(holder);
      doubt = Math.max(doubt, MAX_OTHER_PERSON_CERTAINTY.namesake);
    }
    // A housemate of another family name counts like a relative.
    const home = getCommonHomeCertainty(value, values, { identity, lastSeenOf, isHousemate });
    doubt -= home * Math.max(0, doubt - MAX_OTHER_PERSON_CERTAINTY.relative);
    const relief =
      HOUSEHOLD_WEIGHT_REDUCTION.less *
      getSharedContactStrength({ value, doubt: Math.min(doubt, value.doubtBesideName) }, values, identity);
    // Other shared contacts cannot show that both names are of one person: relatives share contacts, too.
    const certainty = value.strength * (value.isOfSecondName ? Math.max(doubt, SURE_HOLDER) : doubt);
    // The bound does not depend on how many people have the contact: it is somebody else's all the same.
    const boundCertainty = Math.max(doubt, value.doubtForBounds);
    const conflict =
      value.strength * doubt * getOldContactWeightFactor(value.ageYears, value.kind) * (1 - relief);
    const isConfirmed = isConfirmedByOther(value, values, identity);
    const isOfHousehold =
      value.isOfSecondName ||
      [...value.holders.keys()].some((id) => isHousemate(id) && (value.isOfFamily || isNamesake(id)));
    const kinship =
      isOfHousehold && value.kind !== 'address' ? 1 : getHouseholdCertainty(value, values, identity);
    const isOfNamesake = namesakes !== null && isHeldByAny(value, namesakes);
    if (conflict > 0)
      conflicts.push({
        value,
        conflict,
        certainty,
        boundCertainty,
        kinship,
        household: Math.max(kinship, home),
        isOfNamesake,
        isConfirmed,
      });
    else neutral.push(createUncountedReason(value));
  }
  const most =
    OTHER_PERSON_CONTACT_WEIGHTS.most + OTHER_PERSON_CONTACT_WEIGHTS.unsupported * (1 - Math.min(1, support));
  const single = OTHER_PERSON_CONTACT_WEIGHTS.single * own.directStrength;
  const result = weighConflict(conflicts, {
    most,
    further: OTHER_PERSON_CONTACT_WEIGHTS.further,
    single,
    countAllAddresses: true,
  });
  const reasons = [...result.reasons, ...neutral];
  if (conflicts.length === 0 && namesakes === null) return { ...result, reasons };
  return {
    ...result,
    reasons,
    namesakes: namesakes ?? result.namesakes,
    namesakeConflict: Math.max(
      0,
      ...conflicts.map(({ isOfNamesake, certainty = 0 }) => (isOfNamesake ? certainty : 0)),
    ),
    sharedOnlyBound: boundOfSharedValues(conflicts, own),
  };
}

/**
 * True if another submitted contact has the same holder as this contact, and the identity has neither. Even an old phone then counts as still in use.
 */
const isConfirmedByOther = (value: WeighedContact, values: readonly WeighedContact[], identity: number) =>
  values.some(
    (other) => other !== value && !getMatchWithIdentity(other, identity) && haveCommonHolder(other, value),
  );

function isHeldByAny({ holders }: WeighedContact, identities: ReadonlySet<number>): boolean {
  for (const holder of holders.keys()) if (identities.has(holder)) return true;
  return false;
}

/** True if an identity with the contact may be the person after a change of name, or a relative. */
const isOfSimilarName = ({ isOfFamily, isOfGivenName }: WeighedContact) => isOfFamily || isOfGivenName;

/** Certainty (0-1) that an e-mail or phone belongs to another person, from which it lowers the upper bound of the score by the full amount. */
const SURE_HOLDER = 0.5;
/** Strength (0-1) of a contact that only the person has, from which the contact fully distinguishes the person from other people. */
const DISTINGUISHING = 0.5;

/** Number of points by which shared contacts can raise the score above what another person's old phone alone leaves. */
const ABOVE_OLD_PHONE = 4;

/**
 * Returns the upper bound of the score for the case that other people have the person's contacts and further submitted contacts. Shared contacts are
 * evidence for all of these people, so only contacts that the other people lack can identify the person. Other people's addresses count like contacts
 * of the household, because people move.
 */
function boundOfSharedValues(conflicts: readonly ConflictingValue[], own: MatchingContactEvidence): number {
  const direct = conflicts.filter(({ value }) => value.kind !== 'address');
  const addresses = conflicts.filter(({ value }) => value.kind === 'address' && !isOfSimilarName(value));
  return Math.min(boundOfSharedKinds(direct, own), boundOfSharedKinds(addresses, own, 1));
}

/**
 * Returns the upper bound of the score because of `foreign`: submitted e-mails and phones, or addresses, that other people have and the person lacks.
 * `similarity` (0-1) is how far these people count as members of the person's household; by default, how far their names show kinship.
 */
function boundOfSharedKinds(
  foreign: readonly ConflictingValue[],
  own: MatchingContactEvidence,
  similarity?: number,
): number {
  if (foreign.length === 0) return 100;
  const { stranger, namesake, household } = OTHER_PERSON_SHARES_CONTACTS_SCORE_BOUNDS;
  const weights = foreign.map(({ certainty = 0 }) => Math.min(1, certainty / SURE_HOLDER));
  const second = weights.toSorted((a, b) => b - a)[1] ?? 0;
  const kinship = Math.min(1, ...foreign.map((conflict) => conflict.kinship ?? 0));
  let distinguishing = 0;
  for (const value of own.values)
    if (!foreign.some((conflict) => haveCommonHolder(conflict.value, value)))
      distinguishing = Math.max(distinguishing, value.strength / DISTINGUISHING);
  const relative = foreign.some(({ isOfNamesake }) => isOfNamesake) ? namesake : household;
  const share = similarity ?? kinship * (1 - second);
  const lowered = foreign.map(({ value: { kind, ageYears } }, i) => {
    // Beside an old phone, shared contacts may leave as much as the phone alone does.
    const alone = kind === 'phone' ? getOtherPersonPhoneScoreFloor(ageYears) + ABOVE_OLD_PHONE : 0;
    const least = Math.max(stranger, alone);
    return (100 - least - (relative - least) * share) * (weights[i] ?? 0);
  });
  return 100 - Math.max(...lowered) * (1 - Math.min(1, distinguishing));
}

/**
 * Returns the rules for weighing if no identity has the whole submitted name. Of each group of connected contacts, only the contact with the highest
 * weight then counts.
 */
const firstOfGroupRules = (): ConflictRules => ({
  most: OTHER_PERSON_CONTACT_WEIGHTS.most + OTHER_PERSON_CONTACT_WEIGHTS.unsupported,
  further: 0,
  single: 0,
  countAllAddresses: false,
});

/**
 * Weighs the evidence against an identity that has part of the submitted name, or no name. Does not count contacts that belong to this identity, or
 * that are connected with such a contact. A rarer e-mail or phone of somebody who has all of the identity's submitted contacts counts: shared
 * contacts do not distinguish the two.
 */
export function weighConflictWithPartialNameHolder(
  values: readonly WeighedContact[],
  identity: number,
): ContactConflict {
  const groups = groupContactsByCommonHolders(values).map((group) =>
    group.some((value) => getMatchWithIdentity(value, identity))
      ? group.filter((value) => isOfOneWithAllContacts(value, values, identity))
      : group,
  );
  return weighConflict(groups.filter((group) => group.length > 0).flatMap(weighGroup), firstOfGroupRules());
}

/**
 * Weighs the evidence against a person who is not on record: no identity has the submitted name or a part of it. Contacts of several identities count
 * less, because this person may have them too.
 */
export function weighConflictWithoutNameHolder(values: readonly WeighedContact[]): ContactConflict {
  const { exponent, shared } = UNRECORDED_NAME_CONTACT_WEIGHT;
  const conflicts = groupContactsByCommonHolders(values)
    .flatMap(weighGroup)
    .map(({ conflict, ...rest }) => ({
      ...rest,
      conflict: conflict * rest.value.strength ** exponent * Math.min(1, rest.value.strength / shared),
    }));
  return weighConflict(conflicts, firstOfGroupRules());
}

/**
 * Weighs a group of connected contacts (see `groupContactsByCommonHolders`). Each contact counts with the lowest doubt in the group (that of the
 * holder with the most similar name) and the age of the oldest contact. If a whole family shares the contacts, only the one with the least effect
 * counts, because the person is probably another member.
 */
function weighGroup(group: readonly WeighedContact[]): ConflictingValue[] {
  const doubt = Math.min(...group.map((value) => value.doubt));
  const years = Math.max(...group.map((value) => value.ageYears));
  const conflicts = group.map((value) => ({
    value,
    conflict: value.strength * doubt * getOldContactWeightFactor(years, value.kind),
  }));
  if (!areSharedByFamily(group)) return conflicts;
  const isAddress = ({ value }: ConflictingValue) => Number(value.kind === 'address');
  const [least, ...others] = conflicts.sort(
    (a, b) => isAddress(b) - isAddress(a) || a.conflict - b.conflict || a.value.index - b.value.index,
  );
  return [
    ...(least ? [least] : []),
    ...others.map(({ value }) => ({ value, conflict: 0, household: Number(value.isOfFamily) })),
  ];
}

/** Minimum certainty (0-1) that a contact belongs to the person's household, from which the texts of the answer say so. */
const MIN_HOUSEHOLD = 0.5;

interface ConflictRules {
  /** Maximum number of bits that an e-mail or phone subtracts, if it certainly belongs to another person. */
  most: number;
  /** Fraction (0-1) of `most`: the maximum for each e-mail or phone after the first one of a group of connected contacts. */
  further: number;
  /** Number of bits by which the only e-mail or phone subtracts less than `most`. A second e-mail or phone makes this reduction smaller. */
  single: number;
  /** True if all addresses count. Otherwise one address counts for each group in which no e-mail or phone counts. */
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
  const household = new Set<WeighedContact>();
  const result: ContactConflict = { ...NO_CONFLICT, reasons: [], household };
  const conflictOf = new Map(conflicts.map((conflict) => [conflict.value, conflict]));
  const weight = (value: WeighedContact) => conflictOf.get(value)?.conflict ?? 0;
  const addresses: WeighedContact[] = [];
  const maxRelief = single * (1 - secondWeight(conflicts));
  for (const group of groupContactsByCommonHolders(conflicts.map(({ value }) => value))) {
    const direct = group.filter(({ kind }) => kind !== 'address').sort(byWeight(weight));
    const groupAddresses = group.filter(({ kind }) => kind === 'address').sort(byWeight(weight));
    const [firstAddress] = groupAddresses;
    const relief = firstAddress ? maxRelief * (1 - weight(firstAddress)) : maxRelief;
    for (const [i, value] of direct.entries()) {
      const conflict = conflictOf.get(value);
      const { certainty = weight(value), household: share = 0, isConfirmed = false } = conflict ?? {};
      result.worstConflict = Math.max(result.worstConflict, conflict?.boundCertainty ?? certainty);
      if (share >= MIN_HOUSEHOLD) household.add(value);
      const code = household.has(value) ? `${value.kind}_household` : `${value.kind}_other`;
      const exactBits = weight(value) * (i === 0 ? most - relief : most * further);
      const reason = createScoreReason(code as ReasonCode, toMillibits(-exactBits), value, keyOf(value));
      result.reasons.push(reason);
      // Rounded like the bits of the reason: the bounds must not give back more bits than the reason took away.
      const bits = -reason.millibits / 1000;
      const floor = isConfirmed ? 0 : floorOfOldPhones(further === 0 ? direct : [value]);
      // An old phone of the household has two lower bounds. The higher one applies.
      const householdShare = floor < HOUSEHOLD_SCORE_FLOOR ? share : 0;
      result.householdBits += householdShare * bits;
      if (floor > 0 && bits > 0 && householdShare < 1) {
        result.oldPhoneBits += (1 - householdShare) * bits;
        result.oldPhoneFloor = Math.min(result.oldPhoneFloor, floor);
      }
    }
    if (countAllAddresses) addresses.push(...groupAddresses);
    else if (direct.every((value) => weight(value) === 0)) addresses.push(...groupAddresses.slice(0, 1));
  }
  const addressReasons = createAddressReasons(addresses.sort(byWeight(weight)), weight);
  result.addressBits = -addressReasons.reduce((all, { millibits }) => all + millibits, 0) / 1000;
  result.reasons.push(...addressReasons);
  return result;
}

/**
 * Returns the lowest score to which old phones of the same people can lower the score; 0 if one of the contacts is an e-mail, which shows that these
 * people still have the phones. The age of the oldest phone counts, so that a further phone never lowers the score.
 */
function floorOfOldPhones(contacts: readonly WeighedContact[]): number {
  if (contacts.some(({ kind }) => kind !== 'phone')) return 0;
  const years = Math.max(...contacts.map(({ ageYears }) => ageYears));
  return getOtherPersonPhoneScoreFloor(Math.min(years, getYearsSinceHoldersSeen(contacts)));
}

/** Returns the years since the identity that was seen longest ago was last seen with one of its contacts. */
function getYearsSinceHoldersSeen(contacts: readonly WeighedContact[]): number {
  const years = new Map<number, number>();
  for (const { holders, newestSeen } of contacts)
    for (const [identity, match] of holders) {
      const age = getYearsBefore(newestSeen, getContactLastSeen(match));
      years.set(identity, Math.min(age, years.get(identity) ?? age));
    }
  return Math.max(...years.values());
}

/** Returns the second highest weight (0-1) of the e-mails and phones; 0 if there are fewer than two. */
function secondWeight(conflicts: readonly ConflictingValue[]): number {
  const direct = conflicts.filter(({ value }) => value.kind !== 'address').map(({ conflict }) => conflict);
  return direct.sort((a, b) => b - a)[1] ?? 0;
}

/** Creates a comparator that sorts values by descending weight. Values of equal weight keep the submitted order. */
const byWeight = (weight: (value: WeighedContact) => number) => (a: WeighedContact, b: WeighedContact) =>
  weight(b) - weight(a) || a.index - b.index;

/** Creates the reason without weight for a contact on record that counts neither for nor against the person. */
export const createUncountedReason = (value: WeighedContact): ScoreReason =>
  createScoreReason(`${value.kind}_other`, 0, value, keyOf(value));

const keyOf = ({ agreements }: WeighedContact) => agreements[0]?.type ?? null;

/** Creates the reasons for addresses of other people. All together subtract fewer bits than `OTHER_PERSON_ADDRESS_WEIGHT.most`. */
function createAddressReasons(
  addresses: readonly WeighedContact[],
  weight: (value: WeighedContact) => number,
): ScoreReason[] {
  let remaining = 1;
  return addresses.map((value) => {
    const before = -OTHER_PERSON_ADDRESS_WEIGHT.most * (1 - remaining);
    remaining *= 1 - weight(value);
    const after = -OTHER_PERSON_ADDRESS_WEIGHT.most * (1 - remaining);
    return createScoreReason('address_other', toMillibitsDifference(before, after), value, keyOf(value));
  });
}
