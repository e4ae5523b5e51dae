import { BonafideError } from '../errors.ts';
import type { Counts } from './sqlite/facts.ts';

/** Errors: empty_backup where neither a record nor a key was backed up. */
export function refuseEmpty(databases: Record<string, Counts>): void {
  const { record = 0 } = databases['graph.db']?.tables ?? {};
  const { keys = 0 } = databases['store.db']?.tables ?? {};
  if (record + keys > 0) return;
  throw new BonafideError(
    'empty_backup',
    'There is neither a record nor a key in it: an empty backup is neither made nor restored.',
  );
}
