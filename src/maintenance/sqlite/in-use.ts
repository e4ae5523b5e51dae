import { BonafideError } from '../../errors.ts';
import { errorCode } from '../../platform/files.ts';
import { asSqliteError, connect } from '../../platform/sqlite.ts';
import type { FileKind } from '../../platform/sqlite.ts';

/**
 * Makes sure that no other process has a database open, and leaves it without a write-ahead log: whole in its one file. One that is
 * too damaged to be opened is left as it is. Errors: database_busy, read_only, disk_full.
 */
export function refuseInUse(file: string, kind: FileKind): void {
  try {
    const db = connect(file, kind);
    try {
      db.pragma('busy_timeout = 1000');
      // Only the last connection of all can leave the write-ahead log.
      db.pragma('journal_mode = DELETE');
    } finally {
      db.close();
    }
  } catch (error) {
    const { code } = asSqliteError(error, file, kind);
    if (code === 'damaged_database' || code === 'foreign_database') return;
    if (code === 'database_busy' || errorCode(error).startsWith('SQLITE_BUSY'))
      throw new BonafideError(
        'database_busy',
        `${file} is in use by another process: stop the server first.`,
      );
    throw asSqliteError(error, file, kind);
  }
}
