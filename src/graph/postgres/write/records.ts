// Changes the table of records, and undoes the last import.
import type { RecordWriteOperations } from '../../sql/records.ts';
import type { ImportUndoTable } from '../../sql/undo.ts';
import type { PostgresCopyCell } from '../connect.ts';
import type { PostgresSession } from '../session.ts';
import type { GraphChangeLog } from './change-log.ts';

/**
 * Opens the functions that change records. Their SQL statements apply the temporary table `staged` to the table `record`. Parameters: $1 true to save
 * the previous records in `undo`; $2 number of the change log's step for the changed rows.
 */
export function openRecordWriteOperations(
  session: PostgresSession,
  steps: GraphChangeLog,
): RecordWriteOperations {
  const runStaged = async <T>(
    columns: string,
    rows: Iterable<PostgresCopyCell[]>,
    work: () => Promise<T>,
  ): Promise<T> => {
    await session.query(`CREATE TEMPORARY TABLE staged (${columns}) ON COMMIT DROP`);
    await session.copy('pg_temp.staged', rows);
    await session.query('ANALYZE pg_temp.staged');
    const result = await work();
    await session.query('DROP TABLE pg_temp.staged');
    return result;
  };
  const count = async (text: string, values: [journal: boolean, step: number | null]) =>
    (await session.query<[number]>(text, values))[0]?.[0] ?? 0;
  return {
    put(records, journal) {
      let place = 0;
      const rows = (function* () {
        for (const { key, ref, sealed } of records) yield [place++, key, ref, sealed];
      })();
      return steps.noteChange(async (step) => {
        const counts = await runStaged(
          'place bigint, key bytea, ref bigint, sealed bytea',
          rows,
          async () => ({
            replaced: await count(REPLACE, [journal, step]),
            added: await count(ADD, [journal, step]),
          }),
        );
        await session.query(REVISE);
        return counts;
      });
    },
    remove(keys, journal) {
      const rows = keys.map((key) => [key]);
      return steps.noteChange(async (step) => {
        const removed = await runStaged('key bytea', rows, () => count(REMOVE, [journal, step]));
        if (removed > 0) await session.query(REVISE);
        return removed;
      });
    },
  };
}

const REVISE = 'UPDATE graph SET revision = revision + 1';

const noteRows = (rows: string) =>
  `noting AS (INSERT INTO changed SELECT $2::bigint, ${rows} WHERE $2::bigint IS NOT NULL)`;

/** Returns the SQL expression for the nonce of an encrypted record, by which two encryptions of one record differ. */
const nonceOf = (sealed: string) => `substring(${sealed} FROM 1 FOR 12)`;

const REPLACE = `
WITH noted AS (
  INSERT INTO undo (record, put, before)
  SELECT r.id, ${nonceOf('s.sealed')}, r.sealed FROM pg_temp.staged s JOIN record r ON r.key = s.key WHERE $1::boolean
  ON CONFLICT (record) DO UPDATE SET put = excluded.put
), replaced AS (
  UPDATE record r SET sealed = s.sealed FROM pg_temp.staged s WHERE r.key = s.key RETURNING r.id
), ${noteRows('id, NULL FROM replaced')} SELECT count(*) FROM replaced`;

const ADD = `
WITH added AS (
  INSERT INTO record (id, key, ref, sealed)
  SELECT (SELECT coalesce(max(id), 0) FROM record) + row_number() OVER (ORDER BY s.place), s.key, s.ref, s.sealed
  FROM pg_temp.staged s WHERE NOT EXISTS (SELECT 1 FROM record r WHERE r.key = s.key)
  RETURNING id, sealed
), noted AS (
  INSERT INTO undo (record, put) SELECT id, ${nonceOf('sealed')} FROM added WHERE $1::boolean
), ${noteRows('id, NULL FROM added')} SELECT count(*) FROM added`;

const REMOVE = `
WITH gone AS (
  DELETE FROM record r USING pg_temp.staged s WHERE r.key = s.key RETURNING r.id, r.key, r.ref, r.sealed
), no_member AS (
  DELETE FROM member m USING gone WHERE m.record = gone.id RETURNING m.record, m.identity
), no_number AS (
  DELETE FROM bore b USING gone WHERE b.record = gone.id
), noted AS (
  INSERT INTO undo (record, key, ref, before) SELECT id, key, ref, sealed FROM gone WHERE $1::boolean
  ON CONFLICT (record) DO UPDATE SET put = NULL, key = excluded.key, ref = excluded.ref, before = excluded.before
), ${noteRows('gone.id, m.identity FROM gone LEFT JOIN no_member m ON m.record = gone.id')} SELECT count(*) FROM gone`;

export function openImportUndoTable(
  session: PostgresSession,
  steps: Pick<GraphChangeLog, 'clear'>,
): ImportUndoTable {
  const count = async (text: string) => (await session.query<[number]>(text))[0]?.[0] ?? 0;
  return {
    async restoreRecords() {
      const all = await count('SELECT count(*) FROM undo');
      const replaced = await count(UNDO_REPLACE);
      const removed = await count(UNDO_ADD);
      const restored = replaced + (await count(UNDO_REMOVE));
      await steps.clear();
      await session.query(REVISE);
      return { removed, restored, left: all - removed - restored };
    },
  };
}

/** SQL condition: the row was not changed since the import. Undoing the import leaves other rows alone. */
const IS_AS_PUT = `r.id = u.record AND u.put IS NOT NULL AND u.put = ${nonceOf('r.sealed')}`;

const UNDO_REPLACE = `
WITH restored AS (
  UPDATE record r SET sealed = u.before FROM undo u WHERE ${IS_AS_PUT} AND u.before IS NOT NULL RETURNING 1
) SELECT count(*) FROM restored`;

const UNDO_ADD = `
WITH gone AS (
  DELETE FROM record r USING undo u WHERE ${IS_AS_PUT} AND u.before IS NULL RETURNING r.id
), no_member AS (
  DELETE FROM member m USING gone WHERE m.record = gone.id
), no_number AS (
  DELETE FROM bore b USING gone WHERE b.record = gone.id
) SELECT count(*) FROM gone`;

/** SQL statement that restores removed records. A record gets its previous row number again, or a new one if that number is in use. */
const UNDO_REMOVE = `
WITH gone AS (
  SELECT u.*, EXISTS (SELECT 1 FROM record r WHERE r.id = u.record) AS is_taken FROM undo u
  WHERE u.put IS NULL AND NOT EXISTS (SELECT 1 FROM record r WHERE r.key = u.key)
), highest AS (
  SELECT greatest((SELECT coalesce(max(id), 0) FROM record), (SELECT coalesce(max(record), 0) FROM gone)) AS id
), restored AS (
  INSERT INTO record (id, key, ref, sealed)
  SELECT CASE WHEN g.is_taken THEN highest.id + row_number() OVER (PARTITION BY g.is_taken ORDER BY g.record) ELSE g.record END,
    g.key, g.ref, g.before
  FROM gone g, highest RETURNING 1
) SELECT count(*) FROM restored`;
