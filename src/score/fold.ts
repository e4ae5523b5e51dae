import type { Agreement, ContactEvidence, Evidence, Kind } from '../model.ts';
import {
  ESTABLISHED,
  FOREIGN_PENALTY,
  FORM_BITS,
  GIVEN_CAP,
  GIVEN_CREDIT,
  HALF_GAIN,
  HISTORY_GAIN,
  HOUSEHOLD,
  HOUSEHOLD_SHARE,
  KIND_GAIN,
  LEAST_BITS,
  NAME_GAIN,
  NAMELESS_CREDIT,
  NAMESAKES,
  NO_CONTACT_CAP,
  ONE_KIND_CAP,
  PRIOR,
  SPLIT_PENALTY,
} from './weights.ts';

/** One weighed piece of evidence: what was seen, and what it adds (or takes away), in bits. */
export interface Reason {
  code: 'name' | Kind | 'history' | 'foreign' | 'split';
  bits: number;
}

/** The evidence as it stands for one identity being the person; or for nobody (`identity` null). */
export interface Hypothesis {
  identity: number | null;
  /** Sum of PRIOR and all reasons: log2 of the odds that the submitted values are this person's. */
  bits: number;
  /** The highest score that it may have, whatever the bits (laws 6 and 8). */
  cap: number;
  reasons: Reason[];
  /** Bits of contact evidence for this identity, and for people who do not bear the name. */
  support: number;
  foreign: number;
  /** Kinds of contact that resolve to it. */
  kinds: Kind[];
  /** Share of the contacts' gain that its name lets count, 0-1. */
  credit: number;
}

/** Bits that an agreement says: its form's, less what sharing takes away. */
export function agreementBits({ form, share }: Agreement): number {
  return Math.max(LEAST_BITS, FORM_BITS[form] - Math.log2(Math.max(1, share)));
}

/**
 * Weighs the evidence for every identity that something resolved to, and for nobody. The best corroborated one comes first: the
 * highest score, then most bits, most contact support, the one that bears the name, the lower number. Because the score is the highest
 * that any of them reaches, one more value for the first can never lower it.
 *
 * The form of the sum is Fellegi and Sunter's (1969): independent agreements add up in log2. Agreements of one kind come together
 * rather than independently, so within a kind they approach a bound.
 */
export function weigh(evidence: Evidence): Hypothesis[] {
  const candidates = new Set<number>();
  for (const { agreements } of evidence.contacts) for (const one of agreements) candidates.add(one.identity);
  for (const [id, name] of evidence.names) if (name.same) candidates.add(id);
  const all = [...candidates]
    .map((id) => hypothesis(evidence, id))
    .filter((one) => isEstablished(evidence, one));
  if (all.length === 0) all.push(hypothesis(evidence, null));
  const bears = (one: Hypothesis) =>
    Number(one.identity !== null && (evidence.names.get(one.identity)?.same ?? false));
  return all.sort(
    (a, b) =>
      Math.min(b.cap, percent(b.bits)) - Math.min(a.cap, percent(a.bits)) ||
      b.bits - a.bits ||
      b.support - a.support ||
      bears(b) - bears(a) ||
      (a.identity ?? 0) - (b.identity ?? 0),
  );
}

/** A shared address makes nobody the person: without the name, an identity needs a contact that is nearly its own. */
function isEstablished(evidence: Evidence, { identity }: Hypothesis): boolean {
  const name = identity === null ? undefined : evidence.names.get(identity);
  if (name?.same || name?.givenSame) return true;
  return evidence.contacts.some(({ agreements }) =>
    agreements.some((one) => one.identity === identity && agreementBits(one) >= ESTABLISHED),
  );
}

function hypothesis(evidence: Evidence, identity: number | null): Hypothesis {
  const credit = nameCredit(evidence, identity);
  const agreed = new Map<Kind, number[]>();
  const foreign: number[] = [];
  const split: number[] = [];
  let worst = 0;
  for (const contact of evidence.contacts) {
    if (contact.repeats || contact.agreements.length === 0) continue;
    const own = contact.agreements.find((one) => one.identity === identity);
    if (own) agreed.set(contact.kind, [...(agreed.get(contact.kind) ?? []), agreementBits(own)]);
    // Nobody has no values of his own that others' could be split from.
    else if (identity !== null && !isFragment(evidence, contact)) split.push(strongest(contact));
    const doubt = doubtOf({ evidence, identity, contact, own: own !== undefined });
    foreign.push(doubt * strongest(contact));
    worst = Math.max(worst, doubt * Math.min(1, strongest(contact) / ESTABLISHED));
  }
  const perKind = new Map([...agreed].map(([kind, bits]) => [kind, sum(bits)]));
  const reasons = reasonsFor({ evidence, identity, credit, perKind });
  // The worst value counts, not their sum: once somebody else is established, more of his values are no further news (law 4).
  if (worst > 0) reasons.push({ code: 'foreign', bits: -FOREIGN_PENALTY * worst });
  if (split.length > 0) reasons.push({ code: 'split', bits: -SPLIT_PENALTY * sum(split) });
  const kinds = [...perKind.keys()].sort();
  return {
    identity,
    bits: sum([PRIOR, ...reasons.map((one) => one.bits)]),
    cap: capOf(evidence, identity, kinds),
    reasons,
    support: sum([...perKind.values()]),
    foreign: sum(foreign),
    kinds,
    credit,
  };
}

/** Smallest first, so that the order of the submitted values cannot change the last bit. */
function sum(bits: number[]): number {
  return bits.toSorted((a, b) => a - b).reduce((total, one) => total + one, 0);
}

/** Laws 6 and 8: no contact resolved to a bearer of the name, or contacts of one kind only without the name. */
function capOf(evidence: Evidence, identity: number | null, kinds: Kind[]): number {
  const name = identity === null ? undefined : evidence.names.get(identity);
  if (kinds.length === 0) return NO_CONTACT_CAP;
  if (name?.same) return 100;
  if (name?.givenSame) return GIVEN_CAP;
  return kinds.length === 1 ? ONE_KIND_CAP : 100;
}

/** Odds of 2^bits as a share of 100. */
export function percent(bits: number): number {
  return 100 / (1 + 2 ** -bits);
}

/** What lets an identity's contacts count: the name it bears, as far as the engine is sure of it. */
function nameCredit(evidence: Evidence, identity: number | null): number {
  const name = identity === null ? undefined : evidence.names.get(identity);
  if (!name) return 0;
  if (name.nameless) return NAMELESS_CREDIT;
  if (name.same) return Math.min(1, Math.max(0.4, (name.confidence - 40) / 50));
  return name.givenSame ? GIVEN_CREDIT : 0;
}

function reasonsFor(from: {
  evidence: Evidence;
  identity: number | null;
  credit: number;
  perKind: Map<Kind, number>;
}): Reason[] {
  const { evidence, identity, credit, perKind } = from;
  const reasons: Reason[] = [];
  if (identity !== null && evidence.names.get(identity)?.same) {
    const rarity = Math.log2(Math.max(1, evidence.total) / Math.max(1, evidence.bearers));
    const gain = Math.min(NAME_GAIN.most, Math.max(NAME_GAIN.least, rarity * NAME_GAIN.perBit));
    reasons.push({ code: 'name', bits: gain * credit });
  }
  if (credit > 0)
    for (const [kind, bits] of perKind)
      reasons.push({ code: kind, bits: credit * KIND_GAIN[kind] * (1 - 2 ** (-bits / HALF_GAIN)) });
  const known = identity === null ? undefined : evidence.identities.get(identity);
  if (credit > 0 && perKind.size > 0 && known && known.firstSeen !== null && known.lastSeen !== null) {
    const years = (known.lastSeen - known.firstSeen) / (365.25 * 86_400_000);
    reasons.push({
      code: 'history',
      bits: credit * Math.min(HISTORY_GAIN.most, years * HISTORY_GAIN.perYear),
    });
  }
  return reasons;
}

/** A rare name that two identities bear is likelier one person's records, not yet joined, than two people's. */
function isFragment({ bearers, names }: Evidence, { agreements }: ContactEvidence): boolean {
  return bearers <= NAMESAKES && agreements.some(({ identity }) => names.get(identity)?.same ?? false);
}

/** 0-1: how surely a value contradicts the name, if `identity` is the person. */
function doubtOf(from: {
  evidence: Evidence;
  identity: number | null;
  contact: ContactEvidence;
  own: boolean;
}): number {
  const { evidence, identity, contact, own } = from;
  // Whoever shares it, a value of an identity of another name is held against that identity: its next one must be no news (law 4).
  if (own && identity !== null) return otherName(evidence, identity);
  const least = Math.min(...contact.agreements.map((one) => otherName(evidence, one.identity)));
  return sharesHousehold(evidence, identity, contact) ? least * HOUSEHOLD : least;
}

/**
 * 0-1: how surely an identity bears another name. Below a confidence of 25 it is beyond doubt, as it is of one whose names were not read
 * because no key of the name points to it: which of them are read depends on the other values, and must not matter (law 4).
 */
function otherName({ names }: Evidence, identity: number): number {
  const name = names.get(identity);
  if (!name) return 1;
  if (name.same || name.givenSame || name.nameless) return 0;
  return Math.max(0, Math.min(1, (50 - name.confidence) / 25));
}

function strongest(contact: ContactEvidence): number {
  return Math.max(...contact.agreements.map(agreementBits));
}

/** Do an owner of this value and the identity have another submitted value in common, one that few share? */
function sharesHousehold(evidence: Evidence, identity: number | null, contact: ContactEvidence): boolean {
  if (identity === null || !(evidence.names.get(identity)?.same ?? false)) return false;
  const owners = new Set(contact.agreements.map((one) => one.identity));
  return evidence.contacts.some(
    ({ agreements }) =>
      agreements.some((one) => one.identity === identity && one.share <= HOUSEHOLD_SHARE) &&
      agreements.some((one) => owners.has(one.identity)),
  );
}
