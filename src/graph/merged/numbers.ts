// Numbers of several graphs in one: each graph has those that leave its place in the list when they are divided by how many there are.
import { BonafideError } from '../../errors.ts';
import type { GraphAnswer } from '../graph.ts';

/** The place of a graph in the list, and how many are in it. */
export interface Place {
  index: number;
  of: number;
}

export function numberIn({ index, of }: Place, number: number): number {
  const merged = number * of + index;
  if (Number.isSafeInteger(merged)) return merged;
  throw new BonafideError(
    'graph_bad_response',
    'A graph’s numbers are too large to be told apart from another’s.',
  );
}

/** The same answer, under the numbers that its identities have beside those of other graphs. Errors: graph_bad_response. */
export function renumbered(answer: GraphAnswer, place: Place): GraphAnswer {
  const to = (number: number) => numberIn(place, number);
  const { values, name, identities } = answer;
  return {
    ...answer,
    values: values.map((hits) => hits.map((hit) => ({ ...hit, identity: to(hit.identity) }))),
    name: { ...name, identities: name.identities.map(to), given: name.given.map(to) },
    identities: new Map([...identities.values()].map((one) => [to(one.id), { ...one, id: to(one.id) }])),
  };
}
