import { BonafideError } from '../../../errors.ts';
import { asSqliteError, type Db, isStorageError } from '../../../platform/sqlite.ts';
import { LINKS, openLinkFile, removeLinkFile } from './link-file.ts';

/** Opens the file when it is first asked for, and throws it away where it turns out to be damaged: all of it can be made again. */
export function keeper<T extends { db: Db }>(file: string, open: (db: Db) => T) {
  let known: T | undefined;
  let lost = false;
  const close = () => {
    known?.db.close();
    known = undefined;
  };
  const run = <R>(work: () => R): R => {
    try {
      return work();
    } catch (error) {
      if (error instanceof BonafideError || !isStorageError(error)) throw error;
      const told = asSqliteError(error, file, LINKS);
      if (told.code === 'damaged_database' || told.code === 'foreign_database') {
        close();
        removeLinkFile(file);
        lost = true;
      }
      throw told;
    }
  };
  return {
    opened: () => (known ??= open(openLinkFile(file))),
    /** The same calls, with what SQLite throws in our codes. */
    guarded<C extends object>(calls: C): C {
      const all = Object.entries(calls).map(([name, call]: [string, (...given: never[]) => unknown]) => [
        name,
        (...given: never[]) => run(() => call(...given)),
      ]);
      return Object.fromEntries(all) as C;
    },
    isLost: () => lost,
    close,
  };
}

export function unlessLost<T>(work: () => T, isLost: () => boolean): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!isLost()) throw error;
    return undefined;
  }
}
