import { dirname } from 'node:path';
import type { Db } from '../../../platform/sqlite.ts';
import { createSortedWorkspace } from '../../external-sort.ts';

/** Like `Blocks` in graph.ts, but answers at once. In a transaction, so that records are read as of one moment. */
export type BlockTables = ReturnType<typeof blockTables>;

export function blockTables(db: Db) {
  const inside = db.inTransaction;
  if (!inside) db.exec('BEGIN');
  const rows = db.prepare<[], number>('SELECT coalesce(max(id), 0) + 1 FROM record').pluck().get() ?? 1;
  const { drop, ...blocks } = createSortedWorkspace(dirname(db.name), rows);
  return {
    ...blocks,
    drop() {
      drop();
      if (!inside && db.inTransaction) db.exec('ROLLBACK');
    },
  };
}
