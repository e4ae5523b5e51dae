// The files of a data folder by name. Every command loads this, so it loads neither engine nor SQLite.
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { BonafideError } from '../errors.ts';
import { CONTENTS_FILE } from '../platform/data-folder.ts';

/** The files beside the databases that say how a folder works. */
export const SETTINGS_FILES = ['features.json', 'calibrations.json'];
export const SECRET_FILE = 'secret';

/** Everything that a restore puts in place: what a backup may hold, and the folder's memory of what it held. */
export const BACKUP_FILES = [
  'graph.db',
  'records.db',
  'store.db',
  ...SETTINGS_FILES,
  SECRET_FILE,
  CONTENTS_FILE,
];

/** Made again from the others wherever it does not fit them: in no backup, and put away with the old files by a restore. */
export const DERIVED_FILES = ['link.db'];

const LIMITS_FILE = 'limits.db';
const OWN_FILES = [...BACKUP_FILES, ...DERIVED_FILES, LIMITS_FILE];

/**
 * Refuses a path to write to that is one of the folder's own files or a database's log, under whatever name its folder goes: a slip of the
 * hand would cost every record.
 *
 * Errors: invalid_arguments.
 */
export function requireForeignPath(dataDir: string, file: string): void {
  if (realFolder(dirname(resolve(file))) !== realFolder(resolve(dataDir))) return;
  const name = basename(file);
  if (OWN_FILES.some((own) => name === own || name.startsWith(`${own}-`)))
    throw new BonafideError(
      'invalid_arguments',
      `${file} is one of the data folder's own files: choose another name.`,
    );
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

export const listExistingFiles = (folder: string, names: string[]) =>
  names.map((name) => ({ name, path: join(folder, name) })).filter(({ path }) => existsSync(path));

/** Where a restore that is decided has its files until all are in place. */
export const getPendingRestoreFolder = (folder: string) => join(folder, '.bonafide-restored');

/** Was a restore cut short after it was decided? Then `finishSwap` of swap.ts completes it. */
export const isSwapUnfinished = (folder: string): boolean => existsSync(getPendingRestoreFolder(folder));
