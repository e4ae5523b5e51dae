import { BonafideError } from '../../errors.ts';
import { asSqliteError, type Db, isStorageError } from '../../platform/sqlite.ts';
import { LINK_FILE_KIND, openLinkFile, removeLinkFile } from './link-file.ts';

/** Opens the file when it is first asked for, and throws it away where it turns out to be damaged: all of it can be made again. */
export function createLinkFileGuard<T extends { db: Db }>(file: string, open: (db: Db) => T) {
  let known: T | undefined;
  let lost = false;
  const close = () => {
    known?.db.close();
    known = undefined;
  };
  /** The error in our codes; where it says that the file is damaged, that is gone. */
  const met = (error: unknown): unknown => {
    if (error instanceof BonafideError || !isStorageError(error)) return error;
    const told = asSqliteError(error, file, LINK_FILE_KIND);
    if (isDamage(told)) {
      close();
      removeLinkFile(file);
      lost = true;
    }
    return told;
  };
  const run = <R>(work: () => R): R => {
    try {
      return work();
    } catch (error) {
      throw met(error);
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
    /** What was read of the file, or null where it turns out to be damaged: then it is gone, and whatever of it is at hand of no use. */
    unlessDamaged<R>(work: () => R): R | null {
      try {
        return work();
      } catch (error) {
        const told = met(error);
        if (isDamage(told)) return null;
        throw told;
      }
    },
    close,
  };
}

const isDamage = (error: unknown): boolean =>
  error instanceof BonafideError && (error.code === 'damaged_database' || error.code === 'foreign_database');

export function runUnlessLost<T>(work: () => T, isLost: () => boolean): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!isLost()) throw error;
    return undefined;
  }
}
