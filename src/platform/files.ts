import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  statfsSync,
  type Stats,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { threadId } from 'node:worker_threads';
import { BonafideError, resultOr } from '../errors.ts';

/**
 * Creates a folder (mode 0700) and its parents, if it does not exist. Errors: those of the file system. `mkdir` with `recursive` is not used,
 * because Node 24 loops forever where no folder can be created, as in /proc.
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

/** Creates an empty file (mode 0600) and its folder, if the file does not exist. Errors: those of the file system. */
export function ensurePrivateFileExists(file: string): void {
  makeFolder(dirname(file));
  try {
    closeSync(openSync(file, 'wx', 0o600));
    chmodSync(file, 0o600);
  } catch (error) {
    if (getErrorCode(error) !== 'EEXIST') throw error;
  }
}

export function flushFileToDisk(file: string): void {
  const opened = openSync(file, 'r+');
  fsyncSync(opened);
  closeSync(opened);
}

/** Flushes a folder to disk, so that created, renamed and removed files stay so after a power cut. Does nothing on Windows. */
export function flushFolderToDisk(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  fsyncSync(opened);
  closeSync(opened);
}

/** Replaces a file atomically (mode 0600); creates its folder if needed. Errors: read_only. */
export function replaceFile(file: string, text: string): void {
  const temporary = `${file}.${process.pid}-${threadId}.tmp`;
  try {
    makeFolder(dirname(file));
    // The content is flushed before the rename, and the rename is flushed too. Otherwise a power cut can
    // leave an empty file.
    writeFileSync(temporary, text, { mode: 0o600, flush: true });
    renameSync(temporary, file);
    flushFolderToDisk(dirname(file));
  } catch {
    rmSync(temporary, { force: true });
    throw new BonafideError(
      'read_only',
      `${file} cannot be written; check the data folder's permissions and free space.`,
    );
  }
}

/** Maximum size of a settings file, a secret, a certificate or another file that an operator writes by hand. */
export const MAX_TEXT_FILE_BYTES = 4 * 1024 * 1024;

/** True for a file that a shell has opened for this program, such as `<(…)`. It may be a pipe, because it has a writer. */
const isInherited = (file: string): boolean =>
  file.startsWith('/dev/fd/') || file.startsWith('/proc/self/fd/') || file === '/dev/stdin';

/**
 * Reads a small text file that the settings or the data folder name. A pipe without a writer, or a device, could block the program forever. Errors:
 * unreadable_file if it is not a regular file, or too large; those of the file system.
 */
export function readTextFile(file: string, maxBytes = MAX_TEXT_FILE_BYTES): string {
  // Opening a pipe would otherwise wait for its writer. Windows has no such flag.
  const flag = isInherited(file) ? 0 : (constants.O_NONBLOCK ?? 0);
  const opened = openSync(file, constants.O_RDONLY | flag);
  try {
    requireRegularFileWithinLimit(fstatSync(opened), file, maxBytes);
    return readFileSync(opened, 'utf8');
  } finally {
    closeSync(opened);
  }
}

/** Throws if `readTextFile` would refuse a file. Errors: unreadable_file. */
export function requireRegularFileWithinLimit(
  stats: Stats,
  file: string,
  maxBytes = MAX_TEXT_FILE_BYTES,
): void {
  if (!stats.isFile() && !isInherited(file))
    throw new BonafideError(
      'unreadable_file',
      `${file} is ${describeFileType(stats)}, not a regular file. Put a regular file in its place.`,
    );
  if (stats.size <= maxBytes) return;
  throw new BonafideError(
    'unreadable_file',
    `${file} has ${formatBytes(stats.size)}, more than the ${formatBytes(maxBytes)} that such a file may have. Put the right file in its place.`,
  );
}

/** Returns the names of the entries of a folder; none if it cannot be read. */
export const listFolderEntryNames = (folder: string): string[] => resultOr(() => readdirSync(folder), []);

/** Describes what an entry of a folder is, such as `a named pipe (FIFO)`. */
export function describeFileType(stats: Stats): string {
  if (stats.isFile()) return 'a regular file';
  if (stats.isDirectory()) return 'a folder';
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isFIFO()) return 'a named pipe (FIFO)';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** Returns the `code` of an error of Node or SQLite; an empty text if it has none. */
export function getErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Error codes of the system for missing permissions, and for a disk that is mounted read-only. */
const PERMISSION_CODES = new Set(['EACCES', 'EPERM', 'EROFS']);

/**
 * Converts an error of the system for a file that this user may not use to a BonafideError (`read_only`), which names the file and says what to do.
 * Returns null for other errors.
 */
export function toPermissionError(error: unknown): BonafideError | null {
  const code = getErrorCode(error);
  const { path } = error as NodeJS.ErrnoException;
  if (!PERMISSION_CODES.has(code) || path === undefined) return null;
  const advice =
    dirname(path) === tmpdir()
      ? 'Set TMPDIR to a folder for temporary files in which this user may write.'
      : 'Correct its permissions, or run this command as the user of the data folder.';
  return new BonafideError(
    'read_only',
    code === 'EROFS'
      ? `${path} cannot be written, because its disk is mounted read-only (EROFS). Choose another folder, or mount the disk writable.`
      : `This user may not use ${path} (${code}). ${advice}`,
  );
}

/** Matches names that a data folder without data may contain: the demo folder, and files of the single executable. */
const NAMES_BESIDE_DATA = /^(?:demo|bonafide-[\da-f]{24})$/;

/**
 * Throws if other users of the machine can access the data folder. A folder of the current user without data is made private instead. Errors:
 * invalid_config; those of the file system.
 */
export function requirePrivateFolder(folder: string): void {
  const folderStats = statSync(folder, { throwIfNoEntry: false });
  if (!folderStats?.isDirectory() || !isOpenToOtherUsers(folder)) return;
  const isBare = () => readdirSync(folder).every((name) => NAMES_BESIDE_DATA.test(name));
  if (folderStats.uid === process.getuid?.() && isBare()) return chmodSync(folder, 0o700);
  throw new BonafideError(
    'invalid_config',
    `Other users of the machine can open the data folder ${folder}. Run chmod 700 ${folder}. If it is a volume whose mode you cannot change, name a new folder inside it with --data-dir or BONAFIDE_DATA_DIR; Bonafide makes that folder private.`,
  );
}

/** True if other users of the machine can access a file; always false on Windows. Errors: those of the file system. */
export function isOpenToOtherUsers(file: string): boolean {
  return process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0;
}

/** Returns the number of free bytes of a folder's file system. Errors: those of the file system. */
export function getFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Formats a number of bytes, such as `512 MB` or `1.8 GB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** Throws if a folder's file system has fewer than `bytes` free bytes. `what` names the purpose in the message. Errors: disk_full. */
export function requireFreeSpace(folder: string, bytes: number, what: string): void {
  const free = getFreeBytes(folder);
  if (free >= bytes) return;
  throw new BonafideError(
    'disk_full',
    `${what} needs ${formatBytes(bytes)} in ${folder}, and ${formatBytes(free)} are free. Free some space and try again.`,
  );
}
