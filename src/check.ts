import type { GraphAnswer, IdentityGraph } from './graph/graph.ts';
import { missingGraphsText, requireKnownValues } from './graph/merged/engine.ts';
import { gatherEvidence, type MatchInput, withoutContact } from './match/evidence.ts';
import { buildGraphQuery } from './match/graph-query.ts';
import { givenNameKey, nameKeys, prepareName } from './names/index.ts';
import type {
  Calibration,
  Claim,
  Contact,
  ContactEvidence,
  ContactVerdict,
  Resolution,
  Score,
  Verdict,
} from './model.ts';
import { collapseSpaces } from './normalise/text.ts';
import { toWeighedEvidence } from './score/reason.ts';
import { scoreEvidence, type ScoredEvidence } from './score/score.ts';

/**
 * One verdict, top to bottom: look the claim up in the graph, match what came back, score it.
 * It is a function of the claim, what the graph holds, the scoring model, and the calibration where the operator switched one on.
 *
 * Errors: those of the graph (graph_unavailable, graph_bad_response, graph_timeout).
 */
export async function check(
  claim: Claim,
  graph: Pick<IdentityGraph, 'resolve'>,
  calibration: Calibration | null = null,
): Promise<Verdict> {
  const { contacts, region } = claim;
  const name = prepareName(claim.name);
  const { values, readings } = buildGraphQuery(contacts);

  const answer = await graph.resolve({
    name: claim.name,
    region,
    nameKeys: nameKeys(name),
    givenNameKey: givenNameKey(name),
    values,
  });
  const matched = { name, contacts, readings, answer };
  const evidence = gatherEvidence(matched);
  const scored = scoreEvidence(evidence, calibration);
  const { missing } = answer;
  if (missing) requireKnownValues(missing, lookedUp(contacts, scored));

  return {
    name: { input: claim.name, standardized: collapseSpaces(claim.name).toUpperCase(), ...scored.name },
    contacts: contacts.map((contact, i) => withStatus(contact, evidence.contacts[i], scored.contacts[i])),
    score: missing ? withInsight(scored.score, missingGraphsText(missing)) : scored.score,
    ...(claim.operation === 'raw' ? { raw: rawOf(matched, scored, calibration) } : {}),
  };
}

/** What became of the name and of each contact that can be looked up. */
const lookedUp = (contacts: readonly Contact[], scored: ScoredEvidence): Resolution[] => [
  scored.name,
  ...scored.contacts.filter((_, i) => contacts[i]?.keys.length),
];

const withInsight = (whole: Score, insight: string): Score => ({
  ...whole,
  insights: [...whole.insights, insight],
});

function withStatus(
  contact: Contact,
  found: ContactEvidence | undefined,
  status = UNVERIFIED,
): ContactVerdict {
  const shown = found?.standardized;
  return contact.kind !== 'address' && shown
    ? { ...contact, standardized: shown, ...status }
    : { ...contact, ...status };
}

const UNVERIFIED: Resolution = { status: 'unverified', identity: null };

/** What the graph answered, and the evidence, with the score that a check without each value would give. */
function rawOf(
  matched: MatchInput & { answer: GraphAnswer },
  { bestHypothesis }: ScoredEvidence,
  calibration: Calibration | null,
): Verdict['raw'] {
  const scoreWithout = (index: number) =>
    scoreEvidence(gatherEvidence(withoutContact(matched, index)), calibration).score.value;
  return {
    graph: matched.answer.payload ?? withoutNames(matched.answer),
    explanation: toWeighedEvidence(bestHypothesis.reasons, matched.contacts, scoreWithout),
  };
}

/** The engine's answer as it gave it, without the names: they belong to people that the caller did not ask about. */
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
