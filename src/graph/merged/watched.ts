// One of several graphs, and whether it takes part.
import { BonafideError } from '../../errors.ts';
import { tellingChanges } from '../../platform/asking/changes.ts';
import { recovering } from '../../platform/asking/recovery.ts';
import type { GraphAnswer, GraphQuery, IdentityGraph } from '../graph.ts';
import { NOTHING } from '../graph.ts';

/** Told the name of a graph and what it fails with; null once it answers again. */
export type OnPart = (name: string, problem: BonafideError | null) => void;

/** The same graph, which is asked from here while it fails, since checks may not need it. */
export function watched(graph: IdentityGraph, onPart: OnPart) {
  let problem: BonafideError | null = null;
  const changes = tellingChanges(true, () => onPart(graph.engine, problem));
  const becomes = (now: BonafideError | null) => {
    problem = now;
    changes.is(now === null);
  };
  const asked = async (query: GraphQuery): Promise<GraphAnswer> => {
    try {
      const answer = await graph.resolve(query);
      becomes(null);
      return answer;
    } catch (error) {
      if (isItsOwn(error)) becomes(error);
      throw error;
    }
  };
  const recovery = recovering(
    () => asked(NOTHING),
    () => problem === null,
  );
  return {
    graph,
    resolve: (query: GraphQuery) => recovery.watch(asked(query)),
    fails: () => problem !== null,
    async close() {
      recovery.end();
      changes.end();
      await graph.close();
    },
  };
}

/** That one question was not taken, or too many are asked, says nothing of who is asked. */
const isItsOwn = (error: unknown): error is BonafideError =>
  error instanceof BonafideError && error.code.startsWith('graph_') && !error.details.ours;
