import { openSqliteFile } from '../../platform/sqlite.ts';
import type { Db } from '../../platform/sqlite.ts';
import type { DatabaseFile } from './databases.ts';

/** Connections that all read one and the same moment, whatever is written meanwhile. */
export interface DatabaseSnapshot {
  databases: { name: string; db: Db; bytes: number }[];
  close(): void;
}

/**
 * Begins to read all databases at one moment: while nobody can write to the last of them, a read transaction begins on each, so what
 * they see is what there was when the first one began. Readers and writers go on; what they write stays in the write-ahead log until
 * the moment ends. Errors: those of `connect`; database_busy where the last one is being written for longer than five seconds.
 */
export function openDatabaseSnapshot(
  files: DatabaseFile[],
  whileLocked: () => void = () => undefined,
): DatabaseSnapshot {
  const opened: Db[] = [];
  const open = ({ file, kind }: DatabaseFile) => {
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
    for (const one of databases) {
      one.db.exec('BEGIN');
      // A transaction sees the moment of its first read.
      one.bytes = Number(one.db.pragma('page_count', { simple: true })) * pageSize(one.db);
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
