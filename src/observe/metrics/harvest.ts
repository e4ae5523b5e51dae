// Metrics of suspected harvesting (keys that enumerate who is on record). Labels carry no key id.
import { createCounter, type MetricFamily, createGauge } from './text.ts';

export interface HarvestCounts {
  /**
   * Counters of harvesting since the start, by kind: checks, and checks or values that reveal who is on
   * record.
   */
  probes: Record<string, number>;
  /** Number of checks rejected because the plan's probe limit was reached. */
  refused: number;
}

export const toHarvestFamilies = ({ probes, refused }: HarvestCounts): MetricFamily[] => [
  {
    name: 'bonafide_probes_total',
    help: 'What checks asked for that tells who is on record, since the start.',
    type: 'counter',
    samples: Object.entries(probes).map(([kind, value]) => ({ labels: { kind }, value })),
  },
  createCounter(
    'bonafide_probes_refused_total',
    'Checks that the probes of a plan did not reach for.',
    refused,
  ),
];

/** Metrics read from the store: suspected keys by suspicion, and webhook messages by state. */
export interface StoreFigures {
  suspected: Record<'look' | 'harvesting', number>;
  messages: Record<'pending' | 'failed' | 'delivered', number>;
}

/** Returns the metrics of the store; `figures` is null if the store does not answer. */
export const toStoreFamilies = (figures: StoreFigures | null): MetricFamily[] => [
  createGauge('bonafide_store_answers', '1 where the store answered what it was asked for these figures.', [
    { value: figures ? 1 : 0 },
  ]),
  createGauge(
    'bonafide_keys_suspected',
    'Keys whose last day looks as if they learnt who is on record.',
    Object.entries(figures?.suspected ?? {}).map(([suspicion, value]) => ({ labels: { suspicion }, value })),
  ),
  createGauge(
    'bonafide_webhook_messages',
    'Messages to the webhook: waiting, given up in the last week, delivered.',
    Object.entries(figures?.messages ?? {}).map(([state, value]) => ({ labels: { state }, value })),
  ),
];
