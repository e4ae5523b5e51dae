import type { Confidence, Evidence, Kind, MatchStatus, Verdict } from '../model.ts';
import { agreementBits, type Hypothesis, percent, weigh } from './fold.ts';
import { bandOf, insights, message, reasonTexts, summary } from './texts.ts';
import { CATFISH_BITS, NO_CONTACT_CAP, PRIOR } from './weights.ts';

/** The status of one submitted value, and the identity it resolved to. */
export interface Status {
  status: MatchStatus;
  identity: number | null;
}

/** Everything of a verdict that follows from the evidence; the submitted values themselves are put to it by the check. */
export interface Scored extends Pick<
  Verdict,
  | 'score'
  | 'band'
  | 'confidence'
  | 'catfish'
  | 'summary'
  | 'message'
  | 'insights'
  | 'dominant'
  | 'matchedName'
  | 'identityScore'
  | 'trustScore'
  | 'combined'
  | 'history'
  | 'identities'
> {
  name: Status;
  /** One per contact value, in the order of the evidence. */
  contacts: Status[];
}

/**
 * Score, verdicts and reasons of one check, from one pass over the evidence. Pure: the same evidence gives the same answer.
 */
export function score(evidence: Evidence): Scored {
  const [best, ...others] = weigh(evidence);
  const name = nameStatus(evidence, [best, ...others]);
  const contacts = evidence.contacts.map(({ agreements }) => contactStatus(agreements, [best, ...others]));
  const preCapped = percent(best.bits);
  const final = Math.round(Math.min(best.cap, preCapped));
  const catfish = isCatfish(best);
  const known = best.identity === null ? undefined : evidence.identities.get(best.identity);
  const facts = { evidence, best, name, contacts, score: final, catfish, confidence: confidenceOf(evidence) };
  return {
    score: final,
    band: bandOf(final),
    confidence: facts.confidence,
    catfish,
    summary: summary(facts),
    message: message(facts),
    insights: insights(facts),
    dominant: best.identity,
    matchedName: known?.names[0] ?? null,
    identityScore: identityScore(best),
    trustScore: { final: Math.round(preCapped), raw: round(best.bits), reasons: reasonTexts(facts) },
    combined: { final, preCapped: round(preCapped), explanation: explanation(preCapped, best.cap) },
    history: { firstSeen: known?.firstSeen ?? null, lastSeen: known?.lastSeen ?? null },
    identities: new Set(contacts.map((one) => one.identity).filter((id) => id !== null)).size,
    name,
    contacts,
  };
}

/** The contacts belong, with weight, to people who do not bear the name: more than half as much as they belong to the person. */
function isCatfish(best: Hypothesis): boolean {
  return best.foreign >= CATFISH_BITS && best.foreign > (best.support * best.credit) / 2;
}

function confidenceOf(evidence: Evidence): Confidence {
  const kinds = new Set<Kind>();
  let bits = 0;
  for (const { kind, agreements, repeats } of evidence.contacts) {
    if (repeats || agreements.length === 0) continue;
    kinds.add(kind);
    bits += Math.max(...agreements.map(agreementBits));
  }
  if (kinds.size >= 2 && bits >= 12) return 'HIGH';
  return bits >= 5 ? 'MEDIUM' : 'LOW';
}

function contactStatus(agreements: Evidence['contacts'][number]['agreements'], ranked: Hypothesis[]): Status {
  if (agreements.length === 0) return { status: 'unverified', identity: null };
  const own = agreements.find((one) => one.identity === ranked[0].identity);
  if (own) return { status: own.primary ? 'primary' : 'secondary', identity: own.identity };
  const rank = new Map(ranked.map((one, i) => [one.identity, i]));
  const [first] = agreements.toSorted(
    (a, b) =>
      (rank.get(a.identity) ?? Infinity) - (rank.get(b.identity) ?? Infinity) ||
      agreementBits(b) - agreementBits(a) ||
      a.identity - b.identity,
  );
  return { status: 'different', identity: first.identity };
}

function nameStatus(evidence: Evidence, ranked: Hypothesis[]): Status {
  for (const { identity } of ranked) {
    const name = identity === null ? undefined : evidence.names.get(identity);
    if (!name?.same) continue;
    if (identity !== ranked[0].identity) return { status: 'different', identity };
    return { status: name.primary ? 'primary' : 'secondary', identity };
  }
  return { status: 'unverified', identity: null };
}

function identityScore(best: Hypothesis): Verdict['identityScore'] {
  const sum = (keep: (bits: number, code: string) => boolean) =>
    best.reasons.filter(({ bits, code }) => keep(bits, code)).reduce((total, { bits }) => total + bits, 0);
  const bonuses = sum((bits) => bits > 0);
  const mismatch = sum((_, code) => code === 'foreign');
  const split = sum((_, code) => code === 'split');
  return {
    final: Math.round(percent(best.bits)),
    raw: round(percent(PRIOR + bonuses)),
    adjusted: round(percent(PRIOR + bonuses + mismatch)),
    penalties: round(mismatch),
    bonuses: round(bonuses),
    fraudRiskPenalty: round(split),
  };
}

function explanation(preCapped: number, cap: number): string {
  if (preCapped <= cap) return 'The score is the sum of the evidence; no bound applied.';
  if (cap === NO_CONTACT_CAP)
    return `Without a contact that resolves to a person of this name the score is at most ${cap}.`;
  return `Without a matching name, contacts of one kind alone reach at most ${cap}.`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
