import { asSqliteError, isStorageError } from '../../platform/sqlite.ts';
import { GRAPH } from './schema.ts';

/** Runs `work`, and gives the errors of SQLite and of the file system a code and one clear sentence. */
export function translated<T>(file: string, work: () => T, kind = GRAPH): T {
  try {
    return work();
  } catch (error) {
    throw isStorageError(error) ? asSqliteError(error, file, kind) : error;
  }
}

/** Pages whose errors are in our codes, whichever page they come with. */
export function* translatedPages<T>(file: string, open: () => Iterable<T>, kind = GRAPH): Iterable<T> {
  const pages = open()[Symbol.iterator]();
  try {
    for (;;) {
      const next = translated(file, () => pages.next(), kind);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Who stops half-way must not leave the connection busy.
    pages.return?.();
  }
}
