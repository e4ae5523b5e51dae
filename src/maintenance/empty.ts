import { BonafideError } from '../errors.ts';
import type { Counts } from './sqlite/facts.ts';

/** Errors: empty_backup where neither a record nor a key was backed up. */
export function refuseEmpty(databases: Record<string, Counts>): void {
  const record = recordsIn(databases);
  const { keys = 0 } = databases['store.db']?.tables ?? {};
  if (record + keys > 0) return;
  throw new BonafideError(
    'empty_backup',
    'There is neither a record nor a key in it: an empty backup is neither made nor restored.',
  );
}

/** How many records databases hold; before version 4, the graph had them in its own file. */
export function recordsIn(databases: Record<string, Counts>): number {
  return (databases['records.db'] ?? databases['graph.db'])?.tables.record ?? 0;
}
