import { setTimeout as pause } from 'node:timers/promises';
import { checkTables, listDatabases, useDatabase, type DatabaseFile } from './sqlite/databases.ts';

export interface DatabaseDamage {
  name: DatabaseFile['name'];
  /** The table; null where the file could not be read at all. */
  table: string | null;
}

/** Of the time that checking takes, so much is rested: a tenth of one core and of the disk at most. */
const REST_FACTOR = 9;
const MOST_REST_MS = 60_000;

/**
 * Checks the databases of a folder slice by slice, with rests between where it is `slowly`; every damaged table is told once.
 * `onSlice` is told how many slices are done.
 */
export async function findDatabaseDamage(
  folder: string,
  { slowly, onSlice = () => undefined }: { slowly: boolean; onSlice?: (done: number) => void },
): Promise<DatabaseDamage[]> {
  const found: DatabaseDamage[] = [];
  let done = 0;
  for (const one of listDatabases(folder)) {
    try {
      await useDatabase(one, async (db) => {
        let began = performance.now();
        for (const { table, problems: wrong } of checkTables(db)) {
          if (wrong.length > 0) found.push({ name: one.name, table });
          onSlice(++done);
          if (slowly) await pause(Math.min(MOST_REST_MS, REST_FACTOR * (performance.now() - began)));
          began = performance.now();
        }
      });
    } catch {
      found.push({ name: one.name, table: null });
    }
  }
  return found;
}

/** What is damaged, as a sentence. */
export function describeDamage({ name, table }: DatabaseDamage): string {
  return table === null ? `${name} cannot be read.` : `${name} is damaged in the table ${table}.`;
}
