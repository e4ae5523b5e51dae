// Metrics of a serving thread as plain data, their sum over threads, and their text form.
import { formatFeatureMetrics, sumFeatureMetrics } from '../../features/open.ts';
import type { FeatureMetrics } from '../../features/open.ts';
import { toServerMetricFamilies } from '../../observe/metrics/server.ts';
import type { ServerState } from '../../observe/metrics/server.ts';
import { sumMetricFamilies, toEndedThreadState, sumServerStates } from '../../observe/metrics/sum.ts';
import { formatMetricFamilies } from '../../observe/metrics/text.ts';
import type { MetricFamily } from '../../observe/metrics/text.ts';

export interface ThreadMetricCounts {
  families: MetricFamily[];
  features: FeatureMetrics;
  state: ServerState;
}

/** Metrics that are read when `/metrics` is requested: families of the store, and process metrics as text. */
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

/** Returns the metrics of an ended thread that must still be counted, because counters never decrease. */
export const toCountersOfEndedThread = ({
  families,
  features,
  state,
}: ThreadMetricCounts): ThreadMetricCounts => ({
  families,
  features: { ...features, models: [] },
  state: toEndedThreadState(state),
});
