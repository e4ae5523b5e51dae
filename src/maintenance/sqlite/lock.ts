import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';

const PATIENCE_MS = 60_000;

/**
 * Runs `work` while no other process runs its own in the same folder; not at all where the folder is gone by then. The lock is one of
 * SQLite's, which the system takes from a process that is killed. Errors: what SQLite and `work` throw.
 */
export function lockedIn(folder: string, work: () => void): void {
  let lock: Database.Database | undefined;
  try {
    lock = new Database(join(folder, 'lock'));
    lock.pragma(`busy_timeout = ${PATIENCE_MS}`);
    lock.exec('BEGIN EXCLUSIVE');
    if (existsSync(folder)) work();
  } catch (error) {
    if (existsSync(folder)) throw error;
  } finally {
    lock?.close();
  }
}
