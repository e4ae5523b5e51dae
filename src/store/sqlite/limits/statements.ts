import type Database from 'better-sqlite3';
import type { Db } from '../../../platform/sqlite.ts';

/** Prepares a set of statements once for each connection. */
export function prepared<T>(make: (db: Db) => T): (db: Db) => T {
  const made = new WeakMap<Database.Database, T>();
  return (db) => {
    let found = made.get(db);
    if (found === undefined) made.set(db, (found = make(db)));
    return found;
  };
}
