// Replacement of a folder's files, all or none. One rename is the commit point; the next process completes an interrupted swap.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runWithLockIfFolderExists } from './sqlite/databases.ts';
import { getErrorCode, flushFolderToDisk } from '../platform/files.ts';
import { formatTimeForFileName } from '../platform/iso-time.ts';
import { DATA_FILES, getPendingRestoreFolder, SECRET_FILE } from './data-files.ts';

/** Names of the subfolders that hold the new files and the replaced old files during a swap. */
const [NEW, OLD] = ['new', 'old'];
/** Name that the subfolder `new` gets after all old files were moved away. If it exists, the files in the data folder are new files. */
const MOVING = 'moving';
/**
 * Name of the subfolder that lists the files to swap: one empty entry with the name of each file. Without this subfolder, all files are swapped.
 */
const ONLY = 'only';
const FILE_SUFFIXES = ['', '-wal', '-shm', '-journal'];

/**
 * Replaces the files of a data folder by the files of its subfolder `from`, which must be on disk. The old files are
 * moved to a folder `replaced-…`; the old secret stays if `from` has none. No process may have the old files open.
 *
 * @param time time in milliseconds for the name of the `replaced-…` folder; null removes the old files instead
 * @param only names of the files to replace; undefined for all files of a data folder
 */
export function replaceDataFiles(
  folder: string,
  from: string,
  time: number | null,
  only?: readonly string[],
): { replaced: string | null } {
  const stage = `${from}-swap`;
  mkdirSync(stage, { mode: 0o700 });
  mkdirSync(join(stage, OLD), { mode: 0o700 });
  renameSync(from, join(stage, NEW));
  const name = time === null ? null : createReplacedName(time);
  if (name !== null) mkdirSync(join(stage, `name=${name}`));
  if (only) mkdirSync(join(stage, ONLY));
  for (const folder of only ?? []) mkdirSync(join(stage, ONLY, folder));
  if (only) flushFolderToDisk(join(stage, ONLY));
  flushFolderToDisk(stage);
  // Commit point: from here on, an interrupted swap is completed.
  renameSync(stage, getPendingRestoreFolder(folder));
  flushFolderToDisk(folder);
  completeInterruptedFileReplacement(folder);
  return { replaced: name !== null && existsSync(join(folder, name)) ? join(folder, name) : null };
}

const createReplacedName = (time: number) => `replaced-${formatTimeForFileName(time)}`;

/** Completes a swap that was interrupted while files were being moved; does nothing if there is none. Errors: those of the file system. */
export function completeInterruptedFileReplacement(folder: string): void {
  const stage = getPendingRestoreFolder(folder);
  // Without the lock, two processes that complete the same swap would move each other's new files away.
  if (existsSync(stage)) runWithLockIfFolderExists(stage, () => completeSwap(folder, stage));
}

function completeSwap(folder: string, stage: string): void {
  const names = (of: string) => (existsSync(join(stage, of)) ? readdirSync(join(stage, of)) : []);
  if (existsSync(join(stage, NEW))) {
    const keepSecret = !names(NEW).includes(SECRET_FILE);
    for (const name of oldFiles(existsSync(join(stage, ONLY)) ? names(ONLY) : ALL_FILES)) {
      if (name === SECRET_FILE && keepSecret) continue;
      move(join(folder, name), join(stage, OLD, name));
    }
    flushFolderToDisk(folder);
    renameSync(join(stage, NEW), join(stage, MOVING));
    flushFolderToDisk(stage);
  }
  for (const name of names(MOVING)) move(join(stage, MOVING, name), join(folder, name));
  flushFolderToDisk(folder);
  const replaced = readdirSync(stage)
    .find((name) => name.startsWith('name='))
    ?.slice('name='.length);
  if (replaced !== undefined && names(OLD).length > 0) move(join(stage, OLD), join(folder, replaced));
  rmSync(stage, { recursive: true, force: true });
}

const ALL_FILES = [...DATA_FILES, 'demo-key'];

const oldFiles = (of: readonly string[]) =>
  of.flatMap((name) => (name.endsWith('.db') ? FILE_SUFFIXES.map((end) => `${name}${end}`) : [name]));

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (getErrorCode(error) !== 'ENOENT') throw error;
  }
}
