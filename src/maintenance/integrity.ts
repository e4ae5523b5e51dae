import { setTimeout as pause } from 'node:timers/promises';
import { BonafideError, type ErrorCode } from '../errors.ts';
import {
  checkTablesForDamage,
  listDatabases,
  runWithDatabase,
  type DatabaseFile,
} from './sqlite/databases.ts';

export interface DatabaseDamage {
  name: DatabaseFile['name'];
  /** Name of the damaged table; null if the whole file cannot be read. */
  table: string | null;
}

/** Database that could not be checked, for example because it is locked. It may be sound. */
export interface UncheckedDatabase extends Pick<BonafideError, 'code' | 'message'> {
  name: DatabaseFile['name'];
}

export interface IntegrityCheckResult {
  damages: DatabaseDamage[];
  unchecked: UncheckedDatabase[];
}

/** Error codes of a damaged database file. A file with a damaged header gives `foreign_database`, because SQLite does not recognise it. */
const DAMAGE_CODES: readonly ErrorCode[] = ['damaged_database', 'foreign_database'];

/** True if an error means that a database file is damaged. False for other causes, such as missing permissions or a full disk. */
export const isDamageError = ({ code }: Pick<BonafideError, 'code'>): boolean => DAMAGE_CODES.includes(code);

/** Pause after each checked table, as a multiple of the time that its check took. With 9, the check uses a tenth of one core. */
const REST_FACTOR = 9;
const MOST_REST_MS = 60_000;

/**
 * Checks all tables of all databases in a folder for damage. `slowly` adds a pause after each table. `onSlice` is called with the number of tables
 * checked so far.
 */
export async function checkIntegrity(
  folder: string,
  { slowly, onSlice = () => undefined }: { slowly: boolean; onSlice?: (done: number) => void },
): Promise<IntegrityCheckResult> {
  const damages: DatabaseDamage[] = [];
  const unchecked: UncheckedDatabase[] = [];
  let done = 0;
  for (const database of listDatabases(folder)) {
    try {
      await runWithDatabase(database, async (db) => {
        let began = performance.now();
        for (const { table, problems: wrong } of checkTablesForDamage(db)) {
          if (wrong.length > 0) damages.push({ name: database.name, table });
          onSlice(++done);
          if (slowly) await pause(Math.min(MOST_REST_MS, REST_FACTOR * (performance.now() - began)));
          began = performance.now();
        }
      });
    } catch (error) {
      if (!(error instanceof BonafideError)) throw error;
      const { name } = database;
      if (isDamageError(error)) damages.push({ name, table: null });
      else unchecked.push({ name, code: error.code, message: error.message });
    }
  }
  return { damages, unchecked };
}

export function describeDatabaseDamage({ name, table }: DatabaseDamage): string {
  return table === null ? `${name} cannot be read.` : `${name} is damaged in the table ${table}.`;
}
