import { binaryRows, type Cell } from '../copy.ts';
import type { Session } from '../session.ts';

/** A table of the graph that all of is written anew. */
export interface Whole {
  name: string;
  /** Its columns with their types, in order. */
  columns: Record<string, 'bigint' | 'bigint[]' | 'bytea'>;
  /** Those that tell one row from all others. */
  key: string[];
  /** Those by which it is seen that a row has changed. */
  told: string[];
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
export async function replacing(session: Session, table: Whole, isEmpty: boolean): Promise<Replacing> {
  const target = `bonafide.${table.name}`;
  const names = Object.keys(table.columns);
  const into = (where: string) => `${where} (${names.join()})`;
  if (isEmpty)
    return {
      add: (rows) => session.copy(into(target), binaryRows(rows)),
      end: async () => void (await session.query(`ANALYZE ${target}`)),
    };
  const stage = `pg_temp.staged_${table.name}`;
  const columns = Object.entries(table.columns).map(([name, type]) => `${name} ${type}`);
  await session.query(`CREATE TEMPORARY TABLE staged_${table.name} (${columns.join()}) ON COMMIT DROP`);
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
  { columns, key, told, goes }: Whole & { goes: string },
  target: string,
  stage: string,
): string[] {
  const names = Object.keys(columns);
  const same = key.map((name) => `s.${name} = t.${name}`).join(' AND ');
  const others = names.filter((name) => !key.includes(name));
  const differ = told.map((name) => `s.${name} IS DISTINCT FROM t.${name}`);
  const set = others.map((name) => `${name} = excluded.${name}`);
  return [
    `DELETE FROM ${target} t WHERE ${goes} AND NOT EXISTS (SELECT 1 FROM ${stage} s WHERE ${same})`,
    `INSERT INTO ${target} (${names.join()})
     SELECT ${names.map((name) => `s.${name}`).join()} FROM ${stage} s LEFT JOIN ${target} t ON ${same}
     WHERE ${[`t.${key[0]} IS NULL`, ...differ].join(' OR ')}
     ON CONFLICT (${key.join()}) DO ${set.length > 0 ? `UPDATE SET ${set.join()}` : 'NOTHING'}`,
  ];
}
