import { binaryRows, type Cell } from '../connect.ts';
import type { RecordChanges } from '../../sql/records.ts';
import type { Steps } from './change-log.ts';
import type { PostgresSession } from '../session.ts';
import type { UndoTable } from '../../sql/undo.ts';

export function openRecordChanges(session: PostgresSession, steps: Steps): RecordChanges {
  return { put: putter(session, steps), remove: remover(session, steps) };
}

/** What an unlogged table of this connection holds while `work` takes rows out of it. */
async function staged<T>(
  session: PostgresSession,
  { columns, rows }: { columns: string; rows: Iterable<Cell[]> },
  work: () => Promise<T>,
): Promise<T> {
  await session.query(`CREATE TEMPORARY TABLE came (${columns}) ON COMMIT DROP`);
  await session.copy('pg_temp.came', binaryRows(rows));
  await session.query('ANALYZE pg_temp.came');
  const done = await work();
  await session.query('DROP TABLE pg_temp.came');
  return done;
}

const counted = async (
  session: PostgresSession,
  text: string,
  values: [journal: boolean, step: number | null],
) => (await session.query<[number]>(text, values))[0]?.[0] ?? 0;

const note = (rows: string) =>
  `noting AS (INSERT INTO changed SELECT $2::bigint, ${rows} WHERE $2::bigint IS NOT NULL)`;

/** The nonce of a sealing tells it from all others. */
const NONCE = (sealed: string) => `substring(${sealed} FROM 1 FOR 12)`;

const REPLACE = `
WITH noted AS (
  INSERT INTO undo (record, put, before)
  SELECT r.id, ${NONCE('c.sealed')}, r.sealed FROM pg_temp.came c JOIN record r ON r.key = c.key WHERE $1::boolean
  ON CONFLICT (record) DO UPDATE SET put = excluded.put
), replaced AS (
  UPDATE record r SET sealed = c.sealed FROM pg_temp.came c WHERE r.key = c.key RETURNING r.id
), ${note('id, NULL FROM replaced')} SELECT count(*) FROM replaced`;

const ADD = `
WITH added AS (
  INSERT INTO record (id, key, ref, sealed)
  SELECT (SELECT coalesce(max(id), 0) FROM record) + row_number() OVER (ORDER BY c.place), c.key, c.ref, c.sealed
  FROM pg_temp.came c WHERE NOT EXISTS (SELECT 1 FROM record r WHERE r.key = c.key)
  RETURNING id, sealed
), noted AS (
  INSERT INTO undo (record, put) SELECT id, ${NONCE('sealed')} FROM added WHERE $1::boolean
), ${note('id, NULL FROM added')} SELECT count(*) FROM added`;

function putter(session: PostgresSession, steps: Steps): RecordChanges['put'] {
  const columns = 'place bigint, key bytea, ref bigint, sealed bytea';
  return (records, journal) => {
    let place = 0;
    const rows = (function* () {
      for (const { key, ref, sealed } of records) yield [place++, key, ref, sealed];
    })();
    return steps.noting(async (step) => {
      const counts = await staged(session, { columns, rows }, async () => ({
        replaced: await counted(session, REPLACE, [journal, step]),
        added: await counted(session, ADD, [journal, step]),
      }));
      await revise(session);
      return counts;
    });
  };
}

const REMOVE = `
WITH gone AS (
  DELETE FROM record r USING pg_temp.came c WHERE r.key = c.key RETURNING r.id, r.key, r.ref, r.sealed
), parted AS (
  DELETE FROM member m USING gone WHERE m.record = gone.id RETURNING m.record, m.identity
), forgetting AS (
  DELETE FROM bore b USING gone WHERE b.record = gone.id
), noted AS (
  INSERT INTO undo (record, key, ref, before) SELECT id, key, ref, sealed FROM gone WHERE $1::boolean
  ON CONFLICT (record) DO UPDATE SET put = NULL, key = excluded.key, ref = excluded.ref, before = excluded.before
), ${note('gone.id, parted.identity FROM gone LEFT JOIN parted ON parted.record = gone.id')} SELECT count(*) FROM gone`;

function remover(session: PostgresSession, steps: Steps): RecordChanges['remove'] {
  return (keys, journal) =>
    steps.noting(async (step) => {
      const removed = await staged(session, { columns: 'key bytea', rows: keys.map((key) => [key]) }, () =>
        counted(session, REMOVE, [journal, step]),
      );
      if (removed > 0) await revise(session);
      return removed;
    });
}

/** The records have changed: what was linked before is to be linked again. */
async function revise(session: PostgresSession): Promise<void> {
  await session.query('UPDATE graph SET revision = revision + 1');
}

// The rows that the last import changed, and how they are restored.
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
