// Several graphs asked side by side, as one.
import { BonafideError } from '../../errors.ts';
import {
  type GraphAnswer,
  type GraphQuery,
  type GraphStats,
  type IdentityGraph,
  EMPTY_QUERY,
} from '../graph.ts';
import { mergeAnswers, renumberAnswer } from './merge.ts';
import { tellingChanges } from '../../platform/asking/changes.ts';
import { recovering } from '../../platform/asking/recovery.ts';
import type { Resolution } from '../../model.ts';

export interface MergedGraphOptions {
  /** In the order of the setting: an identity that several know has the number of the first of them. */
  graphs: readonly IdentityGraph[];
  /** Where one fails, answer without it; else the query fails. */
  partial: boolean;
  onPartChange?: PartListener | undefined;
}

/** Errors, of `resolve`: graph_unavailable where a graph fails, or all do. */
export function createMergedGraph({
  graphs,
  partial,
  onPartChange: onPart = () => undefined,
}: MergedGraphOptions): IdentityGraph {
  const parts = graphs.map((graph) => watched(graph, onPart));
  const away = partial ? 'left_out' : 'failed';
  const engine = graphs.map((one) => one.engine).join('+');
  const of = graphs.length;
  return {
    engine,
    async resolve(query: GraphQuery): Promise<GraphAnswer> {
      const asked = await Promise.allSettled(parts.map(({ resolve }) => resolve(query)));
      const failed = asked.flatMap((one, i) => (one.status === 'rejected' ? [{ error: one.reason, i }] : []));
      for (const { error } of failed)
        if (!isOfGraph(error) || (error.details.circle && (query.hops ?? 0) > 0)) throw error;
      if (failed.length > 0 && (!partial || failed.length === of))
        throw failure(failed.map(({ error }) => error));
      const answers = asked.flatMap((one, index) =>
        one.status === 'fulfilled' ? [renumberAnswer(one.value, { index, graphCount: of })] : [],
      );
      const missing = failed.map(({ i }) => graphs[i]?.engine ?? '');
      return { ...mergeAnswers(answers, query), ...(missing.length > 0 ? { missing } : {}) };
    },
    async stats(hops): Promise<GraphStats> {
      const all = await Promise.all(graphs.map((graph) => graph.stats(hops)));
      return all.reduce(added);
    },
    async warnings(hops) {
      const all = await Promise.all(graphs.map((graph) => graph.warnings(hops)));
      return all.flat();
    },
    ping() {
      const problems = graphs.flatMap(problemOf);
      if (problems.length > 0 && (!partial || problems.length === of)) throw problems[0];
    },
    partStates: () => Object.fromEntries(parts.map((one) => [one.graph.engine, one.fails() ? away : 'ok'])),
    async close() {
      for (const part of parts) await part.close();
    },
  };
}

const isOfGraph = (error: unknown): error is BonafideError =>
  error instanceof BonafideError && (error.code.startsWith('graph_') || error.code === 'overloaded');

/** What each suffers from is in the log of who asked: whoever waits is told to come again. */
function failure(errors: BonafideError[]): BonafideError {
  const waits = errors.flatMap(({ details }) => details.retryAfterMs ?? []);
  const retry = waits.length > 0 ? { retryAfterMs: Math.max(...waits) } : {};
  const [first] = errors;
  const circle = errors.find(({ details }) => details.circle);
  if (circle) return circle;
  return new BonafideError('graph_unavailable', `One of several graphs failed: ${first?.message}`, retry);
}

function problemOf(graph: IdentityGraph): unknown[] {
  try {
    graph.ping();
    return [];
  } catch (error) {
    return [error];
  }
}

const added = (a: GraphStats, b: GraphStats): GraphStats => ({
  records: a.records + b.records,
  identities: a.identities + b.identities,
  merged: a.merged + b.merged,
  postings: a.postings + b.postings,
  unlinked: a.unlinked + b.unlinked,
  linkedAt:
    [a.linkedAt, b.linkedAt]
      .filter((at) => at !== null)
      .toSorted()
      .at(-1) ?? null,
  settled: a.settled && b.settled,
});

// One of several graphs, and whether it takes part.
/** Told the name of a graph and what it fails with; null once it answers again. */
export type PartListener = (name: string, problem: BonafideError | null) => void;

/** The same graph, which is asked from here while it fails, since checks may not need it. */
function watched(graph: IdentityGraph, onPart: PartListener) {
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
    () => asked(EMPTY_QUERY),
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

// What may be said of a check where a graph of several was left out.
/**
 * Refuses what only a graph that was left out could know. Of a value that no other graph has a record of, none of the four statuses is
 * true: it is on no record that was asked for, and may be on one that was not.
 *
 * Errors: graph_unavailable.
 */
export function requireKnownValues(missing: readonly string[], found: readonly Resolution[]): void {
  if (found.every(({ status }) => status !== 'unverified')) return;
  throw new BonafideError(
    'graph_unavailable',
    `The graph ${missing.join(', ')} was left out, and no other one knows all that was asked.`,
  );
}

/** What an answer says of it. */
export const missingGraphsText = (missing: readonly string[]): string =>
  missing.length === 1
    ? 'One of the identity graphs did not answer and was left out.'
    : `${missing.length} of the identity graphs did not answer and were left out.`;
