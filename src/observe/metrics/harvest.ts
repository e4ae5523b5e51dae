// Metrics of suspected harvesting (keys that enumerate who is on record). Labels carry no key id.
import { createCounter, type MetricFamily, createGauge } from './text.ts';

export interface HarvestCounts {
  /** Counts of suspected harvesting since the start, by kind: checks, and checks or values that reveal who is on record. */
  probes: Record<string, number>;
  /** Number of checks rejected because the plan's probe limit was reached. */
  refused: number;
}

export const toHarvestMetricFamilies = ({ probes, refused }: HarvestCounts): MetricFamily[] => [
  {
    name: 'bonafide_probes_total',
    help: 'Since the start: checks, and checks or values that show who is on record.',
    type: 'counter',
    samples: Object.entries(probes).map(([kind, value]) => ({ labels: { kind }, value })),
  },
  createCounter(
    'bonafide_probes_refused_total',
    'Checks refused because the plan had no probes left.',
    refused,
  ),
];

/** Metrics that are read from the store: suspected keys by suspicion, webhook messages and jobs by state. */
export interface StoreMetricValues {
  suspected: Record<'look' | 'harvesting', number>;
  messages: Record<'pending' | 'failed' | 'delivered', number>;
  jobs: Partial<Record<string, number>>;
}

export const toStoreMetricFamilies = (figures: StoreMetricValues | null): MetricFamily[] => [
  createGauge('bonafide_store_answers', '1 if the store answered the queries for these metrics.', [
    { value: figures ? 1 : 0 },
  ]),
  createGauge(
    'bonafide_keys_suspected',
    'Keys whose calls of the last day look like harvesting.',
    Object.entries(figures?.suspected ?? {}).map(([suspicion, value]) => ({ labels: { suspicion }, value })),
  ),
  createGauge(
    'bonafide_webhook_messages',
    'Webhook messages by state: waiting, given up in the last week, delivered.',
    Object.entries(figures?.messages ?? {}).map(([state, value]) => ({ labels: { state }, value })),
  ),
  createGauge(
    'bonafide_jobs',
    'Jobs that are kept, by state.',
    Object.entries(figures?.jobs ?? {}).map(([state, value]) => ({ labels: { state }, value: value ?? 0 })),
  ),
];
