// Check of one claim: looks the claim up in the graph, gathers the evidence, and scores it.
import type { GraphAnswer, GraphQuery, IdentityGraph } from './graph/graph.ts';
import { describeFailedGraphs, refuseIfFailedGraphNeeded } from './graph/merged/engine.ts';
import {
  findUncountedMatches,
  collectEvidence,
  type EvidenceInput,
  removeContactsFromInput,
} from './match/evidence.ts';
import { buildGraphQuery, type PhoneInterpretation } from './match/graph-query.ts';
import type {
  Calibration,
  Claim,
  Contact,
  ContactMatchResult,
  CheckEvidence,
  MatchResult,
  Score,
  Verdict,
} from './model.ts';
import {
  getGivenNameKey,
  getNameKeys,
  listPossibleGenerations,
  prepareName,
  removeCompany,
} from './names/index.ts';
import { isE164 } from './normalise/numbering.ts';
import { collapseSpaces } from './normalise/text.ts';
import { toWeighedEvidenceList } from './score/reason.ts';
import { scoreEvidence, type ScoringResult } from './score/score.ts';

/**
 * Checks one claim. The verdict depends only on the claim, the answer of the graph, the scoring model, and the calibration (if one is
 * configured). Errors: graph_unavailable, graph_bad_response, graph_timeout.
 */
export async function checkClaim(
  claim: Claim,
  graph: Pick<IdentityGraph, 'resolve'>,
  calibration: Calibration | null = null,
): Promise<Verdict> {
  const { contacts } = claim;
  const { query, name, readings } = toGraphQuery(claim);
  const answer = await graph.resolve(query);
  const input = { name, contacts, readings, answer };
  const evidence = collectEvidence(input);
  const scored = scoreEvidence(evidence, calibration);
  const { missing } = answer;
  if (missing) refuseIfFailedGraphNeeded(missing, resolutionsOfKeys(contacts, scored));

  return {
    name: { input: claim.name, standardized: collapseSpaces(claim.name).toUpperCase(), ...scored.name },
    contacts: contacts.map((contact, i) => {
      const standardized = evidence.contacts[i]?.standardized ?? null;
      const own = readings.filter((reading) => reading.contact === i);
      const shown = contact.kind === 'address' ? null : chooseStandardized(contact, standardized, own);
      return toVerdict(contact, shown, scored.contacts[i]);
    }),
    reasonCodes: [...new Set(scored.bestHypothesis.reasons.map(({ code }) => code))],
    score: missing ? withInsight(scored.score, describeFailedGraphs(missing)) : scored.score,
    ...(claim.operation === 'raw' ? { raw: toRaw(input, { ...scored, evidence }, calibration) } : {}),
  };
}

/** Creates the graph query of a check. Also returns the prepared name, and the phones read as numbers of other countries. */
export function toGraphQuery({ name: text, contacts, region }: Claim) {
  const person = removeCompany(text);
  const name = prepareName(person);
  const { values, readings } = buildGraphQuery(contacts);
  const query: GraphQuery = {
    name: person,
    region,
    nameKeys: getNameKeys(name),
    givenNameKey: getGivenNameKey(name),
    hasSuffix: listPossibleGenerations(name).length > 0,
    values,
  };
  return { query, name, readings };
}

/** Lists the match results of the name and of the contacts that have look-up keys. */
const resolutionsOfKeys = (contacts: readonly Contact[], scored: ScoringResult): MatchResult[] => [
  scored.name,
  ...scored.contacts.filter((_, i) => contacts[i]?.keys.length),
];

const withInsight = (score: Score, insight: string): Score => ({
  ...score,
  insights: [...score.insights, insight],
});

const UNVERIFIED: MatchResult = { status: 'unverified', identity: null };

function toVerdict(
  contact: Contact,
  standardized: string | null,
  resolution = UNVERIFIED,
): ContactMatchResult {
  return contact.kind === 'address'
    ? { ...contact, ...resolution }
    : { ...contact, standardized, ...resolution };
}

/**
 * Returns the standardized form of an e-mail or phone; null if there is none. For a phone: its number on record, or else its valid number in the
 * default region or in the country of a submitted address.
 */
function chooseStandardized(
  { kind, standardized }: Exclude<Contact, { kind: 'address' }>,
  found: string | null,
  readings: readonly PhoneInterpretation[],
): string | null {
  if (found !== null || kind === 'email') return found ?? standardized;
  return [standardized, ...readings.map((reading) => reading.standardized)].find(isE164) ?? null;
}

/**
 * Returns the graph's answer and the weighed evidence for `operation: raw`. Evidence about a contact has the score that the check would have without
 * this contact.
 */
function toRaw(
  input: EvidenceInput & { answer: GraphAnswer },
  { bestHypothesis, evidence }: ScoringResult & { evidence: CheckEvidence },
  calibration: Calibration | null,
): Verdict['raw'] {
  const scoreWithout = (index: number) =>
    scoreEvidence(collectEvidence(removeContactsFromInput(input, new Set([index]))), calibration).score.value;
  return {
    graph: input.answer.payload ?? withoutNames(input.answer),
    explanation: [
      ...toWeighedEvidenceList(bestHypothesis.reasons, input.contacts, scoreWithout),
      ...findUncountedMatches(input, evidence),
    ],
  };
}

/** Removes the names on record from the graph's answer, because they may belong to people whom the request does not name. */
function withoutNames({ total, newest, values, name, identities, missing }: GraphAnswer): unknown {
  return {
    total,
    newest,
    values,
    name,
    identities: [...identities.values()].map(({ names, ...identity }) => ({
      ...identity,
      names: names.length,
    })),
    ...(missing ? { missing } : {}),
  };
}
