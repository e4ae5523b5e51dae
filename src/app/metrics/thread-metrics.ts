// Metrics of a serving thread as plain data, their sum over threads, and their text form.
import { formatFeatureMetrics, sumFeatureMetrics, type FeatureMetrics } from '../../features/open.ts';
import { toServerMetricFamilies, type ServerState } from '../../observe/metrics/server.ts';
import {
  formatMetricFamilies,
  type MetricFamily,
  type HistogramMetric,
  type MetricSample,
} from '../../observe/metrics/text.ts';

export interface ThreadMetricCounts {
  families: MetricFamily[];
  features: FeatureMetrics;
  state: ServerState;
}

/** Metrics collected for a request to `/metrics`: metric families read from the store, and process metrics as text. */
interface CollectedMetrics {
  storeFamilies: MetricFamily[];
  processText: string;
}

export function formatServerMetrics(
  { families, features, state }: ThreadMetricCounts,
  { storeFamilies: ofStore, processText: ofProcess }: CollectedMetrics,
): string {
  const own = formatMetricFamilies([...families, ...toServerMetricFamilies(state), ...ofStore]);
  return own + formatFeatureMetrics(features) + ofProcess;
}

export const sumThreadMetricCounts = (all: ThreadMetricCounts[]): ThreadMetricCounts => ({
  families: sumMetricFamilies(all.map(({ families }) => families)),
  features: sumFeatureMetrics(all.map(({ features }) => features)),
  state: sumServerStates(all.map(({ state }) => state)),
});

/** Returns the counters of an ended thread. They still count, because the totals must never decrease. */
export const toCountersOfEndedThread = ({
  families,
  features,
  state,
}: ThreadMetricCounts): ThreadMetricCounts => ({
  families,
  features: { ...features, models: [] },
  state: toEndedThreadState(state),
});

/** Merges metric families of the same name, and adds up values with the same labels. */
function sumMetricFamilies(all: MetricFamily[][]): MetricFamily[] {
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

/** Combines the states of all threads. A part is `ok` only if it is `ok` in every thread. */
const sumServerStates = (states: ServerState[]): ServerState => states.reduce(addState, INITIAL_SERVER_STATE);

/** Start value for combining the states of threads. */
const INITIAL_SERVER_STATE: ServerState = {
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

/** Returns the counters in an ended thread's state. They still count, because the totals must never decrease. */
const toEndedThreadState = ({ spansLost }: ServerState): ServerState => ({
  ...INITIAL_SERVER_STATE,
  spansLost,
});
