import type { Calibration, Evidence, Resolution, Score } from '../model.ts';
import { confidenceOf, isCatfish } from './flags.ts';
import { pointsOf, round } from './points.ts';
import { createScale } from './curves.ts';
import { type Statuses, statusesOf } from './statuses.ts';
import { factsOf, toBand } from './texts/facts.ts';
import { message, summary } from './texts/headline.ts';
import { insights } from './texts/insights.ts';
import { explanation, reasonTexts } from './texts/reasons.ts';
import { type WeighedValue, toWeighedValues } from './values.ts';
import { SCORING_MODEL } from './weights.ts';
import { type Hypothesis, findBestHypothesis } from './weigh.ts';

/** What follows from the evidence; the submitted values themselves are put to it by the check. */
export interface ScoredEvidence {
  score: Score;
  name: Resolution;
  /** One per contact value, in the order of the evidence. */
  contacts: Resolution[];
  /** The evidence as it was weighed; for explaining. */
  best: Hypothesis;
}

/**
 * Score, verdicts and reasons of one check, from one pass over the evidence. Pure: the same evidence gives the same answer.
 * A calibration maps every figure in points, the score before the bounds among them; what is weighed stays as it is.
 */
export function scoreEvidence(evidence: Evidence, calibration: Calibration | null = null): ScoredEvidence {
  const scale = createScale(calibration);
  const values = toWeighedValues(evidence);
  const best = findBestHypothesis(evidence, values, scale);
  const statuses = statusesOf(evidence, best);
  const { dominant, name, contacts } = statuses;
  const final = Math.round(best.score);
  const catfish = isCatfish(values, best, statuses);
  const history = historyOf(evidence, statuses);
  const facts = factsOf({ evidence, best, band: toBand(final), statuses, catfish, history });
  const matched = name.identity === null ? undefined : evidence.nameAgreements.get(name.identity);
  const identityScore = pointsOf(best.reasons, { catfish, final, scale });
  return {
    best,
    name,
    contacts,
    score: {
      value: final,
      band: facts.band,
      confidence: confidenceOf(values),
      isPossibleCatfish: catfish,
      summary: summary(facts),
      message: message(facts),
      insights: insights(facts),
      dominantIdentity: dominant,
      matchedName: matched?.closestName ?? null,
      nameConfidence: matched ? Math.round(matched.agreement) : null,
      nameVariation: matched?.variation ?? null,
      dominantHasName: name.identity === dominant || isNameless(evidence, dominant),
      identityScore,
      trustScore: { final, raw: round(best.bits), reasons: reasonTexts(facts) },
      combined: {
        final,
        preCapped: identityScore.adjusted,
        explanation: explanation(best.bound, calibration),
      },
      history,
      identityCount: new Set(contacts.flatMap(({ identity }) => identity ?? [])).size,
      nameHolderContacts: facts.own,
      exclusiveOtherContacts: values.filter((value) => isOthersOwn(value, name.identity)).length,
      namelessContacts: contacts.filter(({ identity }) => isNameless(evidence, identity)).length,
      scoringModel: SCORING_MODEL,
    },
  };
}

/** A name alone says only whether it is there. */
function historyOf({ contacts, identities }: Evidence, { dominant }: Statuses): Score['history'] {
  const nothing = { firstSeen: null, lastSeen: null };
  if (dominant === null || contacts.length === 0) return nothing;
  const known = identities.get(dominant) ?? agreementOf(contacts, dominant);
  return known ? { firstSeen: known.firstSeen, lastSeen: known.lastSeen } : nothing;
}

function agreementOf(contacts: Evidence['contacts'], dominant: number) {
  for (const { agreements } of contacts) {
    const found = agreements.find(({ identity }) => identity === dominant);
    if (found) return found;
  }
  return undefined;
}

/** An e-mail or a phone that one identity has for itself, which is not the one of the name. */
function isOthersOwn({ kind, agreements }: WeighedValue, named: number | null): boolean {
  return kind !== 'address' && agreements.every(({ share, identity }) => share === 1 && identity !== named);
}

const isNameless = ({ nameAgreements: names }: Evidence, id: number | null) =>
  (id !== null && names.get(id)?.isNameless) ?? false;
