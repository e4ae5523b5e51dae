// Evidence for an identity: the submitted contacts that the identity has.
import type { ContactMatch, ContactKind, CheckEvidence } from '../model.ts';
import {
  getCertaintyOfSoleOwner,
  getReassignedPhoneWeightFactor,
  interpolateLinearly,
  MS_PER_YEAR,
} from './curves.ts';
import { createScoreReason, type ScoreReason, toMillibitsDifference } from './reason.ts';
import { getMatchWithIdentity, getYearsOfLaterStrangerUse, type WeighedContact } from './values.ts';
import {
  MAX_BITS_OF_MATCHING_CONTACTS,
  WEIGHT_FRACTION_OF_FIRST_CONTACT,
  HISTORY_LENGTH_WEIGHT,
  RECORDED_NAME_WEIGHT,
} from './weights.ts';

/** Evidence for an identity from the submitted contacts that it has. */
export interface MatchingContactEvidence {
  reasons: ScoreReason[];
  values: WeighedContact[];
  /** For each contact type, the highest certainty (0-1) that a contact of this type belongs to the identity alone. In descending order. */
  kinds: number[];
  /** For each contact type, the fraction (0-1) by which contacts of this type lift the bound for only one contact type. In descending order. */
  lifts: number[];
  /** Highest certainty (0-1) that an e-mail or phone belongs to the identity alone; 0 without an e-mail or phone. */
  directStrength: number;
}

const KINDS = ['email', 'phone', 'address'] as const satisfies readonly ContactKind[];
const OWN_CODES = { email: 'email_own', phone: 'phone_own', address: 'address_own' } as const;

/**
 * Weighs the submitted contacts that an identity has. Contacts of one type depend on each other, so the sum of their bits approaches a
 * maximum.
 */
export function weighMatchingContacts(
  values: readonly WeighedContact[],
  identity: number,
): MatchingContactEvidence {
  const own: MatchingContactEvidence = {
    reasons: [],
    values: [],
    kinds: [],
    lifts: [],
    directStrength: 0,
  };
  for (const kind of KINDS) {
    const ownValues = findOwnValues(values, kind, identity);
    let missing = 1;
    for (const { value, key, strength } of ownValues) {
      const before = MAX_BITS_OF_MATCHING_CONTACTS[kind] * (1 - missing);
      missing *= 1 - WEIGHT_FRACTION_OF_FIRST_CONTACT * strength;
      const millibits = toMillibitsDifference(before, MAX_BITS_OF_MATCHING_CONTACTS[kind] * (1 - missing));
      own.reasons.push(createScoreReason(OWN_CODES[kind], millibits, value, key));
      own.values.push(value);
    }
    const [surest] = ownValues;
    if (!surest) continue;
    own.kinds.push(surest.strength);
    own.lifts.push(Math.max(...ownValues.map(getLiftByContact)));
    if (kind !== 'address') own.directStrength = Math.max(own.directStrength, surest.strength);
  }
  own.kinds.sort((a, b) => b - a);
  own.lifts.sort((a, b) => b - a);
  return own;
}

/** Certainty (0-1) that a contact of a second type belongs to the person, from which `ONE_CONTACT_TYPE_SCORE_BOUND` no longer applies. */
export const MIN_CERTAINTY_OF_SECOND_CONTACT_TYPE = 0.7;
/**
 * Fraction (0-1) by which a contact of a second type lifts `ONE_CONTACT_TYPE_SCORE_BOUND`, by the number of identities that have the contact. Many
 * people know a contact of many identities.
 */
const LIFT_BY_SHARE: [share: number, lift: number][] = [
  [3, 1],
  [7, 0],
];

const getLiftByContact = ({ share, strength }: { share: number; strength: number }): number =>
  Math.min(interpolateLinearly(LIFT_BY_SHARE, share), (strength / MIN_CERTAINTY_OF_SECOND_CONTACT_TYPE) ** 2);

function findOwnValues(values: readonly WeighedContact[], kind: ContactKind, identity: number) {
  const ownValues: { value: WeighedContact; key: ContactMatch['type']; strength: number; share: number }[] =
    [];
  for (const value of values) {
    const agreement = value.kind === kind ? getMatchWithIdentity(value, identity) : undefined;
    if (!agreement) continue;
    const kept = getReassignedPhoneWeightFactor(getYearsOfLaterStrangerUse(value, identity));
    const strength = getCertaintyOfSoleOwner(agreement, kind) * kept;
    ownValues.push({ value, key: agreement.type, strength, share: agreement.share });
  }
  if (ownValues.length < 2) return ownValues;
  return ownValues.sort((a, b) => b.strength - a.strength || a.value.index - b.value.index);
}

/** Returns the bits of evidence from the fact that the name is on record. A rare name gives more bits. */
export function getRecordedNameBits({ graphSize, nameHolders }: CheckEvidence): number {
  const halvings = Math.log2(Math.max(1, graphSize) / Math.max(1, nameHolders));
  return Math.min(
    RECORDED_NAME_WEIGHT.most,
    Math.max(RECORDED_NAME_WEIGHT.least, halvings * RECORDED_NAME_WEIGHT.perBit),
  );
}

/**
 * Returns the bits of evidence from the years between the first and the last date of an identity; 0 if no record has a date. An identity without a
 * last date is current: the newest record of the graph is its end.
 */
export function getHistoryLengthBits({ identities, newestSeen }: CheckEvidence, identity: number): number {
  const { firstSeen = null, lastSeen = null } = identities.get(identity) ?? {};
  const end = lastSeen ?? newestSeen;
  if (firstSeen === null || end === null) return 0;
  return Math.min(
    HISTORY_LENGTH_WEIGHT.most,
    (HISTORY_LENGTH_WEIGHT.perYear * Math.max(0, end - firstSeen)) / MS_PER_YEAR,
  );
}

/**
 * True for an e-mail or phone that an identity lacks, if one of its holders has all submitted contacts of the identity, and fewer people have it than
 * these contacts. The identity's contacts then do not distinguish it from this holder.
 */
export function isOfOneWithAllContacts(
  { kind, holders }: WeighedContact,
  values: readonly WeighedContact[],
  identity: number,
  isCounted: (holder: number) => boolean = () => true,
): boolean {
  if (kind === 'address' || holders.has(identity)) return false;
  const own = values.filter((value) => value.holders.has(identity));
  const least = Math.min(...own.map((value) => value.holders.get(identity)?.share ?? 1));
  return [...holders].some(
    ([holder, { share }]) =>
      share < least && isCounted(holder) && own.every((value) => value.holders.has(holder)),
  );
}

/**
 * True if another candidate has all submitted contacts of an identity, and also a rarer e-mail or phone. The identity's contacts are then no evidence
 * for it.
 */
export const isCoveredByAnother = (
  values: readonly WeighedContact[],
  identity: number,
  candidates: ReadonlySet<number>,
): boolean =>
  values.some((value) => isOfOneWithAllContacts(value, values, identity, (id) => candidates.has(id)));
