import { freshness } from './curves.ts';
import { type Reason, reason, step } from './reason.ts';
import { agreementWith, groupsOf, meet, type WeighedValue } from './values.ts';
import type { Own } from './own.ts';
import { ADDRESS_CONFLICT, CONFLICT, HOUSEHOLD, UNLISTED } from './weights.ts';

/** What values of other people say against a person. */
export interface Conflict {
  reasons: Reason[];
  /** 0-1: how surely an e-mail or phone is somebody else's alone; the most of any. */
  worst: number;
  /** Bits that addresses take away, a positive number. */
  addresses: number;
}

interface Weighed {
  value: WeighedValue;
  against: number;
}

/**
 * Against an identity that bears the name, or part of it: every value that it has not. Its own contacts stand against them, and who shares
 * another value with it is likelier of its household than a stranger.
 */
export function conflictWith(values: readonly WeighedValue[], identity: number, own: Own): Conflict {
  const others: Weighed[] = [];
  for (const value of values) {
    if (agreementWith(value, identity)) continue;
    const against = value.against * (1 - HOUSEHOLD.less * sharedWith(value, values, identity));
    if (against > 0) others.push({ value, against });
  }
  const support = own.kinds.reduce((all, one) => all + one, 0);
  const most = CONFLICT.most + CONFLICT.unsupported * (1 - Math.min(1, support));
  const single = CONFLICT.single * own.direct;
  return conflictOf(others, { most, further: CONFLICT.further, single, addressesBeside: true });
}

/**
 * Against an identity that bears but part of the name, or has none: of values that hang together by people the weightiest counts, so that
 * another one is no news, and those that hang together with its own do not count.
 */
export function conflictInPart(values: readonly WeighedValue[], identity: number): Conflict {
  const apart = groupsOf(values).filter((group) => !group.some((value) => agreementWith(value, identity)));
  const most = CONFLICT.most + CONFLICT.unsupported;
  return conflictOf(apart.flatMap(weighedTogether), { most, further: 0, single: 0, addressesBeside: false });
}

/**
 * Against a name that nobody on record bears, and nobody in part. The more share a value, the likelier is one of them whom no record names.
 */
export function conflictWithNobody(values: readonly WeighedValue[]): Conflict {
  const others = groupsOf(values)
    .flatMap(weighedTogether)
    .map(({ value, against }) => ({ value, against: against * value.strength ** UNLISTED }));
  const most = CONFLICT.most + CONFLICT.unsupported;
  return conflictOf(others, { most, further: 0, single: 0, addressesBeside: false });
}

/** Values of the same people: whoever of them bears most of the name, and was seen longest ago, tells of all. */
function weighedTogether(group: readonly WeighedValue[]): Weighed[] {
  const doubt = Math.min(...group.map((value) => value.doubt));
  const years = Math.max(...group.map((value) => value.years));
  return group.map((value) => ({
    value,
    against: value.strength * doubt * freshness(years, value.kind),
  }));
}

interface Rules {
  /** Bits of an e-mail or phone that is surely another's. */
  most: number;
  /** Share of that which each further one of the same people counts. */
  further: number;
  /** Bits that the only one takes away less; the surer there is a second, the less. */
  single: number;
  /** Whether addresses count beside an e-mail or phone of the same people. */
  addressesBeside: boolean;
}

function conflictOf(others: Weighed[], { most, further, single, addressesBeside }: Rules): Conflict {
  const conflict: Conflict = { reasons: [], worst: 0, addresses: 0 };
  const against = new Map(others.map((one) => [one.value, one.against]));
  const weight = (value: WeighedValue) => against.get(value) ?? 0;
  const addresses: WeighedValue[] = [];
  const relief = single * (1 - second(others));
  for (const group of groupsOf(others.map(({ value }) => value))) {
    const direct = group.filter(({ kind }) => kind !== 'address').sort(by(weight));
    const homes = group.filter(({ kind }) => kind === 'address').sort(by(weight));
    for (const [i, value] of direct.entries()) {
      conflict.worst = Math.max(conflict.worst, weight(value));
      conflict.reasons.push(other(value, weight(value) * (i === 0 ? most - relief : most * further)));
    }
    if (addressesBeside) addresses.push(...homes);
    else if (direct.length === 0) addresses.push(...homes.slice(0, 1));
  }
  const homes = addressReasons(addresses.sort(by(weight)), weight);
  conflict.addresses = -homes.reduce((all, { millibits }) => all + millibits, 0) / 1000;
  conflict.reasons.push(...homes);
  return conflict;
}

/** 0-1: how much the second weightiest e-mail or phone counts. */
function second(others: readonly Weighed[]): number {
  const direct = others.filter(({ value }) => value.kind !== 'address').map(({ against }) => against);
  return direct.sort((a, b) => b - a)[1] ?? 0;
}

/** The weightiest first; of equals the one submitted first. */
const by = (weight: (value: WeighedValue) => number) => (a: WeighedValue, b: WeighedValue) =>
  weight(b) - weight(a) || a.index - b.index;

function other(value: WeighedValue, bits: number): Reason {
  return reason(`${value.kind}_other`, -bits, { value, key: keyOf(value) });
}

const keyOf = ({ agreements }: WeighedValue) => agreements[0]?.type ?? null;

/** Addresses approach a bound, however many. */
function addressReasons(
  addresses: readonly WeighedValue[],
  weight: (value: WeighedValue) => number,
): Reason[] {
  let left = 1;
  return addresses.map((value) => {
    const before = -ADDRESS_CONFLICT.most * (1 - left);
    left *= 1 - weight(value);
    return step('address_other', [before, -ADDRESS_CONFLICT.most * (1 - left)], { value, key: keyOf(value) });
  });
}

/**
 * 0-1: how surely somebody who has the value shares another one with the identity. To share an address is what relatives do: it counts as
 * far as the names are alike.
 */
function sharedWith(asked: WeighedValue, values: readonly WeighedValue[], identity: number): number {
  const alike = Math.min(1, HOUSEHOLD.alike * (1 - asked.beside));
  let most = 0;
  for (const value of values) {
    const sure = value.strength * (value.kind === 'address' ? alike : 1);
    if (sure <= most || !agreementWith(value, identity)) continue;
    if (meet(asked, value)) most = sure;
  }
  return most;
}
