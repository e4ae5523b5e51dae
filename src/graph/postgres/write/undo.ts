// The rows that the last import changed, and how they are restored.
import type { UndoTable } from '../../sql/undo.ts';
import type { Steps } from '../index/steps.ts';
import type { PostgresSession } from '../session.ts';

const IS_AS_PUT = 'u.put IS NOT NULL AND u.put = substring(r.sealed FROM 1 FOR 12)';
const IS_ROW = 'r.id = u.record';

/** Each statement returns how many rows it restored. A row that changed since the import stays as it is. */
const STEPS = {
  replaced: `
    WITH done AS (
      UPDATE record r SET sealed = u.before FROM undo u
      WHERE ${IS_ROW} AND ${IS_AS_PUT} AND u.before IS NOT NULL RETURNING 1
    ) SELECT count(*) FROM done`,
  added: `
    WITH done AS (
      DELETE FROM record r USING undo u WHERE ${IS_ROW} AND ${IS_AS_PUT} AND u.before IS NULL RETURNING r.id
    ), no_member AS (
      DELETE FROM member m USING done WHERE m.record = done.id
    ), no_number AS (
      DELETE FROM bore b USING done WHERE b.record = done.id
    ) SELECT count(*) FROM done`,
  removed: `
    WITH gone AS (
      SELECT u.*, EXISTS (SELECT 1 FROM record r WHERE ${IS_ROW}) AS is_taken FROM undo u
      WHERE u.put IS NULL AND NOT EXISTS (SELECT 1 FROM record r WHERE r.key = u.key)
    ), highest AS (
      SELECT greatest((SELECT coalesce(max(id), 0) FROM record), (SELECT coalesce(max(record), 0) FROM gone)) AS id
    ), done AS (
      INSERT INTO record (id, key, ref, sealed)
      SELECT CASE WHEN g.is_taken THEN highest.id + row_number() OVER (PARTITION BY g.is_taken ORDER BY g.record) ELSE g.record END,
        g.key, g.ref, g.before
      FROM gone g, highest RETURNING 1
    ) SELECT count(*) FROM done`,
};

export function openUndoTable(session: PostgresSession, steps: Pick<Steps, 'clear'>): UndoTable {
  const countOf = async (text: string) => (await session.query<[number]>(text))[0]?.[0] ?? 0;
  return {
    async restoreRecords() {
      const all = await countOf('SELECT count(*) FROM undo');
      const replaced = await countOf(STEPS.replaced);
      const removed = await countOf(STEPS.added);
      const restored = replaced + (await countOf(STEPS.removed));
      await steps.clear();
      await session.query('UPDATE graph SET revision = revision + 1');
      return { removed, restored, left: all - removed - restored };
    },
  };
}
