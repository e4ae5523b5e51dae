import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  statfsSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { threadId } from 'node:worker_threads';
import { BonafideError } from '../errors.ts';

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
    if (getErrorCode(error) === 'EEXIST' && statSync(folder).isDirectory()) return;
    if (getErrorCode(error) !== 'ENOENT' || dirname(folder) === folder) throw error;
    makeFolder(dirname(folder));
    make();
  }
}

/** Makes an empty file, mode 0600, and its folder; one that exists is left as it is. Errors: what the file system throws. */
export function createPrivateFile(file: string): void {
  makeFolder(dirname(file));
  try {
    closeSync(openSync(file, 'wx', 0o600));
    chmodSync(file, 0o600);
  } catch (error) {
    if (getErrorCode(error) !== 'EEXIST') throw error;
  }
}

/** Brings what was written to a file to disk. Errors: what the file system throws. */
export function syncFile(file: string): void {
  const opened = openSync(file, 'r+');
  fsyncSync(opened);
  closeSync(opened);
}

/** Brings what was made, renamed or removed in a folder to disk. Windows cannot, and needs it less. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  fsyncSync(opened);
  closeSync(opened);
}

/**
 * Writes a file, mode 0600, and its folder where there is none. A reader sees the old text or the new one, never half of one.
 *
 * Errors: read_only.
 */
export function replaceFile(file: string, text: string): void {
  const temporary = `${file}.${process.pid}-${threadId}.tmp`;
  try {
    makeFolder(dirname(file));
    // On disk before it has its name, and the name too: what lost its power else finds an empty file.
    writeFileSync(temporary, text, { mode: 0o600, flush: true });
    renameSync(temporary, file);
    syncFolder(dirname(file));
  } catch {
    rmSync(temporary, { force: true });
    throw new BonafideError(
      'read_only',
      `${file} cannot be written; check the data folder's permissions and free space.`,
    );
  }
}

/** The `code` that Node and SQLite give their errors; empty where there is none. */
export function getErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** What may lie in a state folder before any data does, each private by itself: the demo's folder, and the files of the single executable. */
const NAMES_BESIDE_DATA = /^(?:demo|bonafide-[\da-f]{24})$/;

/**
 * Refuses a data folder that other users of the machine may get at. An empty one of our own, as somebody may just have made it, or one
 * that no data was put into yet, is closed to them instead.
 *
 * Errors: `invalid_config`; what the file system throws.
 */
export function requirePrivateFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory() || !isOpenToOtherUsers(folder)) return;
  const isBare = () => readdirSync(folder).every((name) => NAMES_BESIDE_DATA.test(name));
  if (found.uid === process.getuid?.() && isBare()) return chmodSync(folder, 0o700);
  throw new BonafideError(
    'invalid_config',
    `Other users of the machine may get at the data folder ${folder}: run chmod 700 ${folder}, or where that is a volume whose mode is not yours to change, name a folder in it with --data-dir or BONAFIDE_DATA_DIR, which is made private.`,
  );
}

/** May other users of the machine get at a file? Windows has other rights than modes. Errors: what the file system throws. */
export function isOpenToOtherUsers(file: string): boolean {
  return process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0;
}

/** Bytes that are free for us in a folder's file system. Errors: what the file system throws. */
export function getFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Bytes as people say them: 512 MB, 1.8 GB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** Errors: disk_full where a folder has not this many bytes free, before anything is written. */
export function requireFreeSpace(folder: string, bytes: number, what: string): void {
  const free = getFreeBytes(folder);
  if (free >= bytes) return;
  throw new BonafideError(
    'disk_full',
    `${what} needs ${formatBytes(bytes)} in ${folder}, and ${formatBytes(free)} are free. Free some space and try again.`,
  );
}
