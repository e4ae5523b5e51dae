// A graph that queries several graphs in parallel and merges their answers.
import { BonafideError } from '../../errors.ts';
import type { MatchResult } from '../../model.ts';
import { createStateChangeReporter, createGraphRecoveryWatcher } from '../../platform/resilience/recovery.ts';
import {
  type GraphAnswer,
  type GraphQuery,
  type GraphStats,
  type IdentityGraph,
  EMPTY_GRAPH_QUERY,
} from '../graph.ts';
import { mergeGraphAnswers, renumberGraphAnswer } from './merge.ts';

export interface MergedGraphOptions {
  /** Graphs in the order of `graph.engine`. A person in several graphs gets an identity number from the first of them. */
  graphs: readonly IdentityGraph[];
  /** True to answer a query without the graphs that failed; false to fail the query. */
  partial: boolean;
  onPartChange?: GraphAvailabilityListener | undefined;
}

/** Called when one graph of a merged graph fails (`problem` is the error), and when it answers again (`problem` is null). */
export type GraphAvailabilityListener = (name: string, problem: BonafideError | null) => void;

/**
 * Creates a graph that merges the answers of several graphs. Errors of `resolve`: graph_unavailable if one graph fails; with `partial`, only if
 * all fail.
 */
export function createMergedGraph({
  graphs,
  partial,
  onPartChange = () => undefined,
}: MergedGraphOptions): IdentityGraph {
  const parts = graphs.map((graph) => watchPart(graph, onPartChange));
  const graphCount = graphs.length;
  const isFatal = (failures: number) => failures > 0 && (!partial || failures === graphCount);
  return {
    engine: graphs.map((graph) => graph.engine).join('+'),
    async resolve(query: GraphQuery): Promise<GraphAnswer> {
      const results = await Promise.allSettled(parts.map(({ resolve }) => resolve(query)));
      const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      for (const error of errors)
        if (!isGraphError(error) || (error.details.circle && (query.hops ?? 0) > 0)) throw error;
      const missing = graphs.flatMap(({ engine }, i) => (results[i]?.status === 'rejected' ? [engine] : []));
      if (isFatal(errors.length)) throw createMergedError(errors, missing);
      const answers = results.flatMap((result, index) =>
        result.status === 'fulfilled' ? [renumberGraphAnswer(result.value, { index, graphCount })] : [],
      );
      return { ...mergeGraphAnswers(answers, query), ...(missing.length > 0 ? { missing } : {}) };
    },
    async stats(hops): Promise<GraphStats> {
      return (await Promise.all(graphs.map((graph) => graph.stats(hops)))).reduce(addStats);
    },
    async warnings(hops) {
      return (await Promise.all(graphs.map((graph) => graph.warnings(hops)))).flat();
    },
    ping() {
      const errors = graphs.flatMap(pingError);
      if (isFatal(errors.length)) throw errors[0];
    },
    partStates: () =>
      Object.fromEntries(
        parts.map(({ engine, isFailing }) => [engine, !isFailing() ? 'ok' : partial ? 'left_out' : 'failed']),
      ),
    hostStates: () => graphs.flatMap((graph) => graph.hostStates?.() ?? []),
    async close() {
      for (const part of parts) await part.close();
    },
  };
}

const isGraphError = (error: unknown): error is BonafideError =>
  error instanceof BonafideError && (error.code.startsWith('graph_') || error.code === 'overloaded');

/** Combines the errors of several graphs to one error, with the longest of their retry delays. */
function createMergedError(errors: BonafideError[], failed: readonly string[]): BonafideError {
  const circle = errors.find(({ details }) => details.circle);
  if (circle) return circle;
  const delays = errors.flatMap(({ details }) => details.retryAfterMs ?? []);
  const details = delays.length > 0 ? { retryAfterMs: Math.max(...delays) } : {};
  return new BonafideError(
    'graph_unavailable',
    `Queries to these graphs of the setting graph.engine failed: ${failed.join(', ')}. ${errors[0]?.message}`,
    details,
  );
}

function pingError(graph: IdentityGraph): unknown[] {
  try {
    graph.ping();
    return [];
  } catch (error) {
    return [error];
  }
}

const addStats = (a: GraphStats, b: GraphStats): GraphStats => ({
  records: a.records + b.records,
  identities: a.identities + b.identities,
  merged: a.merged + b.merged,
  postings: a.postings + b.postings,
  unlinked: a.unlinked + b.unlinked,
  linkedAt: [a.linkedAt, b.linkedAt].reduce((x, y) => ((x ?? '') > (y ?? '') ? x : y)),
  settled: a.settled && b.settled,
});

/** Monitors one graph of a merged graph. Sends regular test queries to a graph that failed, because check calls may no longer query it. */
function watchPart(graph: IdentityGraph, onPartChange: GraphAvailabilityListener) {
  let problem: BonafideError | null = null;
  const { engine } = graph;
  const changes = createStateChangeReporter(true, () => onPartChange(engine, problem));
  const setProblem = (current: BonafideError | null) => {
    problem = current;
    changes.setState(current === null);
  };
  const query = async (graphQuery: GraphQuery): Promise<GraphAnswer> => {
    try {
      const answer = await graph.resolve(graphQuery);
      setProblem(null);
      return answer;
    } catch (error) {
      // A rejected query, or too many queries, do not mean that the graph has failed.
      if (isGraphError(error) && error.code !== 'overloaded' && !error.details.ours) setProblem(error);
      throw error;
    }
  };
  const recovery = createGraphRecoveryWatcher(
    () => query(EMPTY_GRAPH_QUERY),
    () => problem === null,
  );
  return {
    engine,
    resolve: (asked: GraphQuery) => recovery.watch(query(asked)),
    isFailing: () => problem !== null,
    async close() {
      recovery.end();
      changes.end();
      await graph.close();
    },
  };
}

/**
 * Throws if a check needs a graph that failed: no other graph has a record of one of the submitted values, but the failed graph may have one.
 * Errors: graph_unavailable.
 */
export function refuseIfFailedGraphNeeded(
  missing: readonly string[],
  resolutions: readonly MatchResult[],
): void {
  if (resolutions.every(({ status }) => status !== 'unverified')) return;
  throw new BonafideError(
    'graph_unavailable',
    `The graph ${missing.join(', ')} does not answer, and the other graphs have no record of some values, so the check cannot be answered. Try again when the graph answers.`,
  );
}

/** Returns the sentence for an answer that lacks the data of graphs that failed. */
export const describeFailedGraphs = (missing: readonly string[]): string =>
  missing.length === 1
    ? 'One of the identity graphs did not answer and was left out.'
    : `${missing.length} of the identity graphs did not answer and were left out.`;
