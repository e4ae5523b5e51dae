import { BonafideError } from '../../errors.ts';
import { toSqliteError, type Db, isStorageError } from '../../platform/sqlite.ts';
import { isDamagedFileError, LINK_FILE_KIND, openLinkFile, removeLinkFile } from './link-file.ts';

/**
 * Opens the link cache file at first use. Deletes a damaged file, because it can be built again.
 *
 * @param open returns an object that uses the opened file
 */
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
    const translated = toSqliteError(error, file, LINK_FILE_KIND);
    if (isDamagedFileError(translated)) {
      close();
      removeLinkFile(file);
      isLost = true;
    }
    return translated;
  };
  const translate = <R>(work: () => R): R => {
    try {
      return work();
    } catch (error) {
      throw handleError(error);
    }
  };
  const tryTranslate = <R>(work: () => R): R | undefined => {
    try {
      return translate(work);
    } catch (error) {
      if (!isLost) throw error;
      return undefined;
    }
  };
  const getOpened = () => (opened ??= open(openLinkFile(file)));
  return {
    /** Runs work on the file. Errors of SQLite are translated. */
    run: <R>(work: (opened: T) => R): R => translate(() => work(getOpened())),
    /** Runs work on the file. Returns undefined if the work failed because the file was damaged, which is then deleted. */
    tryRun: <R>(work: (opened: T) => R): R | undefined => tryTranslate(() => work(getOpened())),
    /** Runs work on the opened file; otherwise like `tryRun`. */
    tryTranslate,
    /** Returns the same functions, with errors of SQLite translated. */
    guarded<C extends object>(calls: C): C {
      const entries = Object.entries(calls).map(([name, call]: [string, (...args: never[]) => unknown]) => [
        name,
        (...args: never[]) => translate(() => call(...args)),
      ]);
      return Object.fromEntries(entries) as C;
    },
    isLost: () => isLost,
    close,
  };
}
