import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, mode 0700; one that exists is left as it is. Errors: what the file system throws.
 *
 * Not mkdir's own `recursive`: where a folder can never be made, as in /proc, Node 24 tries for ever.
 */
export function makeFolder(folder: string): void {
  const make = () => mkdirSync(folder, { mode: 0o700 });
  try {
    make();
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && statSync(folder).isDirectory()) return;
    if (errorCode(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
    makeFolder(dirname(folder));
    make();
  }
}

/** Makes an empty file, mode 0600, and its folder; one that exists is left as it is. Errors: what the file system throws. */
export function createPrivately(file: string): void {
  makeFolder(dirname(file));
  try {
    closeSync(openSync(file, 'wx', 0o600));
    chmodSync(file, 0o600);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** Brings what was made, renamed or removed in a folder to disk. Windows cannot, and needs it less. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  fsyncSync(opened);
  closeSync(opened);
}

/** The `code` that Node and SQLite give their errors; empty where there is none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
