// The score of one check, and everything of the answer that follows from the evidence.
import {
  type Calibration,
  type DisguisedValueSign,
  type CheckEvidence,
  getContactLastSeen,
  type MatchResult,
  type Score,
  type ScoreBand,
  type ScoreLimitName,
  toVerdictWord,
} from '../model.ts';
import { createScoreScale } from './curves.ts';
import { isPossibleCatfish, getConfidenceFromContacts } from './flags.ts';
import { roundToHundredths, splitScorePointsByReasonType } from './points.ts';
import { type ResolvedClaim, resolveClaim } from './statuses.ts';
import { composeBoundAndCalibrationText } from './texts/bounds.ts';
import { composeInsights, composeMessageAndSummary } from './texts/compose.ts';
import {
  collectVerdictFacts,
  findAgeOfOwnContact,
  findOtherHolderOfAllContacts,
  hasResidentOfFamily,
  isNamedPartner,
  toScoreBand,
} from './texts/facts.ts';
import { composeReasonTexts } from './texts/reasons.ts';
import { weighContactsOnRecord, type WeighedContact } from './values.ts';
import { type IdentityHypothesis, findBestHypothesis } from './weigh.ts';
import { SCORING_MODEL_VERSION } from './weights.ts';

export interface ScoringResult {
  score: Score;
  name: MatchResult;
  contacts: MatchResult[];
  bestHypothesis: IdentityHypothesis;
}

/** Computes the score of one check and everything that follows from its evidence. A calibration changes the points, but not the weights in bits. */
export function scoreEvidence(
  evidence: CheckEvidence,
  calibration: Calibration | null = null,
): ScoringResult {
  const scale = createScoreScale(calibration);
  const values = weighContactsOnRecord(evidence);
  const best = findBestHypothesis(evidence, values, scale);
  const resolved = resolveClaim(evidence, best);
  const { dominant, name, contacts } = resolved;
  const final = Math.round(best.score);
  const band = toScoreBand(final);
  const isLikelyReal = band === 'HIGH' || band === 'MEDIUM';
  const isCatfish = !isLikelyReal && !isNonPersonName(evidence) && isPossibleCatfish(values, best, resolved);
  const history = findHistory(evidence, resolved);
  const facts = collectVerdictFacts({ evidence, best, band, resolved, isCatfish, history });
  const ages = contacts.map((_, index) => findAgeOfOwnContact(facts, index));
  const verdict = toVerdictWord({ band: facts.band, contacts: contacts.length, unknown: facts.unknown });
  const matched = name.identity === null ? undefined : evidence.nameAgreements.get(name.identity);
  const identityScore = splitScorePointsByReasonType(best.reasons, {
    isPossibleCatfish: isCatfish,
    final,
    scale,
  });
  return {
    bestHypothesis: best,
    name,
    contacts,
    score: {
      value: final,
      band: facts.band,
      verdict,
      confidence: getConfidenceFromContacts(values),
      isPossibleCatfish: isCatfish,
      ...composeMessageAndSummary(facts, verdict),
      insights: composeInsights(facts),
      dominantIdentity: dominant,
      matchedName: matched?.closestName ?? null,
      nameConfidence: matched ? Math.round(matched.agreement) : null,
      nameVariation: matched?.variation ?? null,
      dominantHasName: name.identity === dominant || isNameless(evidence, dominant),
      nonPerson: evidence.nonPerson ?? null,
      sharedNamePart:
        facts.sharedPart ??
        (evidence.contacts.some((contact) => hasResidentOfFamily(facts, contact)) ? 'family' : null),
      identityScore,
      trustScore: { final, raw: roundToHundredths(best.bits), reasons: composeReasonTexts(facts) },
      combined: {
        final,
        preCapped: identityScore.adjusted,
        explanation: composeBoundAndCalibrationText(facts, calibration),
      },
      history,
      identityCount: new Set(contacts.flatMap(({ identity }) => identity ?? [])).size,
      otherHasAllContacts: findOtherHolderOfAllContacts(facts) !== null,
      nameHolderContacts: facts.own,
      exclusiveOtherContacts: values.filter((value) =>
        isExclusiveToAnother(value, evidence, name.identity ?? best.identity),
      ).length,
      namesakeContacts: values.filter((value) => isOfNamesake(value, evidence, best)).length,
      sameNameContacts: facts.sameName,
      householdContacts: [...best.household].filter(({ index }) => !facts.isOwn[index]).length,
      oldContacts: ages.filter((age) => age?.code === 'contact_old').length,
      passedOnPhones: ages.filter((age) => age?.code === 'phone_passed_on').length,
      hasNegativeReason: best.reasons.some(({ millibits }) => millibits < 0),
      disguises: listDisguises(evidence),
      namelessContacts: contacts.filter(({ identity }) => isNameless(evidence, identity)).length,
      limits: findLimits(best, band),
      scoringModel: SCORING_MODEL_VERSION,
    },
  };
}

/** Lists the names of the upper bounds that keep the score within its band, the lowest bound first. */
function findLimits({ ceilings }: IdentityHypothesis, band: ScoreBand): ScoreLimitName[] {
  if (band === 'HIGH') return [];
  const lowest = ceilings.filter(({ height }) => toScoreBand(height) === band);
  return [...new Set(lowest.sort((a, b) => a.height - b.height).map(({ limit }) => limit))];
}

function listDisguises({ contacts, hasMixedScripts }: CheckEvidence): DisguisedValueSign[] {
  const disguises = new Set<DisguisedValueSign>();
  if (hasMixedScripts) disguises.add('look_alike_letters');
  for (const { disguise } of contacts) if (disguise) disguises.add(disguise);
  return [...disguises];
}

/**
 * Returns the history of the dominant identity. All values are null for a claim without contacts, because its answer only tells whether the name is
 * on record.
 */
function findHistory({ contacts, identities }: CheckEvidence, { dominant }: ResolvedClaim): Score['history'] {
  const none = { firstSeen: null, lastSeen: null, contactsLastSeen: null };
  if (dominant === null || contacts.length === 0) return none;
  const own = contacts.flatMap(({ agreements }) =>
    agreements.filter(({ identity }) => identity === dominant),
  );
  const known = identities.get(dominant) ?? own[0];
  if (!known) return none;
  const { firstSeen, lastSeen } = known;
  // The identity has a record that may be current.
  if (own.some(({ contactLastSeen }) => contactLastSeen === null))
    return { firstSeen, lastSeen: null, contactsLastSeen: null };
  const dates = own.flatMap((match) => getContactLastSeen(match) ?? []);
  return { firstSeen, lastSeen, contactsLastSeen: dates.length === 0 ? lastSeen : Math.max(...dates) };
}

/**
 * True if the submitted name is not one person's, such as `Brandt GmbH`, `Ann and Carl Brandt` or `Rosario's dad`. No contact contradicts such a
 * name.
 */
const isNonPersonName = ({ nonPerson }: CheckEvidence) => Boolean(nonPerson);

/** True for an e-mail or phone that only one identity has, if this identity has a name on record and is not the person. */
function isExclusiveToAnother(
  { kind, agreements }: WeighedContact,
  evidence: CheckEvidence,
  person: number | null,
): boolean {
  const isAnother = (identity: number) =>
    identity !== person && !isNameless(evidence, identity) && !isNamedPartner(evidence, identity);
  return kind !== 'address' && agreements.every(({ share, identity }) => share === 1 && isAnother(identity));
}

/** True for a contact of another person who has the same name, but another suffix or birth date. The person of the check lacks the contact. */
function isOfNamesake(
  { holders }: WeighedContact,
  { nameAgreements }: CheckEvidence,
  { identity, hasName, namesakes }: IdentityHypothesis,
): boolean {
  if (hasName && identity !== null && holders.has(identity)) return false;
  return [...holders.keys()].some((id) => namesakes.has(id) || nameAgreements.get(id)?.isOtherGeneration);
}

const isNameless = ({ nameAgreements }: CheckEvidence, id: number | null) =>
  (id !== null && nameAgreements.get(id)?.isNameless) ?? false;
