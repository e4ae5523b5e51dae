// What a server counts: as plain data of each of its threads, and of all as text.
import { metricsText, sumFeatures } from '../../features/open.ts';
import type { FeatureMetrics } from '../../features/open.ts';
import { familiesOfServer } from '../../observe/metrics/server.ts';
import type { ServerState } from '../../observe/metrics/server.ts';
import { sumFamilies, sumLeft, sumStates } from '../../observe/metrics/sum.ts';
import { expositionOf } from '../../observe/metrics/text.ts';
import type { Family } from '../../observe/metrics/text.ts';

/** What a thread has counted since its start, and how it is. */
export interface Figures {
  counted: Family[];
  features: FeatureMetrics;
  state: ServerState;
}

/** What is found out when somebody asks: families of the store, and what the process takes as text. */
interface Asked {
  ofStore: Family[];
  ofProcess: string;
}

/** All figures in the text format of Prometheus. */
export function figuresText({ counted, features, state }: Figures, { ofStore, ofProcess }: Asked): string {
  const own = expositionOf([...counted, ...familiesOfServer(state), ...ofStore]);
  return own + metricsText(features) + ofProcess;
}

export const sumFigures = (all: Figures[]): Figures => ({
  counted: sumFamilies(all.map(({ counted }) => counted)),
  features: sumFeatures(all.map(({ features }) => features)),
  state: sumStates(all.map(({ state }) => state)),
});

/** What stays of a thread that has ended: counters never fall. */
export const leftOf = ({ counted, features, state }: Figures): Figures => ({
  counted,
  features: { ...features, models: [] },
  state: sumLeft(state),
});
