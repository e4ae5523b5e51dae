import type { RecordRow } from '../../../link/stored.ts';
import type { GraphKeys } from '../../encryption/keys.ts';
import { createRecordSealing } from '../../encryption/sealed-records.ts';
import type { SqlValue } from '../../sql/session.ts';
import { binaryRows, type Cell } from '../copy.ts';
import type { RecordTable } from '../../sql/incoming.ts';
import type { Steps } from '../index/steps.ts';
import type { PostgresSession } from '../session.ts';

const PAGE = 1000;
const SELECT = 'SELECT r.id, r.key, m.identity, r.sealed FROM bonafide.record r';
const MEMBER = 'bonafide.member m ON m.record = r.id';

export function recordTable(session: PostgresSession, keys: GraphKeys, steps: Steps): RecordTable {
  const { fingerprints } = keys;
  const sealing = createRecordSealing(fingerprints, keys.sealing);
  const opened = ([row, key, identity, sealed]: [number, Buffer, number | null, Buffer]): RecordRow => ({
    ...sealing.open(sealed),
    row,
    key: key.toString('hex'),
    identity,
  });
  const rowsOf = async (rest: string, values: SqlValue[]) =>
    (await session.query<[number, Buffer, number | null, Buffer]>(`${SELECT} ${rest}`, values)).map(opened);
  const countOf = async (text: string) => Number((await session.query(text))[0]?.[0] ?? 0);
  return {
    ...sealing,
    put: putter(session, steps),
    remove: remover(session, steps),
    async readRows(rows) {
      const found = await rowsOf(`LEFT JOIN ${MEMBER} WHERE r.id = ANY($1::bigint[])`, [rows]);
      const byRow = new Map(found.map((record) => [record.row, record]));
      return rows.flatMap((row) => byRow.get(row) ?? []);
    },
    findByRecordId: (recordId) =>
      rowsOf(`LEFT JOIN ${MEMBER} WHERE r.ref = $1 ORDER BY r.id`, [fingerprints.of('label', recordId)]),
    listByIdentity: (identity) => rowsOf(`JOIN ${MEMBER} WHERE m.identity = $1 ORDER BY r.id`, [identity]),
    async *pages() {
      const rest = `LEFT JOIN ${MEMBER} WHERE r.id > $1 ORDER BY r.id LIMIT ${PAGE}`;
      for (let after = 0; ;) {
        const rows = await rowsOf(rest, [after]);
        if (rows.length === 0) return;
        yield rows;
        after = rows.at(-1)?.row ?? 0;
      }
    },
    async *sealedPages() {
      const page = (after: number) =>
        session.query<[number, Buffer]>(
          `SELECT id, sealed FROM bonafide.record WHERE id > $1 ORDER BY id LIMIT ${PAGE}`,
          [after],
        );
      for (let rows = await page(0); rows.length > 0; rows = await page(rows.at(-1)?.[0] ?? 0))
        yield rows.map(([row, sealed]) => ({ row, sealed }));
    },
    async readSealedRows(rows) {
      const text = 'SELECT id, sealed FROM bonafide.record WHERE id = ANY($1::bigint[])';
      const found = new Map(await session.query<[number, Buffer]>(text, [rows]));
      return rows.flatMap((row) => {
        const sealed = found.get(row);
        return sealed ? [{ row, sealed }] : [];
      });
    },
    count: () => countOf('SELECT count(*) FROM bonafide.record'),
    maxRow: () => countOf('SELECT max(id) FROM bonafide.record'),
  };
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
  `noting AS (INSERT INTO bonafide.changed SELECT $2::bigint, ${rows} WHERE $2::bigint IS NOT NULL)`;

/** The nonce of a sealing tells it from all others. */
const NONCE = (sealed: string) => `substring(${sealed} FROM 1 FOR 12)`;

const REPLACE = `
WITH noted AS (
  INSERT INTO bonafide.undo (record, put, before)
  SELECT r.id, ${NONCE('c.sealed')}, r.sealed FROM pg_temp.came c JOIN bonafide.record r ON r.key = c.key WHERE $1::boolean
  ON CONFLICT (record) DO UPDATE SET put = excluded.put
), replaced AS (
  UPDATE bonafide.record r SET sealed = c.sealed FROM pg_temp.came c WHERE r.key = c.key RETURNING r.id
), ${note('id, NULL FROM replaced')} SELECT count(*) FROM replaced`;

const ADD = `
WITH added AS (
  INSERT INTO bonafide.record (id, key, ref, sealed)
  SELECT (SELECT coalesce(max(id), 0) FROM bonafide.record) + row_number() OVER (ORDER BY c.place), c.key, c.ref, c.sealed
  FROM pg_temp.came c WHERE NOT EXISTS (SELECT 1 FROM bonafide.record r WHERE r.key = c.key)
  RETURNING id, sealed
), noted AS (
  INSERT INTO bonafide.undo (record, put) SELECT id, ${NONCE('sealed')} FROM added WHERE $1::boolean
), ${note('id, NULL FROM added')} SELECT count(*) FROM added`;

function putter(session: PostgresSession, steps: Steps): RecordTable['put'] {
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
  DELETE FROM bonafide.record r USING pg_temp.came c WHERE r.key = c.key RETURNING r.id, r.key, r.ref, r.sealed
), parted AS (
  DELETE FROM bonafide.member m USING gone WHERE m.record = gone.id RETURNING m.record, m.identity
), forgetting AS (
  DELETE FROM bonafide.bore b USING gone WHERE b.record = gone.id
), noted AS (
  INSERT INTO bonafide.undo (record, key, ref, before) SELECT id, key, ref, sealed FROM gone WHERE $1::boolean
  ON CONFLICT (record) DO UPDATE SET put = NULL, key = excluded.key, ref = excluded.ref, before = excluded.before
), ${note('gone.id, parted.identity FROM gone LEFT JOIN parted ON parted.record = gone.id')} SELECT count(*) FROM gone`;

function remover(session: PostgresSession, steps: Steps): RecordTable['remove'] {
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
export async function revise(session: PostgresSession): Promise<void> {
  await session.query('UPDATE bonafide.graph SET revision = revision + 1');
}
