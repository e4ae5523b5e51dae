// Scores of an invented check for both classes, the same for the same seed.
import { Random } from '../../src/generate/random.ts';
import type { ScoreAndCatfishFlag } from '../../src/evaluate/sample.ts';

/** Returns `count` scores, most of them near `middle`. */
export function answers(
  count: number,
  { middle, seed }: { middle: number; seed: number },
): ScoreAndCatfishFlag[] {
  const random = new Random(seed, 5, 0);
  return Array.from({ length: count }, () => {
    const spread = (random.next() + random.next() - 1) * 60;
    return { score: Math.min(100, Math.max(0, Math.round(middle + spread))), flagged: random.chance(0.2) };
  });
}

export const GENUINE = answers(230, { middle: 74, seed: 1 });
export const OTHERS = answers(170, { middle: 31, seed: 2 });
