// What came of work that another thread did, as a message has it.
import { BonafideError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';

export type Outcome =
  | { done: unknown }
  | { failed: { code: ErrorCode; message: string; details: BonafideError['details'] } | { name: string } };

/** Of an error that is none of ours only its kind is told: its text may hold anything. */
export function failed(thrown: unknown): Outcome {
  if (!(thrown instanceof BonafideError))
    return { failed: { name: thrown instanceof Error ? thrown.name : typeof thrown } };
  const { code, message, details } = thrown;
  return { failed: { code, message, details } };
}

/** Errors: the one that was thrown there. */
export function valueOf(outcome: Outcome): unknown {
  if ('done' in outcome) return outcome.done;
  const { failed } = outcome;
  if (!('code' in failed)) throw new Error(`It ended with ${failed.name}.`);
  throw new BonafideError(failed.code, failed.message, failed.details);
}
