// What is kept of the records that the last import changed, so that it can be taken back: as sealed as they were.
import type { Applied } from '../../parts/incoming.ts';
import type { GraphRecords } from '../../parts/records.ts';
import type { Session } from '../session.ts';

export interface UndoTable {
  /** Begins anew: what was applied before can be taken back no more. */
  begin(what: object): Promise<void>;
  last(): Promise<Applied | null>;
  /** Inside `alone`, like the others. */
  takeBack(): ReturnType<GraphRecords['takeBack']>;
  forget(): Promise<void>;
}

const IS_AS_PUT = 'u.put IS NOT NULL AND u.put = substring(r.sealed FROM 1 FOR 12)';
const IS_OF_IT = 'r.id = u.record';

const LAST = `SELECT at, what, c.* FROM bonafide.applied, (
    SELECT count(*) FILTER (WHERE put IS NOT NULL AND before IS NULL),
      count(*) FILTER (WHERE put IS NOT NULL AND before IS NOT NULL),
      count(*) FILTER (WHERE put IS NULL)
    FROM bonafide.undo
  ) c`;

/** Each answers how many rows it took back. What was changed since stays as it is. */
const STEPS = {
  restored: `
    WITH done AS (
      UPDATE bonafide.record r SET sealed = u.before FROM bonafide.undo u
      WHERE ${IS_OF_IT} AND ${IS_AS_PUT} AND u.before IS NOT NULL RETURNING 1
    ) SELECT count(*) FROM done`,
  removed: `
    WITH done AS (
      DELETE FROM bonafide.record r USING bonafide.undo u
      WHERE ${IS_OF_IT} AND ${IS_AS_PUT} AND u.before IS NULL RETURNING r.id
    ), parted AS (
      DELETE FROM bonafide.member m USING done WHERE m.record = done.id
    ) SELECT count(*) FROM done`,
  returned: `
    WITH gone AS (
      SELECT u.*, EXISTS (SELECT 1 FROM bonafide.record r WHERE ${IS_OF_IT}) AS is_taken FROM bonafide.undo u
      WHERE u.put IS NULL AND NOT EXISTS (SELECT 1 FROM bonafide.record r WHERE r.key = u.key)
    ), highest AS (
      SELECT greatest((SELECT coalesce(max(id), 0) FROM bonafide.record), (SELECT coalesce(max(record), 0) FROM gone)) AS id
    ), done AS (
      INSERT INTO bonafide.record (id, key, ref, sealed)
      SELECT CASE WHEN g.is_taken THEN highest.id + row_number() OVER (PARTITION BY g.is_taken ORDER BY g.record) ELSE g.record END,
        g.key, g.ref, g.before
      FROM gone g, highest RETURNING 1
    ) SELECT count(*) FROM done`,
};

export function undoTable(session: Session): UndoTable {
  const countOf = async (text: string) => Number((await session.query(text))[0]?.[0] ?? 0);
  const forget = async () => {
    await session.query('DELETE FROM bonafide.undo');
    await session.query('DELETE FROM bonafide.applied');
  };
  return {
    forget,
    async begin(what) {
      await forget();
      await session.query('INSERT INTO bonafide.applied VALUES ($1, $2)', [
        new Date().getTime(),
        JSON.stringify(what),
      ]);
    },
    async last() {
      const [row] = await session.query(LAST);
      if (!row) return null;
      const [at, what, added, replaced, removed] = row;
      const counts = { added: Number(added), replaced: Number(replaced), removed: Number(removed) };
      return { at: Number(at), what: JSON.parse(what ?? '{}') as object, ...counts };
    },
    async takeBack() {
      const all = await countOf('SELECT count(*) FROM bonafide.undo');
      const restored = await countOf(STEPS.restored);
      const removed = await countOf(STEPS.removed);
      const returned = await countOf(STEPS.returned);
      await forget();
      return { removed, restored: restored + returned, left: all - removed - restored - returned };
    },
  };
}
