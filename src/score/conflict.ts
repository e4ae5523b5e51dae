// Evidence of contacts of other people against a person.
import { ageFactor } from './curves.ts';
import type { OwnEvidence } from './own.ts';
import { createReason, createReasonStep, type Reason } from './reason.ts';
import { getAgreement, groupByHolders, haveCommonHolder, type WeighedValue } from './values.ts';
import { ADDRESS_CONFLICT, CONTACT_CONFLICT, HOUSEHOLD_RELIEF, UNLISTED_EXPONENT } from './weights.ts';

/** Evidence of contacts of other people against a person. */
export interface Conflict {
  reasons: Reason[];
  /** Certainty (0-1) that the worst e-mail or phone belongs only to another person. */
  worstConflict: number;
  /** Bits that addresses take away; a positive number. */
  addressBits: number;
}

/** A contact of other people, and its weight against the person (0-1). */
interface ConflictingValue {
  value: WeighedValue;
  conflict: number;
}

/**
 * Weighs the contacts that an identity with the name does not have. The identity's own contacts reduce their weight, and a holder who
 * shares another contact with the identity is likely of its household.
 */
export function weighConflictWithName(
  values: readonly WeighedValue[],
  identity: number,
  own: OwnEvidence,
): Conflict {
  const conflicts: ConflictingValue[] = [];
  for (const value of values) {
    if (getAgreement(value, identity)) continue;
    const household = HOUSEHOLD_RELIEF.less * sharedValueStrength(value, values, identity);
    const conflict = value.conflictWeight * (1 - household);
    if (conflict > 0) conflicts.push({ value, conflict });
  }
  const support = own.kinds.reduce((all, strength) => all + strength, 0);
  const most = CONTACT_CONFLICT.most + CONTACT_CONFLICT.unsupported * (1 - Math.min(1, support));
  const single = CONTACT_CONFLICT.single * own.directStrength;
  return weighConflict(conflicts, {
    most,
    further: CONTACT_CONFLICT.further,
    single,
    countAllAddresses: true,
  });
}

/**
 * Returns the rules for a name that no identity has: only the first contact of each group counts, and own
 * contacts give no support.
 */
const firstOfGroupRules = (): ConflictRules => ({
  most: CONTACT_CONFLICT.most + CONTACT_CONFLICT.unsupported,
  further: 0,
  single: 0,
  countAllAddresses: false,
});

/** Weighs the contacts against an identity with part of the name or without a name. Contacts connected with its own do not count. */
export function weighConflictWithPartialName(values: readonly WeighedValue[], identity: number): Conflict {
  const groups = groupByHolders(values).filter(
    (group) => !group.some((value) => getAgreement(value, identity)),
  );
  return weighConflict(groups.flatMap(weighGroup), firstOfGroupRules());
}

/** Weighs the contacts if no identity has the name or part of it. A shared contact may also be the person's, without a record. */
export function weighConflictWithUnknownName(values: readonly WeighedValue[]): Conflict {
  const conflicts = groupByHolders(values)
    .flatMap(weighGroup)
    .map(({ value, conflict }) => ({ value, conflict: conflict * value.strength ** UNLISTED_EXPONENT }));
  return weighConflict(conflicts, firstOfGroupRules());
}

/**
 * Weighs a group of connected contacts. The holder whose name is most similar, and the longest absence, apply
 * to the whole group.
 */
function weighGroup(group: readonly WeighedValue[]): ConflictingValue[] {
  const doubt = Math.min(...group.map((value) => value.doubt));
  const years = Math.max(...group.map((value) => value.ageYears));
  return group.map((value) => ({ value, conflict: value.strength * doubt * ageFactor(years, value.kind) }));
}

interface ConflictRules {
  /** Bits of an e-mail or phone that certainly belongs to another person. */
  most: number;
  /** Share of `most` for each further e-mail or phone of the same people. */
  further: number;
  /** Bits that a single e-mail or phone counts less; the surer a second one is, the less. */
  single: number;
  /**
   * True if addresses count in addition to an e-mail or phone of the same people; otherwise only the first
   * address of other groups counts.
   */
  countAllAddresses: boolean;
}

function weighConflict(
  conflicts: ConflictingValue[],
  { most, further, single, countAllAddresses }: ConflictRules,
): Conflict {
  const result: Conflict = { reasons: [], worstConflict: 0, addressBits: 0 };
  const conflictOf = new Map(conflicts.map(({ value, conflict }) => [value, conflict]));
  const weight = (value: WeighedValue) => conflictOf.get(value) ?? 0;
  const addresses: WeighedValue[] = [];
  const relief = single * (1 - secondWeight(conflicts));
  for (const group of groupByHolders(conflicts.map(({ value }) => value))) {
    const direct = group.filter(({ kind }) => kind !== 'address').sort(byWeight(weight));
    const groupAddresses = group.filter(({ kind }) => kind === 'address').sort(byWeight(weight));
    for (const [i, value] of direct.entries()) {
      result.worstConflict = Math.max(result.worstConflict, weight(value));
      const bits = weight(value) * (i === 0 ? most - relief : most * further);
      result.reasons.push(createReason(`${value.kind}_other`, -bits, { value, key: keyOf(value) }));
    }
    if (countAllAddresses) addresses.push(...groupAddresses);
    else if (direct.length === 0) addresses.push(...groupAddresses.slice(0, 1));
  }
  const addressReasons = createAddressReasons(addresses.sort(byWeight(weight)), weight);
  result.addressBits = -addressReasons.reduce((all, { millibits }) => all + millibits, 0) / 1000;
  result.reasons.push(...addressReasons);
  return result;
}

/** Returns the weight, 0-1, of the second weightiest e-mail or phone. */
function secondWeight(conflicts: readonly ConflictingValue[]): number {
  const direct = conflicts.filter(({ value }) => value.kind !== 'address').map(({ conflict }) => conflict);
  return direct.sort((a, b) => b - a)[1] ?? 0;
}

/** Sorts the weightiest value first; among equals, the value that was submitted first. */
const byWeight = (weight: (value: WeighedValue) => number) => (a: WeighedValue, b: WeighedValue) =>
  weight(b) - weight(a) || a.index - b.index;

const keyOf = ({ agreements }: WeighedValue) => agreements[0]?.type ?? null;

/** Returns the reasons of addresses, which together approach a bound. */
function createAddressReasons(
  addresses: readonly WeighedValue[],
  weight: (value: WeighedValue) => number,
): Reason[] {
  let remaining = 1;
  return addresses.map((value) => {
    const before = -ADDRESS_CONFLICT.most * (1 - remaining);
    remaining *= 1 - weight(value);
    const after = -ADDRESS_CONFLICT.most * (1 - remaining);
    return createReasonStep('address_other', [before, after], { value, key: keyOf(value) });
  });
}

/**
 * Returns how surely a holder of a value shares another value with the identity, 0-1. Relatives share an address, so an address counts only
 * as far as the names are similar.
 */
function sharedValueStrength(value: WeighedValue, values: readonly WeighedValue[], identity: number): number {
  const nameSimilarity = Math.min(1, HOUSEHOLD_RELIEF.alike * (1 - value.doubtBesideName));
  let strongest = 0;
  for (const other of values) {
    const strength = other.strength * (other.kind === 'address' ? nameSimilarity : 1);
    if (strength <= strongest || !getAgreement(other, identity)) continue;
    if (haveCommonHolder(value, other)) strongest = strength;
  }
  return strongest;
}
