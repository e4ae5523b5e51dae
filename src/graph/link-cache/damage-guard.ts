import { BonafideError } from '../../errors.ts';
import { convertStorageErrorToBonafideError, type Db, isStorageError } from '../../platform/sqlite.ts';
import {
  isDamagedFileError,
  LINK_CACHE_FILE_TYPE_DEFINITION,
  openLinkCacheDatabase,
  removeLinkCacheFile,
} from './link-file.ts';

/**
 * Creates functions that run work on the link cache file, and open the file at first use. They delete a damaged file, because it can be built again.
 * @param open returns an object that uses the opened file
 */
export function createLinkCacheDamageGuard<T extends { db: Db }>(file: string, open: (db: Db) => T) {
  let opened: T | undefined;
  let isLost = false;
  const close = () => {
    opened?.db.close();
    opened = undefined;
  };
  const discard = () => {
    close();
    removeLinkCacheFile(file);
    isLost = true;
  };
  /** Converts an error of SQLite to a BonafideError. Deletes the file if it is damaged. */
  const handleError = (error: unknown): unknown => {
    if (error instanceof BonafideError || !isStorageError(error)) return error;
    const translated = convertStorageErrorToBonafideError(error, file, LINK_CACHE_FILE_TYPE_DEFINITION);
    if (isDamagedFileError(translated)) discard();
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
  const getOpened = () => (opened ??= open(openLinkCacheDatabase(file)));
  const tryRun = <R>(work: (opened: T) => R): R | undefined => tryTranslate(() => work(getOpened()));
  return {
    /** Runs work on the file. Converts errors of SQLite to BonafideErrors. */
    run: <R>(work: (opened: T) => R): R => translate(() => work(getOpened())),
    /** Runs work on the file. If the file is damaged, deletes it and returns undefined. */
    tryRun,
    /**
     * Runs work on the file after a change of the graph was committed. If the work fails, deletes the file instead of throwing, because the change
     * has succeeded.
     */
    runOrDiscard(work: (opened: T) => void): void {
      try {
        tryRun(work);
      } catch {
        discard();
      }
    },
    /** Like `tryRun`, for work that itself opens the link cache file. */
    tryTranslate,
    /** Wraps functions so that they throw BonafideErrors in place of errors of SQLite. */
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
