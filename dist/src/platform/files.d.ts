/**
 * Makes a folder and those above it, mode 0700; one that exists is left as it is. Throws what the file system throws.
 *
 * Not mkdir's own `recursive`: where a folder can never be made, as in /proc, Node 24 tries for ever.
 */
export declare function makeFolder(folder: string): void;
/** Makes an empty file, mode 0600, and its folder; one that exists is left as it is. Throws what the file system throws. */
export declare function createPrivately(file: string): void;
/** The `code` that Node and SQLite give their errors; empty where there is none. */
export declare function errorCode(error: unknown): string;
