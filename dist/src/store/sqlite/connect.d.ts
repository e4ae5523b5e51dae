import type { Db } from '../../platform/sqlite.ts';
import type { BonafideError } from '../../errors.ts';
export declare const APPLICATION_ID: number;
/** A connection to a store. Throws BonafideError as `connect` of src/sqlite.ts does. */
export declare const connect: (file: string) => Db;
/** What SQLite or the file system threw about a store, as one BonafideError. */
export declare const asStoreError: (error: unknown, file: string) => BonafideError;
