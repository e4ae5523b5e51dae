// What is kept of the records that the last import changed, so that it can be taken back: as sealed as they were.
import type { AppliedImport, GraphRecords } from '../../records.ts';
import type { ForgottenTable, Returned } from './forgotten.ts';
import type { Session } from '../session.ts';

export interface UndoTable {
  /** Begins anew: what was applied before can be taken back no more. */
  begin(what: object): Promise<void>;
  /** What kept some of its records out before, so that it does again when it is taken back. */
  noteReturned(returned: Returned[]): Promise<void>;
  last(): Promise<AppliedImport | null>;
  /** Inside `alone`, like the others. */
  takeBack(): ReturnType<GraphRecords['undoLastImport']>;
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
    ), forgetting AS (
      DELETE FROM bonafide.bore b USING done WHERE b.record = done.id
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

/** What is kept of `begin`, and of `noteReturned`. */
function keptIn(text: string): { what: object; returned: Returned[] } {
  const { returned = [], ...what } = JSON.parse(text) as { returned?: Returned[] };
  return { what, returned };
}

export function undoTable(session: Session, forgotten: Pick<ForgottenTable, 'bar'>): UndoTable {
  const kept = async () => {
    const [row] = await session.query<[string]>('SELECT what FROM bonafide.applied');
    return keptIn(row?.[0] ?? '{}');
  };
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
    async noteReturned(returned) {
      const what = JSON.stringify({ ...(await kept()).what, returned });
      await session.query('UPDATE bonafide.applied SET what = $1', [what]);
    },
    async last() {
      const [row] = await session.query<[number, string, number, number, number]>(LAST);
      if (!row) return null;
      const [at, what, added, replaced, removed] = row;
      return { at, what: keptIn(what).what, added, replaced, removed };
    },
    async takeBack() {
      const all = await countOf('SELECT count(*) FROM bonafide.undo');
      const restored = await countOf(STEPS.restored);
      const removed = await countOf(STEPS.removed);
      const returned = await countOf(STEPS.returned);
      const marks = (await kept()).returned.map(([mark, time]): [Buffer, number] => [
        Buffer.from(mark, 'hex'),
        time,
      ]);
      if (marks.length > 0) await forgotten.bar(marks);
      await forget();
      return { removed, restored: restored + returned, left: all - removed - restored - returned };
    },
  };
}
