import { asSqliteError, connect as connectTo } from '../../platform/sqlite.ts';
import type { Db, FileKind } from '../../platform/sqlite.ts';
import type { BonafideError } from '../../errors.ts';

/** A store: the letters "BONS", and every commit on disk before it returns. */
export const STORE: FileKind = { applicationId: 0x42_4f_4e_53, name: 'store', synchronous: 'FULL' };
export const APPLICATION_ID = STORE.applicationId;

/** A connection to a store. Errors: those of `connect` of src/platform/sqlite.ts. */
export const connect = (file: string): Db => connectTo(file, STORE);

/** What SQLite or the file system threw about a store, as one BonafideError. */
export const asStoreError = (error: unknown, file: string): BonafideError =>
  asSqliteError(error, file, STORE);
