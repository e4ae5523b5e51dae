// Weighs the evidence for every identity that may be the person of the submitted name, and finds the most probable one.
import type { CheckEvidence, NameMatch } from '../model.ts';
import {
  type ContactConflict,
  createUncountedReason,
  weighContactsOfOtherPeople,
  weighConflictWithPartialNameHolder,
  weighConflictWithoutNameHolder,
} from './conflict.ts';
import {
  combineBitsOfBothConditions,
  createScoreScale,
  getMaxTotalBitsByNameAgreement,
  type ScoreScale,
  toMillibits,
} from './curves.ts';
import {
  haveRelativesAtHome,
  hasHomeAndOnlyOneRecord,
  isFamilyHome,
  isHouseholdMember,
  isOfOneRelative,
  isRelativeByName,
  isSingleContactOfRelative,
} from './household.ts';
import {
  getHistoryLengthBits,
  getRecordedNameBits,
  isCoveredByAnother,
  type MatchingContactEvidence,
  weighMatchingContacts,
} from './matching-contacts.ts';
import { applyScoreBounds, raiseToFloor, type ScoreBoundName, type ScoreCeiling } from './points.ts';
import { createScoreReason, type ScoreReason, sumReasonBits, toMillibitsDifference } from './reason.ts';
import { getMatchWithIdentity, isOfOtherMan, weighContactsOnRecord, type WeighedContact } from './values.ts';
import {
  CONFLICT_SCORE_UPPER_BOUND,
  MIN_PARTIAL_NAME_AGREEMENT_PERCENT,
  NAMELESS_IDENTITY_MAX_BITS_AND_DOUBT,
  OTHER_GIVEN_NAME_PENALTY,
  PARTIAL_NAME_MAX_BITS_FLOOR,
  PARTIAL_NAME_WEIGHT_GAIN_AGREEMENT_RANGE,
  FAMILY_MEMBER_MAX_BITS,
  MANS_NAME_PENALTY,
  START_WEIGHT,
} from './weights.ts';

/**
 * Evidence of a check, weighed on the assumption that the person of the submitted name is this identity, or is not on record (`identity` is null).
 */
export interface IdentityHypothesis {
  identity: number | null;
  hasName: boolean;
  /** Sum of all reasons in bits (log2 of the odds). */
  bits: number;
  reasons: ScoreReason[];
  /** Points (0-100) before the bounds are applied. */
  adjusted: number;
  /** Points (0-100, not rounded) after the bounds are applied. */
  score: number;
  bound: ScoreBoundName | null;
  /** All upper bounds that apply to this hypothesis, even those that did not lower its score. */
  ceilings: readonly ScoreCeiling[];
  own: MatchingContactEvidence;
  household: ReadonlySet<WeighedContact>;
  /** Identity numbers of other people who have the person's name and some of the submitted contacts. */
  namesakes: ReadonlySet<number>;
}

/**
 * Returns the most probable hypothesis about who the person is. Every identity with the submitted name is a hypothesis. If there is none, the
 * hypotheses are every identity with part of the name or without a name, and a person who is not on record. Bits of independent matches are added
 * (Fellegi and Sunter 1969). The score is that of the best hypothesis, not a sum over all, so that a further contact of the person never lowers it.
 */
export function findBestHypothesis(
  evidence: CheckEvidence,
  values = weighContactsOnRecord(evidence),
  scale: ScoreScale = createScoreScale(null),
): IdentityHypothesis {
  const best = findBestOfAll(evidence, values, scale);
  const { withoutPhoneAddresses: other } = evidence;
  if (!other) return best;
  const floor = Math.min(
    CONFLICT_SCORE_UPPER_BOUND,
    findBestHypothesis(other, weighContactsOnRecord(other), scale).score,
  );
  return raiseToFloor(best, 'phone_country', floor);
}

function findBestOfAll(
  evidence: CheckEvidence,
  values: readonly WeighedContact[],
  scale: ScoreScale,
): IdentityHypothesis {
  const nameHolders: number[] = [];
  for (const [id, name] of evidence.nameAgreements) if (name.isSame) nameHolders.push(id);
  const isOnRecord = nameHolders.length > 0;
  const candidates = isOnRecord ? nameHolders : findPartialMatches(evidence, values);
  const isNonPerson = (evidence.nonPerson ?? null) !== null;
  const how = { values, scale, isNonPerson, nameCeiling: ceilingOfName() };
  let best = isOnRecord ? null : applyScale(unknownPersonHypothesis(values), how);
  const household = new Set<WeighedContact>();
  for (const id of candidates) {
    const nameCeiling = ceilingOfName(evidence.nameAgreements.get(id));
    const weighed = applyScale(identityHypothesis(evidence, values, id), { ...how, nameCeiling });
    const floor = weighed.hasName ? scoreOfUnrecordedRelative(evidence, values, weighed, how) : 0;
    const hypothesis = raiseToFloor(weighed, 'household', floor);
    for (const value of weighed.household) household.add(value);
    if (best === null || isBetter(hypothesis, best)) best = hypothesis;
  }
  best ??= applyScale(unknownPersonHypothesis(values), how);
  // A relative's contact stays one, even if an unknown person is the most probable.
  return best.identity === null ? { ...best, household } : best;
}

/**
 * Returns the score (0-100) that the contacts of the person's household would have if the person were not on record. A person on record in the
 * household scores no lower. At most the score without these contacts: contacts of a relative never raise it.
 */
function scoreOfUnrecordedRelative(
  evidence: CheckEvidence,
  values: readonly WeighedContact[],
  { identity, household }: IdentityHypothesis,
  how: ScaleInput,
): number {
  if (household.size === 0 || identity === null) return 0;
  const foreign = values.filter(({ holders }) => !holders.has(identity));
  const relatives = new Set([...household].flatMap(({ holders }) => [...holders.keys()]));
  const scores = [...relatives]
    .filter((id) => evidence.nameAgreements.get(id)?.sharedHalf === 'family')
    .map((id) => applyScale(identityHypothesis(evidence, foreign, id), how).score);
  if (scores.length === 0) return 0;
  const others = values.filter((value) => !household.has(value));
  const without = applyScale(identityHypothesis(evidence, others, identity), how).score;
  return Math.min(without, Math.max(...scores));
}

function isBetter(hypothesis: IdentityHypothesis, best: IdentityHypothesis): boolean {
  const order =
    hypothesis.score - best.score ||
    hypothesis.bits - best.bits ||
    hypothesis.own.values.length - best.own.values.length ||
    (best.identity ?? Infinity) - (hypothesis.identity ?? Infinity);
  return order > 0;
}

/**
 * Returns the identity numbers of the partial matches. Each has a submitted contact, and its name is missing or agrees with part of the submitted
 * name. Leaves out identities of which another partial match has all submitted contacts (see `isCoveredByAnother`).
 */
function findPartialMatches(
  { nameAgreements }: CheckEvidence,
  values: readonly WeighedContact[],
): Set<number> {
  const matches = new Set<number>();
  for (const { agreements } of values)
    for (const { identity } of agreements) {
      const name = nameAgreements.get(identity);
      if (name && (name.isNameless || name.agreement >= MIN_PARTIAL_NAME_AGREEMENT_PERCENT))
        matches.add(identity);
    }
  return new Set([...matches].filter((identity) => !isCoveredByAnother(values, identity, matches)));
}

/** Hypothesis whose bits have not been converted to points yet. */
interface UnscaledHypothesis extends Pick<IdentityHypothesis, 'identity' | 'hasName' | 'own' | 'reasons'> {
  conflict: ContactConflict;
}

const NO_OWN_EVIDENCE: MatchingContactEvidence = {
  reasons: [],
  values: [],
  kinds: [],
  lifts: [],
  directStrength: 0,
};

function unknownPersonHypothesis(values: readonly WeighedContact[]): UnscaledHypothesis {
  return {
    identity: null,
    hasName: false,
    own: NO_OWN_EVIDENCE,
    conflict: weighConflictWithoutNameHolder(values),
    reasons: [createScoreReason('start', toMillibits(START_WEIGHT.bits))],
  };
}

function identityHypothesis(
  evidence: CheckEvidence,
  values: readonly WeighedContact[],
  identity: number,
): UnscaledHypothesis {
  const name = evidence.nameAgreements.get(identity);
  const hasName = name?.isSame ?? false;
  const own = weighMatchingContacts(values, identity);
  const conflict = hasName
    ? weighContactsOfOtherPeople(values, identity, {
        own,
        lastSeenOf: (id) => evidence.identities.get(id)?.lastSeen ?? null,
        isNamesake: namesakesOf(evidence, identity),
        isHousemate: (id) => evidence.housemates?.some(([a, b]) => a === identity && b === id) ?? false,
      })
    : weighConflictWithPartialNameHolder(values, identity);
  const reasons = [createScoreReason('start', toMillibits(START_WEIGHT.bits))];
  if (hasName) reasons.push(createScoreReason('name_borne', toMillibits(getRecordedNameBits(evidence))));
  reasons.push(...own.reasons);
  const [surest] = own.kinds;
  if (hasName && surest !== undefined)
    reasons.push(
      createScoreReason('history', toMillibits(surest * getHistoryLengthBits(evidence, identity))),
    );
  if (hasName) {
    reasons.push(createNameCapReason(reasons, name, own));
    return { identity, hasName, own, conflict, reasons };
  }
  const isOfOnePerson = !evidence.nonPerson || evidence.nonPerson === 'family';
  const isRelative = isOfOnePerson && isHouseholdMember(name, own);
  const isOfFamily =
    isRelative && (name?.isParentOrChild || name?.isOtherGeneration || isFamilyHome(evidence, own));
  const nameBits = getMaxTotalBitsByNameAgreement(name?.agreement ?? 0);
  const otherGivenName = otherGivenNameBits(evidence, identity, own);
  const isOfHousehold =
    isOfFamily ||
    (isRelative && isOfOneRelative(own, identity)) ||
    (own.directStrength === 0 && haveRelativesAtHome(values));
  const hasOwnHome = own.values.some(({ kind }) => kind === 'address');
  const { bits: familyBits } = FAMILY_MEMBER_MAX_BITS;
  // Two people who live together may be relatives even if their family name is common.
  const cap = isOfHousehold
    ? Math.min(Math.max(nameBits, familyBits) - otherGivenName, familyBits)
    : nameBits - otherGivenName - (isOfOtherMan(name) && !hasOwnHome ? MANS_NAME_PENALTY.bits : 0);
  const capped = capByPartialName(reasons, name, { own, cap, isRelative });
  const direct = own.values.filter(({ kind }) => kind !== 'address');
  const isOtherGeneration = name?.isParentOrChild || name?.isOtherGeneration;
  const isAtHome = isRelative && hasHomeAndOnlyOneRecord(evidence, identity, own);
  const isSingle = isRelativeByName(name) && isSingleContactOfRelative(name, values);
  if (!isOtherGeneration && !isOfFamily && !isAtHome && !isSingle)
    return { identity, hasName, own, conflict, reasons: capped };
  const household = new Set([...conflict.household, ...direct]);
  return { identity, hasName, own, conflict: { ...conflict, household }, reasons: capped };
}

/** Creates a predicate: true for an identity with the same name that is another person, according to suffixes or birth dates on record. */
function namesakesOf(
  { nameAgreements, differentPeople = [] }: CheckEvidence,
  identity: number,
): (other: number) => boolean {
  const own = nameAgreements.get(identity);
  return (id) => {
    const other = nameAgreements.get(id);
    if (!own || !other || id === identity) return false;
    if (other.isOtherGeneration) return true;
    if (!other.isSame) return false;
    if (own.generation && other.generation && own.generation !== other.generation) return true;
    return differentPeople.some(([a, b]) => (a === id && b === identity) || (a === identity && b === id));
  };
}

/**
 * Creates the reason that limits the sum of bits by the agreement of the names. Contacts alone cannot exceed this limit, because other people may
 * know them. If the submitted name is part of the recorded name, the limit is at least `PARTIAL_NAME_MAX_BITS_FLOOR`.
 */
function createNameCapReason(
  reasons: readonly ScoreReason[],
  name: NameMatch | undefined,
  own: MatchingContactEvidence,
): ScoreReason {
  const bits = sumReasonBits(reasons);
  const capped = combineBitsOfBothConditions(bits, getMaxTotalBitsByNameAgreement(name?.agreement ?? 0));
  const least = name?.part
    ? Math.min(sumReasonBits(own.reasons), PARTIAL_NAME_MAX_BITS_FLOOR.bits)
    : -Infinity;
  return createScoreReason('name_varies', toMillibits(Math.max(capped, least) - bits));
}

/**
 * Limits the sum of bits for an identity with only part of the name, or without a name. Its first contact adds fewer bits, or none, the less the
 * names agree: the contact is as much evidence against the person as for. Further contacts add their bits. A single contact and the limit are
 * reported as one reason.
 */
function capByPartialName(
  reasons: ScoreReason[],
  name: NameMatch | undefined,
  { own: { values }, cap, isRelative }: { own: MatchingContactEvidence; cap: number; isRelative: boolean },
): ScoreReason[] {
  const isNameless = name?.isNameless ?? false;
  const bits = sumReasonBits(reasons);
  const first = Math.max(0, ...reasons.map(({ value, millibits }) => (value ? millibits / 1000 : 0)));
  const progress =
    ((name?.agreement ?? 0) - PARTIAL_NAME_WEIGHT_GAIN_AGREEMENT_RANGE.from) /
    (PARTIAL_NAME_WEIGHT_GAIN_AGREEMENT_RANGE.to - PARTIAL_NAME_WEIGHT_GAIN_AGREEMENT_RANGE.from);
  const firstCounts = Math.min(1, Math.max(0, progress));
  const capped = Math.min(
    bits - (1 - firstCounts) * first,
    isNameless ? NAMELESS_IDENTITY_MAX_BITS_AND_DOUBT.bits : cap,
  );
  const relative = isRelative ? 'name_of_household' : 'name_in_part';
  const reduction = createScoreReason(
    isNameless ? 'name_unknown' : relative,
    toMillibitsDifference(bits, capped),
  );
  const [only, ...more] = values;
  if (isNameless || !only || more.length > 0) return [...reasons, reduction];
  return reasons.map((reason): ScoreReason =>
    reason.value === only
      ? { ...reason, code: `${only.kind}_in_part`, millibits: reason.millibits + reduction.millibits }
      : reason,
  );
}

/**
 * Returns the bits that are subtracted for an identity with the same family name but another given name. More bits if several records have this given
 * name, because it is then hardly a typing error.
 */
function otherGivenNameBits(
  { nameAgreements, identities }: CheckEvidence,
  identity: number,
  { values }: MatchingContactEvidence,
): number {
  const name = nameAgreements.get(identity);
  if (name?.sharedHalf !== 'family' || name.isOtherGeneration) return 0;
  const records = identities.get(identity)?.records ?? 1;
  const shares = values.map((value) => getMatchWithIdentity(value, identity)?.share ?? Infinity);
  return OTHER_GIVEN_NAME_PENALTY.most * (1 - 1 / Math.max(1, records)) * Math.min(...shares, Infinity) ** -2;
}

interface ScaleInput extends Pick<
  Parameters<typeof applyScoreBounds>[0],
  'scale' | 'isNonPerson' | 'nameCeiling'
> {
  /** All submitted contacts on record. */
  values: readonly WeighedContact[];
}

const ceilingOfName = (name?: NameMatch): ScaleInput['nameCeiling'] => ({
  bits: getMaxTotalBitsByNameAgreement(name?.agreement ?? 0),
  limit: name?.hasOtherWord ? 'middle_name' : 'name',
});

function applyScale(
  { conflict, ...rest }: UnscaledHypothesis,
  { values, scale, isNonPerson, nameCeiling }: ScaleInput,
): IdentityHypothesis {
  const { identity, hasName, own } = rest;
  const { household, namesakes } = conflict;
  const reasons = [...rest.reasons, ...conflict.reasons].filter(isListed);
  if (isNonPerson) reasons.push(createScoreReason('name_no_person', 0));
  const bits = sumReasonBits(reasons);
  const bounded = applyScoreBounds({ conflict, own, bits, hasName, scale, isNonPerson, nameCeiling });
  const weighed = new Set(reasons.map(({ value }) => value));
  for (const value of values) if (!weighed.has(value)) reasons.push(createUncountedReason(value));
  return { identity, hasName, own, household, namesakes, reasons, bits, ...bounded };
}

/** True for a reason about a contact, for the start, and for any other reason with a weight. */
const isListed = ({ code, millibits, value }: ScoreReason) =>
  millibits !== 0 || value !== null || code === 'start';
