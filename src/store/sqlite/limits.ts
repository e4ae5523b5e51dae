// The file `limits.db`: limits that the processes of one data folder share. The loss of its content is
// harmless. Each change is one transaction, so that limits are exact; transactions do not wait for the disk.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError } from '../../errors.ts';
import {
  convertStorageErrorToBonafideError,
  openSqliteFile,
  preparePerConnection,
  type Db,
  type SqliteFileType,
} from '../../platform/sqlite.ts';
import { runUnlocked } from '../../platform/threads/lock.ts';
import { getTableConfig } from '../drizzle.ts';
import { LIMITS_DATABASE_TABLES } from '../schema.ts';

/** File type of `limits.db`: application id "BONL". A commit may return before it is on disk. */
const LIMITS: SqliteFileType = { applicationId: 0x42_4f_4e_4c, name: 'limits file', synchronous: 'OFF' };

export const getLimitsDatabaseFile = (dataDir: string) => join(dataDir, 'limits.db');

/** Maximum wait (ms) for other processes that write to the file. The wait blocks the event loop; transactions usually take microseconds. */
const WAIT_MS = 100;

/** Returns the statement that creates a table without row ids: a look-up by primary key then reads one B-tree instead of two. */
function toCreateStatement(table: (typeof LIMITS_DATABASE_TABLES)[number]): string {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const keys = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
  const definitions = columns.map(
    (column) => `${column.name} ${column.getSQLType()}${column.notNull ? ' NOT NULL' : ''}`,
  );
  const primaryKey = `PRIMARY KEY (${keys.map((column) => column.name).join()})`;
  return `CREATE TABLE IF NOT EXISTS ${name} (${definitions.join()}, ${primaryKey}) WITHOUT ROWID`;
}

/** Open file `limits.db` with limits and console sessions. */
export interface LimitsDatabase {
  /** Runs `work` in one transaction that excludes all other writers. Errors: store_unavailable, and those of `work`. */
  change<T>(work: (db: Db) => T): T;
  close(): void;
}

/**
 * Opens the limits of a data folder. The first change opens or creates the file.
 * @param alone lets only one thread of this process change the file at a time. Without it, SQLite would let waiting threads sleep for milliseconds
 */
export function openLimitsDatabase(dataDir: string, alone = runUnlocked): LimitsDatabase {
  const file = getLimitsDatabaseFile(dataDir);
  let db: Db | null = null;
  const close = () => {
    db?.close();
    db = null;
  };
  return {
    change<T>(work: (db: Db) => T): T {
      try {
        return alone(() => {
          db ??= openOrRecreate(file);
          return transactionOn(db).immediate(work, db) as T;
        });
      } catch (error) {
        if (error instanceof BonafideError) throw error;
        // The next change opens the file again, because it may have been repaired or replaced.
        close();
        throw new BonafideError(
          'store_unavailable',
          convertStorageErrorToBonafideError(error, file, LIMITS).message,
        );
      }
    },
    close,
  };
}

const transactionOn = preparePerConnection((db) =>
  db.transaction((work: (db: Db) => unknown, db: Db) => work(db)),
);

/** Opens the file. Replaces a damaged file by an empty one, because it contains only short-lived limits and console sessions. */
function openOrRecreate(file: string): Db {
  try {
    return open(file);
  } catch (error) {
    if (!isDamage(error)) throw error;
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
    return open(file);
  }
}

function open(file: string): Db {
  const db = openSqliteFile(file, LIMITS);
  try {
    if (db.pragma('quick_check(1)', { simple: true }) !== 'ok')
      throw new BonafideError(
        'damaged_database',
        `${file} is damaged. Delete it: it contains only limits and sessions.`,
      );
    db.transaction(() => {
      for (const table of LIMITS_DATABASE_TABLES) db.exec(toCreateStatement(table));
      db.pragma(`application_id = ${LIMITS.applicationId}`);
    }).immediate();
    db.pragma(`busy_timeout = ${WAIT_MS}`);
    return db;
  } catch (error) {
    db.close();
    throw convertStorageErrorToBonafideError(error, file, LIMITS);
  }
}

const isDamage = (error: unknown) =>
  error instanceof BonafideError && ['damaged_database', 'foreign_database'].includes(error.code);
