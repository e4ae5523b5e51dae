import type { Evidence, Identity, Kind, NameAgreement } from '../model.ts';
import { percent, toBits, toWeight, type Weight } from './bits.ts';
import {
  agreementWith,
  candidates,
  sharesHousehold,
  weighContacts,
  type WeighedContact,
} from './contacts.ts';
import { nameCredit, otherName } from './name.ts';
import {
  CONFLICT_PENALTY,
  ESTABLISHED,
  GIVEN_CAP,
  HALF_GAIN,
  HISTORY_GAIN,
  HOUSEHOLD,
  KIND_GAIN,
  NAME_GAIN,
  NO_CONTACT_CAP,
  ONE_KIND_CAP,
  PRIOR,
  SPLIT_PENALTY,
} from './weights.ts';

/** One weighed piece of evidence: what was seen, and what it adds (or takes away). */
export interface Reason {
  code: 'name' | Kind | 'history' | 'conflicting' | 'split';
  weight: Weight;
}

/** The evidence as it stands for one identity being the person; or for nobody (`identity` null). */
export interface Hypothesis {
  identity: number | null;
  /** Sum of PRIOR and all reasons: log2 of the odds that the submitted values are this person's. */
  weight: Weight;
  /** The highest score that it may have, whatever the weight (laws 6 and 8). */
  cap: number;
  /** The score that it reaches, not rounded: what the weight says, within the cap. */
  score: number;
  reasons: Reason[];
  /** Contact evidence for this identity, and for people who do not bear the name. */
  support: Weight;
  conflicting: Weight;
  /** How many kinds of contact resolve to it. */
  kinds: number;
  /** Share of the contacts' gain that its name lets count, 0-1. */
  credit: number;
}

/**
 * Weighs the evidence for every identity that something resolved to, and for nobody. The best corroborated one comes first: the
 * highest score, then most weight, most contact support, the one that bears the name, the lower number. Because the score is the highest
 * that any of them reaches, one more value for the first can never lower it.
 *
 * The form of the sum is Fellegi and Sunter's (1969): independent agreements add up in log2. Agreements of one kind come together
 * rather than independently, so within a kind they approach a bound.
 */
export function weigh(evidence: Evidence): [Hypothesis, ...Hypothesis[]] {
  const contacts = weighContacts(evidence);
  const bears = (id: number | null) => Number(id !== null && (evidence.names.get(id)?.same ?? false));
  const all: Hypothesis[] = [];
  for (const id of candidates(evidence, contacts)) all.push(hypothesis(evidence, contacts, id));
  const [first = hypothesis(evidence, contacts, null), ...others] = all;
  const ranked: [Hypothesis, ...Hypothesis[]] = [first, ...others];
  if (others.length === 0) return ranked;
  return ranked.sort(
    (a, b) =>
      b.score - a.score ||
      b.weight - a.weight ||
      b.support - a.support ||
      bears(b.identity) - bears(a.identity) ||
      (a.identity ?? 0) - (b.identity ?? 0),
  );
}

function hypothesis(evidence: Evidence, contacts: WeighedContact[], identity: number | null): Hypothesis {
  const name = identity === null ? undefined : evidence.names.get(identity);
  const known = identity === null ? undefined : evidence.identities.get(identity);
  const credit = nameCredit(name);
  const tally = tallyOf(contacts, identity, name);
  const reasons = [
    ...nameReason(evidence, name, credit),
    ...ownReasons(tally.own, known, credit),
    ...otherReasons(tally),
  ];
  let weight = toWeight(PRIOR);
  for (const reason of reasons) weight += reason.weight;
  let support = 0;
  for (const one of tally.own) support += one.weight;
  const cap = capOf(name, tally);
  const score = Math.min(cap, percent(toBits(weight)));
  const { conflicting, own } = tally;
  return { identity, weight, cap, score, reasons, support, conflicting, kinds: own.length, credit };
}

/** What the contacts say for one identity, and against it. */
interface Tally {
  /** The agreed contacts, kind by kind. */
  own: { kind: Kind; weight: Weight }[];
  conflicting: Weight;
  split: Weight;
  /** 0-1: how much the worst of the conflicting values counts. */
  worst: number;
  /** None is written as on record: all are a typo away. */
  typosOnly: boolean;
}

function tallyOf(
  contacts: WeighedContact[],
  identity: number | null,
  name: NameAgreement | undefined,
): Tally {
  const tally: Tally = { own: [], conflicting: 0, split: 0, worst: 0, typosOnly: true };
  // Whoever shares it, a value of an identity of another name is held against that identity: its next one must be no news (law 4).
  const stranger = otherName(name);
  for (const contact of contacts) {
    const { kind, strongest } = contact;
    const agreed = agreementWith(contact, identity);
    if (agreed) {
      const known = tally.own.find((one) => one.kind === kind);
      if (known) known.weight += agreed.weight;
      else tally.own.push({ kind, weight: agreed.weight });
      tally.typosOnly &&= agreed.type === 'typo';
    }
    // Nobody has no values of his own that others' could be split from.
    else if (identity !== null && !contact.fragment) tally.split += strongest;
    const doubt = agreed ? stranger : doubtOf(contact, contacts, { identity, name });
    if (doubt === 0) continue;
    tally.conflicting += Math.round(doubt * strongest);
    tally.worst = Math.max(tally.worst, doubt * Math.min(1, toBits(strongest) / ESTABLISHED));
  }
  return tally;
}

/** 0-1: how surely somebody else's value contradicts the name, if `identity` is the person. */
function doubtOf(
  contact: WeighedContact,
  contacts: WeighedContact[],
  { identity, name }: { identity: number | null; name: NameAgreement | undefined },
): number {
  if (contact.doubt === 0 || !name?.same) return contact.doubt;
  return sharesHousehold(contacts, contact, identity) ? contact.doubt * HOUSEHOLD : contact.doubt;
}

/**
 * Laws 6 and 8: no contact resolved to a bearer of the name, or contacts of one kind only without the name. Nor do typos alone verify
 * anybody.
 */
function capOf(name: NameAgreement | undefined, { own, typosOnly }: Tally): number {
  if (own.length === 0) return NO_CONTACT_CAP;
  if (name?.same) return typosOnly ? ONE_KIND_CAP : 100;
  if (name?.givenSame) return GIVEN_CAP;
  return own.length === 1 ? ONE_KIND_CAP : 100;
}

function nameReason({ total, bearers }: Evidence, name: NameAgreement | undefined, credit: number): Reason[] {
  if (!name?.same) return [];
  const rarity = Math.log2(Math.max(1, total) / Math.max(1, bearers));
  const gain = Math.min(NAME_GAIN.most, Math.max(NAME_GAIN.least, rarity * NAME_GAIN.perBit));
  return [{ code: 'name', weight: toWeight(gain * credit) }];
}

/** What the identity's own contacts and its history add. */
function ownReasons(own: Tally['own'], known: Identity | undefined, credit: number): Reason[] {
  if (credit === 0) return [];
  const reasons = own.map(({ kind, weight }): Reason => {
    const gain = KIND_GAIN[kind] * (1 - 2 ** (-toBits(weight) / HALF_GAIN));
    return { code: kind, weight: toWeight(credit * gain) };
  });
  if (own.length === 0 || !known || known.firstSeen === null || known.lastSeen === null) return reasons;
  const years = (known.lastSeen - known.firstSeen) / (365.25 * 86_400_000);
  const gain = Math.min(HISTORY_GAIN.most, years * HISTORY_GAIN.perYear);
  reasons.push({ code: 'history', weight: toWeight(credit * gain) });
  return reasons;
}

/** What values of others take away. The worst counts, not their sum: once somebody else is established, more of his values are no news (law 4). */
function otherReasons({ worst, split }: Tally): Reason[] {
  const reasons: Reason[] = [];
  if (worst > 0) reasons.push({ code: 'conflicting', weight: toWeight(-CONFLICT_PENALTY * worst) });
  if (split > 0) reasons.push({ code: 'split', weight: Math.round(-SPLIT_PENALTY * split) });
  return reasons;
}
