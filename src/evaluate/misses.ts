import type { Outcome } from './outcome.ts';
import type { Step } from './steps.ts';

/** A case that came out on the wrong side, and why: no value that was sent is in it. */
export interface Miss {
  id: string;
  role: 'genuine' | 'not_genuine';
  kind: string;
  subkind: string | null;
  score: number;
  sent: Outcome['sent'];
  steps: Step[];
  /** The sentence on the bounds. */
  bounds: string;
}

const SHOWN = 8;

/** The genuine that scored lowest, then the others that scored highest; none that came out as they should. */
export function worstOf(outcomes: Outcome[]): Outcome[] {
  const lowest = outcomes.filter(({ case: { role }, score }) => role === 'genuine' && score < 65);
  const highest = outcomes.filter(({ case: { role }, score }) => role === 'not_genuine' && score >= 40);
  return [
    ...lowest.toSorted((a, b) => a.score - b.score).slice(0, SHOWN),
    ...highest.toSorted((a, b) => b.score - a.score).slice(0, SHOWN),
  ];
}

export function missOf(
  { case: { id, role, kind, subkind }, score, sent }: Outcome,
  { steps, bounds }: Pick<Miss, 'steps' | 'bounds'>,
): Miss {
  const side = role === 'genuine' ? role : 'not_genuine';
  return { id, role: side, kind, subkind, score, sent, steps, bounds };
}
