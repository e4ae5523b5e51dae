// Puts a folder's files in another's place, all of them or none: a rename decides, and whoever comes next completes what was cut short.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runLocked } from './sqlite/databases.ts';
import { getErrorCode, syncFolder } from '../platform/files.ts';
import { getPendingRestoreFolder, DERIVED_FILES, BACKUP_FILES, SECRET_FILE } from './data-files.ts';

/** What is to be put in place, and where the old files go before. */
const [NEW, OLD] = ['new', 'old'];
/** `new` after all old files are gone: what is found in place from then on is new. */
const MOVING = 'moving';
/** Names that are swapped, where these are not all. */
const ONLY = 'only';
const FILE_SUFFIXES = ['', '-wal', '-shm', '-journal'];

/**
 * Puts the files of `from` in their places in `folder`, where no process may have the old ones open. Those go into `replaced-…`, named
 * by `time` in milliseconds; a secret stays where `from` has none. `from` must be a folder inside `folder`, on disk.
 *
 * @param time null where the old files are not wanted: they are removed
 * @param only names of the files that go; all of the folder's own where it is left out
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
  for (const one of only ?? []) mkdirSync(join(stage, ONLY, one));
  if (only) syncFolder(join(stage, ONLY));
  syncFolder(stage);
  // This decides.
  renameSync(stage, getPendingRestoreFolder(folder));
  syncFolder(folder);
  finishPendingSwap(folder);
  return { replaced: name !== null && existsSync(join(folder, name)) ? join(folder, name) : null };
}

const createReplacedName = (time: number) =>
  `replaced-${new Date(time).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

/** Completes a swap that was decided and then cut short; usually there is none. Errors: what the file system throws. */
export function finishPendingSwap(folder: string): void {
  const stage = getPendingRestoreFolder(folder);
  // Two that complete the same swap would move each other's new files away.
  if (existsSync(stage)) runLocked(stage, () => completeSwap(folder, stage));
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
