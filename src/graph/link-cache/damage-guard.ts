import { BonafideError } from '../../errors.ts';
import { asSqliteError, type Db, isStorageError } from '../../platform/sqlite.ts';
import { isDamagedFileError, LINK_FILE_KIND, openLinkFile, removeLinkFile } from './link-file.ts';

/** Opens the link cache file at first use, and deletes it if it is damaged, because it can be built again. @param open opens what uses the file */
export function createLinkFileGuard<T extends { db: Db }>(file: string, open: (db: Db) => T) {
  let opened: T | undefined;
  let isLost = false;
  const close = () => {
    opened?.db.close();
    opened = undefined;
  };
  /** Translates an error of SQLite, and deletes the file if the error means damage. */
  const handleError = (error: unknown): unknown => {
    if (error instanceof BonafideError || !isStorageError(error)) return error;
    const translated = asSqliteError(error, file, LINK_FILE_KIND);
    if (isDamagedFileError(translated)) {
      close();
      removeLinkFile(file);
      isLost = true;
    }
    return translated;
  };
  const run = <R>(work: () => R): R => {
    try {
      return work();
    } catch (error) {
      throw handleError(error);
    }
  };
  return {
    opened: () => (opened ??= open(openLinkFile(file))),
    /** Returns the same functions, with errors of SQLite translated. */
    guarded<C extends object>(calls: C): C {
      const entries = Object.entries(calls).map(([name, call]: [string, (...args: never[]) => unknown]) => [
        name,
        (...args: never[]) => run(() => call(...args)),
      ]);
      return Object.fromEntries(entries) as C;
    },
    /** True if the link cache file was damaged and was deleted. */
    isLost: () => isLost,
    /**
     * Returns the result of `work`; null if `work` found a damaged link cache file, which is then deleted.
     */
    unlessDamaged<R>(work: () => R): R | null {
      try {
        return run(work);
      } catch (error) {
        if (isDamagedFileError(error)) return null;
        throw error;
      }
    },
    close,
  };
}

/** Returns the result of `work`; undefined if `work` failed and the link cache file was deleted. */
export function runUnlessFileDeleted<T>(work: () => T, isLost: () => boolean): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!isLost()) throw error;
    return undefined;
  }
}
