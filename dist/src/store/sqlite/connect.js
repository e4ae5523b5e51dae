import { asSqliteError, connect as connectTo } from '../../platform/sqlite.js';
/** A store: the letters "BONS", and every commit on disk before it returns. */
const STORE = { applicationId: 0x42_4f_4e_53, name: 'store', synchronous: 'FULL' };
export const APPLICATION_ID = STORE.applicationId;
/** A connection to a store. Throws BonafideError as `connect` of src/sqlite.ts does. */
export const connect = (file) => connectTo(file, STORE);
/** What SQLite or the file system threw about a store, as one BonafideError. */
export const asStoreError = (error, file) => asSqliteError(error, file, STORE);
