import { openSqliteFile, type Db } from '../../platform/sqlite.ts';
import type { DatabaseFile } from './databases.ts';

/** Connections to several databases that read one snapshot and do not see later writes. */
export interface DatabaseSnapshot {
  databases: { name: string; db: Db; bytes: number }[];
  close(): void;
}

/**
 * Opens read connections to several databases that see one common snapshot. Other processes can write; their changes stay in the write-ahead log
 * until `close`. Errors: those of opening a database; database_busy if the last database is locked for more than five seconds.
 */
export function openDatabaseSnapshot(
  files: Pick<DatabaseFile, 'name' | 'file' | 'kind'>[],
  whileLocked: () => void = () => undefined,
): DatabaseSnapshot {
  const opened: Db[] = [];
  const open = ({ file, kind }: Pick<DatabaseFile, 'file' | 'kind'>) => {
    const db = openSqliteFile(file, kind);
    opened.push(db);
    return db;
  };
  const end = () => {
    for (const db of opened.splice(0)) db.close();
  };
  try {
    const last = files.at(-1);
    const gate = last && open(last);
    const databases = files.map((file) => ({ name: file.name, db: open(file), bytes: 0 }));
    gate?.exec('BEGIN IMMEDIATE');
    for (const database of databases) {
      database.db.exec('BEGIN');
      // A SQLite transaction reads the state at its first read, so this read fixes the snapshot.
      database.bytes = Number(database.db.pragma('page_count', { simple: true })) * pageSize(database.db);
    }
    whileLocked();
    gate?.exec('ROLLBACK');
    return { databases, close: end };
  } catch (error) {
    end();
    throw error;
  }
}

const pageSize = (db: Db) => Number(db.pragma('page_size', { simple: true }));
