// Replacement of a folder's files, all or none. One rename is the commit point; the next process completes an interrupted swap.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runWithFolderLock } from './sqlite/databases.ts';
import { getErrorCode, syncFolder } from '../platform/files.ts';
import { getPendingRestoreFolder, DERIVED_FILES, BACKUP_FILES, SECRET_FILE } from './data-files.ts';

/** Subfolders of the staging folder: the new files, and the replaced old files. */
const [NEW, OLD] = ['new', 'old'];
/** Name of the `new` subfolder after all old files were moved away. Files found in the data folder from then on are new. */
const MOVING = 'moving';
/** Subfolder with one entry for each file to swap, named like the file. Without this subfolder, all files are swapped. */
const ONLY = 'only';
const FILE_SUFFIXES = ['', '-wal', '-shm', '-journal'];

/**
 * Moves the files of `from` into `folder`. No process may have the old files open. The old files are moved to
 * `replaced-…`; the old secret stays if `from` has none. `from` must be a folder inside `folder` and synced
 * to disk.
 *
 * @param time time in milliseconds for the name of the `replaced-…` folder; null removes the old files
 * instead
 * @param only names of the files to replace; all files of a data folder if undefined
 */
export function swapDataFiles(
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
  if (only) syncFolder(join(stage, ONLY));
  syncFolder(stage);
  // Commit point: from here on, an interrupted swap is completed.
  renameSync(stage, getPendingRestoreFolder(folder));
  syncFolder(folder);
  finishInterruptedSwap(folder);
  return { replaced: name !== null && existsSync(join(folder, name)) ? join(folder, name) : null };
}

const createReplacedName = (time: number) =>
  `replaced-${new Date(time).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

/** Completes a swap that was interrupted after its commit point; does nothing if there is none. Errors: those of the file system. */
export function finishInterruptedSwap(folder: string): void {
  const stage = getPendingRestoreFolder(folder);
  // Without the lock, two processes that complete the same swap would move each other's new files away.
  if (existsSync(stage)) runWithFolderLock(stage, () => completeSwap(folder, stage));
}

function completeSwap(folder: string, stage: string): void {
  const names = (of: string) => (existsSync(join(stage, of)) ? readdirSync(join(stage, of)) : []);
  if (existsSync(join(stage, NEW))) {
    const keepSecret = !names(NEW).includes(SECRET_FILE);
    for (const name of oldFiles(existsSync(join(stage, ONLY)) ? names(ONLY) : ALL_FILES)) {
      if (name === SECRET_FILE && keepSecret) continue;
      move(join(folder, name), join(stage, OLD, name));
    }
    syncFolder(folder);
    renameSync(join(stage, NEW), join(stage, MOVING));
    syncFolder(stage);
  }
  for (const name of names(MOVING)) move(join(stage, MOVING, name), join(folder, name));
  syncFolder(folder);
  const replaced = readdirSync(stage)
    .find((name) => name.startsWith('name='))
    ?.slice('name='.length);
  if (replaced !== undefined && names(OLD).length > 0) move(join(stage, OLD), join(folder, replaced));
  rmSync(stage, { recursive: true, force: true });
}

const ALL_FILES = [...BACKUP_FILES, ...DERIVED_FILES, 'demo-key'];

const oldFiles = (of: readonly string[]) =>
  of.flatMap((name) => (name.endsWith('.db') ? FILE_SUFFIXES.map((end) => `${name}${end}`) : [name]));

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (getErrorCode(error) !== 'ENOENT') throw error;
  }
}
