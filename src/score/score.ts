import type { Confidence, Evidence, Kind, Resolution, Score } from '../model.ts';
import { agreementWeight, percent, toBits, toWeight } from './bits.ts';
import { resolveContact, resolveName } from './resolution.ts';
import { bandOf, message } from './texts/band.ts';
import type { TextFacts } from './texts/facts.ts';
import { headline, summary } from './texts/headline.ts';
import { insights } from './texts/insights.ts';
import { reasonTexts } from './texts/reasons.ts';
import { type Hypothesis, weigh } from './weigh.ts';
import { CATFISH_BITS, MODEL, NO_CONTACT_CAP, PRIOR } from './weights.ts';

/** What follows from the evidence; the submitted values themselves are put to it by the check. */
interface Scored {
  score: Score;
  name: Resolution;
  /** One per contact value, in the order of the evidence. */
  contacts: Resolution[];
}

/**
 * Score, verdicts and reasons of one check, from one pass over the evidence. Pure: the same evidence gives the same answer.
 */
export function score(evidence: Evidence): Scored {
  const ranked = weigh(evidence);
  const [best] = ranked;
  const name = resolveName(evidence, ranked);
  const contacts = evidence.contacts.map(({ agreements }) => resolveContact(agreements, ranked));
  const facts = { evidence, best, name, contacts, counts: countOf(contacts), catfish: isCatfish(best) };
  return { name, contacts, score: scoreOf(facts) };
}

function scoreOf(facts: TextFacts): Score {
  const { evidence, best, contacts, catfish } = facts;
  const bits = toBits(best.weight);
  const preCapped = percent(bits);
  const final = Math.round(best.score);
  const known = best.identity === null ? undefined : evidence.identities.get(best.identity);
  const sentence = headline(facts);
  return {
    value: final,
    band: bandOf(final),
    confidence: confidenceOf(evidence),
    catfish,
    summary: summary(facts, sentence),
    message: message(final, sentence),
    insights: insights(facts),
    dominant: best.identity,
    matchedName: known?.names[0] ?? null,
    identityScore: identityScore(best),
    trustScore: { final: Math.round(preCapped), raw: round(bits), reasons: reasonTexts(facts) },
    combined: { final, preCapped: round(preCapped), explanation: explanation(preCapped, best.cap) },
    history: { firstSeen: known?.firstSeen ?? null, lastSeen: known?.lastSeen ?? null },
    identities: identitiesOf(contacts),
    model: MODEL,
  };
}

/** How many values are the person's own, somebody else's, and nobody's. */
function countOf(contacts: Resolution[]): TextFacts['counts'] {
  const counts = { own: 0, different: 0, none: 0 };
  for (const { status } of contacts) {
    if (status === 'different') counts.different++;
    else if (status === 'unverified') counts.none++;
    else counts.own++;
  }
  return counts;
}

function identitiesOf(contacts: Resolution[]): number {
  const found = new Set<number>();
  for (const { identity } of contacts) if (identity !== null) found.add(identity);
  return found.size;
}

/** The contacts belong, with weight, to people who do not bear the name: more than half as much as they belong to the person. */
function isCatfish({ conflicting, support, credit }: Hypothesis): boolean {
  return conflicting >= toWeight(CATFISH_BITS) && conflicting > (support * credit) / 2;
}

function confidenceOf({ contacts }: Evidence): Confidence {
  const kinds = new Set<Kind>();
  let weight = 0;
  for (const { kind, agreements, repeats } of contacts) {
    if (repeats || agreements.length === 0) continue;
    kinds.add(kind);
    let most = 0;
    for (const one of agreements) most = Math.max(most, agreementWeight(one));
    weight += most;
  }
  const bits = toBits(weight);
  if (kinds.size >= 2 && bits >= 12) return 'HIGH';
  return bits >= 5 ? 'MEDIUM' : 'LOW';
}

function identityScore({ weight, reasons }: Hypothesis): Score['identityScore'] {
  let bonuses = 0;
  let mismatch = 0;
  let split = 0;
  for (const reason of reasons) {
    if (reason.weight > 0) bonuses += reason.weight;
    if (reason.code === 'conflicting') mismatch += reason.weight;
    if (reason.code === 'split') split += reason.weight;
  }
  const matched = toWeight(PRIOR) + bonuses;
  return {
    final: Math.round(percent(toBits(weight))),
    raw: round(percent(toBits(matched))),
    adjusted: round(percent(toBits(matched + mismatch))),
    penalties: round(toBits(mismatch)),
    bonuses: round(toBits(bonuses)),
    fraudRiskPenalty: round(toBits(split)),
  };
}

function explanation(preCapped: number, cap: number): string {
  if (preCapped <= cap) return 'The score is the sum of the evidence; no bound applied.';
  if (cap === NO_CONTACT_CAP)
    return `Without a contact that resolves to a person of this name the score is at most ${cap}.`;
  return `Without a matching name, contacts of one kind alone reach at most ${cap}.`;
}

const round = (value: number): number => Math.round(value * 100) / 100;
