import type { GraphAnswer, IdentityGraph } from './graph/graph.ts';
import { gatherEvidence } from './match/evidence.ts';
import { givenKey, nameKeys, prepareName } from './names/index.ts';
import type { Claim, Resolution, Verdict } from './model.ts';
import { clean } from './normalise/text.ts';
import { score } from './score/score.ts';

/**
 * One verdict, top to bottom: look the claim up in the graph, match what came back, score it.
 * It is a function of the claim, what the graph holds, and the scoring model.
 *
 * Errors: those of the graph (graph_unavailable, graph_bad_response, graph_timeout).
 */
export async function check(claim: Claim, graph: Pick<IdentityGraph, 'resolve'>): Promise<Verdict> {
  const { contacts } = claim;
  const name = prepareName(claim.name);

  const answer = await graph.resolve({
    nameKeys: nameKeys(name),
    givenKey: givenKey(name),
    values: contacts,
  });
  const evidence = gatherEvidence({ name, contacts, answer });
  const scored = score(evidence);

  return {
    name: { input: claim.name, standardized: clean(claim.name).toUpperCase(), ...scored.name },
    contacts: contacts.map((contact, i) => ({ ...contact, ...(scored.contacts[i] ?? UNVERIFIED) })),
    score: scored.score,
    ...(claim.operation === 'raw' ? { graph: withoutNames(answer) } : {}),
  };
}

const UNVERIFIED: Resolution = { status: 'unverified', identity: null };

/** The engine's answer as it gave it, without the names: they belong to people that the caller did not ask about. */
function withoutNames({ total, values, name, identities }: GraphAnswer): unknown {
  return {
    total,
    values,
    name,
    identities: [...identities.values()].map(({ names, ...identity }) => ({
      ...identity,
      names: names.length,
    })),
  };
}
