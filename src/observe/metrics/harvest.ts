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

/** Keys by what their last day looks like, as the store tells; null where it does not answer. */
export const familiesOfStore = (keys: Record<'look' | 'harvesting', number> | null): Family[] => [
  gauge('bonafide_store_answers', '1 where the store answered what it was asked for these figures.', [
    { value: keys ? 1 : 0 },
  ]),
  gauge(
    'bonafide_keys_suspected',
    'Keys whose last day looks as if they learnt who is on record.',
    Object.entries(keys ?? {}).map(([suspicion, value]) => ({ labels: { suspicion }, value })),
  ),
];
