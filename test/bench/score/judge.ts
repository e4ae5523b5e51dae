// Evidence and score of a check, with parts that an answer does not contain.
import { collectEvidence } from '../../../src/match/evidence.ts';
import { buildGraphQuery } from '../../../src/match/graph-query.ts';
import { parseClaim } from '../../../src/claim/parse.ts';
import { getGivenNameKey, getNameKeys, prepareName } from '../../../src/names/index.ts';
import type { CheckEvidence } from '../../../src/model.ts';
import { weighContactsOnRecord } from '../../../src/score/values.ts';
import { scoreEvidence, type ScoringResult } from '../../../src/score/score.ts';
import type { Graph, LabelledCheck } from './world.ts';

export interface Judged {
  evidence: CheckEvidence;
  scored: ScoringResult;
}

/** Scores a request as a check does. */
export async function judge(request: LabelledCheck['request'], graph: Graph): Promise<Judged> {
  const { name: text, contacts } = parseClaim({ value: request, issues: [] }, 'US');
  const name = prepareName(text);
  const { values, readings } = buildGraphQuery(contacts);
  const answer = await graph.resolve({
    name: text,
    region: 'US',
    nameKeys: getNameKeys(name),
    givenNameKey: getGivenNameKey(name),
    hasSuffix: name.generation > 0,
    values,
  });
  const evidence = collectEvidence({ name, contacts, readings, answer });
  return { evidence, scored: scoreEvidence(evidence) };
}

/** Returns the agreement of the name with the identity that has all contacts on record; null if no identity has two or more rarely shared ones. */
export function ownerAgreement({ evidence }: Judged): number | null {
  const values = weighContactsOnRecord(evidence);
  const owned = new Map<number, number>();
  for (const { agreements } of values)
    for (const { identity, share } of agreements) owned.set(identity, (owned.get(identity) ?? 0) + 1 / share);
  const [most] = [...owned].sort((a, b) => b[1] - a[1]);
  if (!most || most[1] < 1.5) return null;
  const all = values.every(({ agreements }) => agreements.some(({ identity }) => identity === most[0]));
  const name = evidence.nameAgreements.get(most[0]);
  return all && !name?.isNameless ? (name?.agreement ?? 0) : null;
}
