import { binaryRows, type Cell } from '../copy.ts';
import type { Session } from '../session.ts';
import type { Whole } from '../write/replaced.ts';

/** Puts rows into a table, each in the place of the one with its key; by a table of this connection alone. Inside a transaction. */
export async function put(session: Session, { name, columns, key }: Whole, rows: Cell[][]): Promise<void> {
  if (rows.length === 0) return;
  const [stage, names] = [`put_${name}`, Object.keys(columns)];
  const typed = Object.entries(columns).map(([column, type]) => `${column} ${type}`);
  await session.query(
    `CREATE TEMPORARY TABLE IF NOT EXISTS ${stage} (${typed.join()}) ON COMMIT DELETE ROWS`,
  );
  await session.copy(`pg_temp.${stage} (${names.join()})`, binaryRows(rows));
  const set = names
    .filter((column) => !key.includes(column))
    .map((column) => `${column} = excluded.${column}`);
  await session.query(
    `INSERT INTO bonafide.${name} (${names.join()}) SELECT ${names.join()} FROM pg_temp.${stage}
     ON CONFLICT (${key.join()}) DO ${set.length > 0 ? `UPDATE SET ${set.join()}` : 'NOTHING'}`,
  );
  await session.query(`DELETE FROM pg_temp.${stage}`);
}
