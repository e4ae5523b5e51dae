import { setTimeout as pause } from 'node:timers/promises';
import { checkTables, listDatabases, runWithDatabase, type DatabaseFile } from './sqlite/databases.ts';

export interface DatabaseDamage {
  name: DatabaseFile['name'];
  /** Name of the damaged table; null if the whole file cannot be read. */
  table: string | null;
}

/** Pause after each checked table, as a multiple of the time that its check took. With 9, the check uses a tenth of one core. */
const REST_FACTOR = 9;
const MOST_REST_MS = 60_000;

/**
 * Returns the damaged tables of all databases in a folder. `slowly` adds a pause after each table. `onSlice` is called with the number of tables
 * checked so far.
 */
export async function listDamagedTables(
  folder: string,
  { slowly, onSlice = () => undefined }: { slowly: boolean; onSlice?: (done: number) => void },
): Promise<DatabaseDamage[]> {
  const damages: DatabaseDamage[] = [];
  let done = 0;
  for (const database of listDatabases(folder)) {
    try {
      await runWithDatabase(database, async (db) => {
        let began = performance.now();
        for (const { table, problems: wrong } of checkTables(db)) {
          if (wrong.length > 0) damages.push({ name: database.name, table });
          onSlice(++done);
          if (slowly) await pause(Math.min(MOST_REST_MS, REST_FACTOR * (performance.now() - began)));
          began = performance.now();
        }
      });
    } catch {
      damages.push({ name: database.name, table: null });
    }
  }
  return damages;
}

export function describeDatabaseDamage({ name, table }: DatabaseDamage): string {
  return table === null ? `${name} cannot be read.` : `${name} is damaged in the table ${table}.`;
}
