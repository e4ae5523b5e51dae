// Names of the files in a data folder. Every command loads this module, so it imports neither the graph nor SQLite.
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { BonafideError } from '../errors.ts';
import { DATA_FOLDER_CONTENTS_FILE, OLD_SECRET_FILE } from '../platform/data-folder.ts';

/** Names of the settings files in a data folder. */
export const SETTINGS_FILES = ['features.json', 'calibrations.json'];
export const SECRET_FILE = 'secret';

/** Names of the files that a restore replaces. */
export const BACKED_UP_FILES = [
  'graph.db',
  'records.db',
  'store.db',
  ...SETTINGS_FILES,
  SECRET_FILE,
  DATA_FOLDER_CONTENTS_FILE,
];

/** Names of files that can be rebuilt from the records. Backups do not contain them, and a restore moves them away. */
export const DERIVED_FILES = ['link.db'];

/** Names of the files with data or secrets, also of those that no backup contains. */
export const DATA_FILES = [...BACKED_UP_FILES, ...DERIVED_FILES, OLD_SECRET_FILE];

const LIMITS_FILE = 'limits.db';
const OWN_FILES = [...DATA_FILES, LIMITS_FILE];

/**
 * Throws if an output path is a file of the data folder or a database log, also through a symbolic link. Writing there would destroy the data.
 * Errors: invalid_arguments.
 */
export function requireNotOwnDataFile(dataDir: string, file: string): void {
  if (realFolder(dirname(resolve(file))) !== realFolder(resolve(dataDir))) return;
  const name = basename(file);
  if (OWN_FILES.some((own) => name === own || name.startsWith(`${own}-`)))
    throw new BonafideError(
      'invalid_arguments',
      `${file} is a file of the data folder. Choose another path for the output.`,
    );
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

export const listExistingFilesWithPaths = (folder: string, names: string[]) =>
  names.map((name) => ({ name, path: join(folder, name) })).filter(({ path }) => existsSync(path));

/** Returns the folder that contains the restored files until all of them are in place. */
export const getPendingRestoreFolder = (folder: string) => join(folder, '.bonafide-restored');

/** True if a restore was interrupted while its files were being put in place. `completeInterruptedFileReplacement` completes the restore. */
export const isFileReplacementUnfinished = (folder: string): boolean =>
  existsSync(getPendingRestoreFolder(folder));
