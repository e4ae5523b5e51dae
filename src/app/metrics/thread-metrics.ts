// What a server counts: as plain data of each of its threads, and of all as text.
import { metricsText, sumFeatures } from '../../features/open.ts';
import type { FeatureMetrics } from '../../features/open.ts';
import { familiesOfServer } from '../../observe/metrics/server.ts';
import type { ServerState } from '../../observe/metrics/server.ts';
import { sumFamilies, sumLeft, sumStates } from '../../observe/metrics/sum.ts';
import { expositionOf } from '../../observe/metrics/text.ts';
import type { Family } from '../../observe/metrics/text.ts';

/** What a thread has counted since its start, and how it is. */
export interface ThreadCounts {
  families: Family[];
  features: FeatureMetrics;
  state: ServerState;
}

/** What is found out when somebody asks: families of the store, and what the process takes as text. */
interface CollectedMetrics {
  storeFamilies: Family[];
  processText: string;
}

/** All figures in the text format of Prometheus. */
export function formatServerMetrics(
  { families, features, state }: ThreadCounts,
  { storeFamilies: ofStore, processText: ofProcess }: CollectedMetrics,
): string {
  const own = expositionOf([...families, ...familiesOfServer(state), ...ofStore]);
  return own + metricsText(features) + ofProcess;
}

export const sumThreadCounts = (all: ThreadCounts[]): ThreadCounts => ({
  families: sumFamilies(all.map(({ families }) => families)),
  features: sumFeatures(all.map(({ features }) => features)),
  state: sumStates(all.map(({ state }) => state)),
});

/** What stays of a thread that has ended: counters never fall. */
export const toEndedThreadCounts = ({ families, features, state }: ThreadCounts): ThreadCounts => ({
  families,
  features: { ...features, models: [] },
  state: sumLeft(state),
});
