import type { Sql } from '../store.ts';

/** Prepares a set of statements once for each connection. */
export function prepared<T>(make: (db: Sql) => T): (db: Sql) => T {
  const made = new WeakMap<Sql, T>();
  return (db) => {
    let found = made.get(db);
    if (found === undefined) made.set(db, (found = make(db)));
    return found;
  };
}
