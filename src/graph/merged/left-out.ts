// What may be said of a check where a graph of several was left out.
import { BonafideError } from '../../errors.ts';
import type { Resolution } from '../../model.ts';

/**
 * Refuses what only a graph that was left out could know. Of a value that no other graph has a record of, none of the four statuses is
 * true: it is on no record that was asked for, and may be on one that was not.
 *
 * Errors: graph_unavailable.
 */
export function requireKnown(missing: readonly string[], found: readonly Resolution[]): void {
  if (found.every(({ status }) => status !== 'unverified')) return;
  throw new BonafideError(
    'graph_unavailable',
    `The graph ${missing.join(', ')} was left out, and no other one knows all that was asked.`,
  );
}

/** What an answer says of it. */
export const leftOut = (missing: readonly string[]): string =>
  missing.length === 1
    ? 'One of the identity graphs did not answer and was left out.'
    : `${missing.length} of the identity graphs did not answer and were left out.`;
