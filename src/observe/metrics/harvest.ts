// Whether keys are used to learn who is on record, as figures that name no key.
import { counter, type Family, gauge } from './text.ts';

export interface HarvestCounts {
  /** Since the start: checks, and what they asked for, by kind. */
  probes: Record<string, number>;
  /** Checks that a plan's probes did not reach for. */
  refused: number;
}

export const familiesOfHarvest = ({ probes, refused }: HarvestCounts): Family[] => [
  {
    name: 'bonafide_probes_total',
    help: 'What checks asked for that tells who is on record, since the start.',
    type: 'counter',
    samples: Object.entries(probes).map(([kind, value]) => ({ labels: { kind }, value })),
  },
  counter('bonafide_probes_refused_total', 'Checks that the probes of a plan did not reach for.', refused),
];

/** Figures that the store has: suspected keys, and messages to the webhook by state. */
export interface StoreFigures {
  suspected: Record<'look' | 'harvesting', number>;
  messages: Record<'pending' | 'failed' | 'delivered', number>;
}

/** Returns the metrics of the store's figures; `figures` is null if the store does not answer. */
export const familiesOfStore = (figures: StoreFigures | null): Family[] => [
  gauge('bonafide_store_answers', '1 where the store answered what it was asked for these figures.', [
    { value: figures ? 1 : 0 },
  ]),
  gauge(
    'bonafide_keys_suspected',
    'Keys whose last day looks as if they learnt who is on record.',
    Object.entries(figures?.suspected ?? {}).map(([suspicion, value]) => ({ labels: { suspicion }, value })),
  ),
  gauge(
    'bonafide_webhook_messages',
    'Messages to the webhook: waiting, given up in the last week, delivered.',
    Object.entries(figures?.messages ?? {}).map(([state, value]) => ({ labels: { state }, value })),
  ),
];
