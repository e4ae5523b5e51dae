// Removal of the bytes of deleted rows from `store.db`.
import { statSync } from 'node:fs';
import { createByteSearch, doesFileContain } from '../../platform/byte-search.ts';
import { isErasurePending } from '../events/events.ts';
import type { DeletedRowsErasure, SqlConnection } from '../store.ts';

/** Maximum size in bytes of a store file that is rewritten without being asked to: other writers wait meanwhile, and the server waits only 5 s. */
const MAX_REWRITTEN_BYTES = 256 * 1024 * 1024;

/** Removes the bytes of deleted rows from a store file. See `eraseDeletedRows`. */
export function eraseInFile(
  raw: SqlConnection,
  file: string,
  { sealed, force = false }: DeletedRowsErasure,
): boolean {
  const emptyLog = () => {
    const [state] = raw.prepare<[], { busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)').all();
    return state?.busy === 0;
  };
  const isEmpty = emptyLog();
  if (sealed?.length === 0 || !isErasurePending(raw)) return true;
  // SQLite overwrites deleted rows, but not the copies that remain where it moved rows to other pages.
  if (sealed !== null && !doesFileContain(file, createByteSearch(sealed))) return isEmpty;
  if (!force && statSync(file).size > MAX_REWRITTEN_BYTES) return false;
  try {
    raw.exec('VACUUM');
  } catch (error) {
    // The disk may be full, or another process may be writing.
    if (force) throw error;
    return false;
  }
  return emptyLog();
}
