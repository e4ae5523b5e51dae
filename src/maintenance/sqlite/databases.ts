import { existsSync } from 'node:fs';
import { recordsFile } from '../../graph/sqlite/database.ts';
import { GRAPH, RECORDS } from '../../graph/sqlite/schema.ts';
import { graphFile } from '../../graph/sqlite/open.ts';
import { asSqliteError, connect, isStorageError, type Db, type FileKind } from '../../platform/sqlite.ts';
import { STORE_FILE_KIND } from '../../store/sqlite/connect.ts';
import { getStoreFile } from '../../store/sqlite/open.ts';

/** A database of a data folder. */
export interface DatabaseFile {
  name: 'graph.db' | 'records.db' | 'store.db';
  file: string;
  kind: FileKind;
}

/** The databases that a folder has; the store last. */
export function databasesIn(folder: string): DatabaseFile[] {
  const all: DatabaseFile[] = [
    // Before the records: those may know of a publication that the graph does not, and never the other way round.
    { name: 'graph.db', file: graphFile(folder), kind: GRAPH },
    { name: 'records.db', file: recordsFile(graphFile(folder)), kind: RECORDS },
    { name: 'store.db', file: getStoreFile(folder), kind: STORE_FILE_KIND },
  ];
  return all.filter(({ file }) => existsSync(file));
}

/** Runs `work` on a database of this kind, and gives what SQLite throws one of our codes. */
export async function using<T>(
  { file, kind }: Pick<DatabaseFile, 'file' | 'kind'>,
  work: (db: Db) => T | Promise<T>,
): Promise<T> {
  const db = connect(file, kind);
  try {
    return await work(db);
  } catch (error) {
    throw isStorageError(error) ? asSqliteError(error, file, kind) : error;
  } finally {
    db.close();
  }
}
