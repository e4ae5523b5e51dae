import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { makeFolder } from '../../platform/files.ts';

/**
 * Holds a data folder, made where there is none, until it is closed; null where somebody holds it. The lock is one of SQLite's, which the system
 * takes from a process that is killed. Errors: what SQLite and the file system throw.
 */
export function holdFolder(folder: string): { close(): void } | null {
  makeFolder(folder);
  const file = join(folder, 'moving.lock');
  const lock = new Database(file, { timeout: 0 });
  if (!begins(lock) || !existsSync(file)) {
    lock.close();
    return null;
  }
  return {
    close() {
      try {
        rmSync(file, { force: true });
      } catch {
        // Windows lets nobody remove an open file: what stays is empty.
      }
      lock.close();
    },
  };
}

function begins(lock: Database.Database): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}
