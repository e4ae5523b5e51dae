import { binaryRows, type Cell } from '../copy.ts';
import type { TableShape } from '../../sql/session.ts';
import type { PostgresSession } from '../session.ts';

/** A table of the graph whose rows are all written again. */
export interface ReplacedTable extends TableShape {
  /** Columns by which a changed row is recognised. */
  compared: readonly string[];
}

export interface Replacing {
  add(rows: Iterable<Cell[]>): Promise<void>;
  /** After the last row: changes those that differ, and takes those out that did not come, of those that `goes` names (as `t`). */
  end(goes?: string): Promise<void>;
}

/**
 * Brings a table to rows that are added, each once. Where it is empty they go straight into it; else into an unlogged table that only this
 * connection sees, and from there what differs. Inside a transaction.
 */
export async function replacing(
  session: PostgresSession,
  table: ReplacedTable,
  isEmpty: boolean,
): Promise<Replacing> {
  const target = `${table.name}`;
  const into = (where: string) => `${where} (${table.columns.join()})`;
  if (isEmpty)
    return {
      add: (rows) => session.copy(into(target), binaryRows(rows)),
      end: async () => void (await session.query(`ANALYZE ${target}`)),
    };
  const stage = `pg_temp.staged_${table.name}`;
  await session.query(
    `CREATE TEMPORARY TABLE staged_${table.name} ON COMMIT DROP AS SELECT ${table.columns.join()} FROM ${target} WITH NO DATA`,
  );
  return {
    add: (rows) => session.copy(into(stage), binaryRows(rows)),
    async end(goes = 'true') {
      await session.query(`ANALYZE ${stage}`);
      for (const text of differences({ ...table, goes }, target, stage)) await session.query(text);
      await session.query(`DROP TABLE ${stage}`);
    },
  };
}

function differences(
  { columns: names, key, compared, goes }: ReplacedTable & { goes: string },
  target: string,
  stage: string,
): string[] {
  const same = key.map((name) => `s.${name} = t.${name}`).join(' AND ');
  const others = names.filter((name) => !key.includes(name));
  const differ = compared.map((name) => `s.${name} IS DISTINCT FROM t.${name}`);
  const set = others.map((name) => `${name} = excluded.${name}`);
  return [
    `DELETE FROM ${target} t WHERE ${goes} AND NOT EXISTS (SELECT 1 FROM ${stage} s WHERE ${same})`,
    `INSERT INTO ${target} (${names.join()})
     SELECT ${names.map((name) => `s.${name}`).join()} FROM ${stage} s LEFT JOIN ${target} t ON ${same}
     WHERE ${[`t.${key[0]} IS NULL`, ...differ].join(' OR ')}
     ON CONFLICT (${key.join()}) DO ${set.length > 0 ? `UPDATE SET ${set.join()}` : 'NOTHING'}`,
  ];
}
