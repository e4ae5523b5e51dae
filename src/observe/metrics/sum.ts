// Sums of the metrics of several threads.
import type { ServerState } from './server.ts';
import type { HistogramMetric, MetricFamily, MetricSample } from './text.ts';

/** Merges families of the same name and adds the values of samples with the same labels. */
export function sumMetricFamilies(all: MetricFamily[][]): MetricFamily[] {
  const sums = new Map<string, MetricFamily>();
  for (const family of all.flat()) {
    const samples = [...(sums.get(family.name)?.samples ?? []), ...family.samples];
    sums.set(family.name, { ...family, samples: sumSamples(samples) });
  }
  return [...sums.values()];
}

function sumSamples(samples: MetricSample[]): MetricSample[] {
  const alike = Map.groupBy(samples, ({ labels = {} }) => JSON.stringify(labels));
  return Array.from(alike.values(), (same) => same.reduce(addSample));
}

const addSample = (one: MetricSample, other: MetricSample): MetricSample => ({
  ...one,
  value: add(one.value, other.value),
});

function add(one: MetricSample['value'], other: MetricSample['value']): MetricSample['value'] {
  if (typeof one === 'number' || typeof other === 'number') return Number(one) + Number(other);
  return addDistribution(one, other);
}

const addDistribution = (one: HistogramMetric, other: HistogramMetric): HistogramMetric => ({
  bounds: one.bounds,
  counts: Array.from(one.counts, (count, i) => count + (other.counts[i] ?? 0)),
  beyond: one.beyond + other.beyond,
  sum: one.sum + other.sum,
});

/** Returns the combined state of all threads. A part is `ok` only if it is `ok` in every thread. */
export const sumServerStates = (states: ServerState[]): ServerState => states.reduce(addState, NO_THREADS);

/** Server state without any thread: the neutral element of `addState`. */
const NO_THREADS: ServerState = {
  ready: true,
  parts: {},
  workers: 0,
  replaced: 0,
  inFlight: 0,
  waiting: 0,
  logLinesLost: 0,
  spansLost: 0,
};

const addState = (one: ServerState, other: ServerState): ServerState => ({
  ready: one.ready && other.ready,
  parts: { ...one.parts, ...other.parts, ...onlyFailed(one.parts) },
  ...(one.graphs || other.graphs
    ? { graphs: { ...one.graphs, ...other.graphs, ...onlyFailed(one.graphs ?? {}) } }
    : {}),
  ...(one.graphHosts || other.graphHosts
    ? { graphHosts: [...(one.graphHosts ?? []), ...(other.graphHosts ?? [])] }
    : {}),
  workers: one.workers + other.workers,
  replaced: one.replaced + other.replaced,
  inFlight: one.inFlight + other.inFlight,
  waiting: one.waiting + other.waiting,
  logLinesLost: one.logLinesLost + other.logLinesLost,
  spansLost: one.spansLost + other.spansLost,
});

const onlyFailed = <T extends string | number>(parts: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(parts).filter(([, state]) => state !== 'ok'));

/** Returns the part of an ended thread's state that must be kept: its counters since the start, which must not decrease. */
export const toEndedThreadState = ({ spansLost }: ServerState): ServerState => ({ ...NO_THREADS, spansLost });
