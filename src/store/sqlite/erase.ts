// Removal of the bytes of deleted rows from `store.db`.
import { statSync } from 'node:fs';
import { createByteSearch, doesFileContain } from '../../platform/byte-search.ts';
import type { SqlConnection } from '../store.ts';

/**
 * Maximum size in bytes of a store file that is rewritten without `force`. Other writers wait while it is rewritten, and servers wait at most 5
 * seconds.
 */
const MAX_REWRITTEN_BYTES = 256 * 1024 * 1024;

/**
 * Removes the bytes of deleted rows from a store file. Returns null if none remain; otherwise a sentence that says why. Errors: those of SQLite. See
 * `eraseDeletedRows`.
 * @param sealed deleted values, encrypted as they were stored; null if some are unknown
 * @param force true to rewrite a file of any size
 */
export function eraseInFile(
  raw: SqlConnection,
  file: string,
  sealed: readonly Buffer[] | null,
  force: boolean,
): string | null {
  const emptyLog = () => {
    const [state] = raw.prepare<[], { busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)').all();
    return state?.busy === 0 ? null : `Another process reads ${file}, such as a backup.`;
  };
  const problem = emptyLog();
  // SQLite overwrites deleted rows, but not the old copies of rows that it moved to other pages.
  if (sealed !== null && !doesFileContain(file, createByteSearch(sealed))) return problem;
  if (!force && statSync(file).size > MAX_REWRITTEN_BYTES)
    return `${file} is so large that calls would wait while it is rewritten.`;
  raw.exec('VACUUM');
  return emptyLog();
}
