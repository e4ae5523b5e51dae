// Names of the files in a data folder. Every command loads this module, so it imports neither the graph nor SQLite.
import { existsSync, lstatSync, realpathSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { BonafideError, resultOr } from '../errors.ts';
import {
  DATA_FOLDER_DATABASES_LIST_FILE,
  OLD_SECRET_FILE,
  RESTORED_MARKER_FILE,
} from '../platform/data-folder.ts';
import { describeFileType, listFolderEntryNames } from '../platform/files.ts';

/** Names of the settings files in a data folder. */
export const SETTINGS_FILES_IN_DATA_FOLDER = ['features.json', 'calibrations.json'];
export const SECRET_FILE = 'secret';

/** Names of the files that a backup contains and a restore replaces. */
export const BACKED_UP_FILES = [
  'graph.db',
  'records.db',
  'store.db',
  ...SETTINGS_FILES_IN_DATA_FOLDER,
  SECRET_FILE,
  DATA_FOLDER_DATABASES_LIST_FILE,
];

/** Names of files that can be rebuilt from the records. Backups do not contain them, and a restore moves them away. */
export const DERIVED_FILES = ['link.db'];

/** Names of the files with data or secrets, also of those that no backup contains. */
export const DATA_FILES = [...BACKED_UP_FILES, ...DERIVED_FILES, OLD_SECRET_FILE];

const LIMITS_FILE = 'limits.db';
const OWN_FILES = [...DATA_FILES, LIMITS_FILE];
const DATABASE_LOGS = ['-wal', '-shm', '-journal'];
/** Names of all files that the program opens in a data folder under a fixed name. */
const OPENED_FILES = new Set([
  ...OWN_FILES.flatMap((name) =>
    name.endsWith('.db') ? [name, ...DATABASE_LOGS.map((end) => name + end)] : name,
  ),
  RESTORED_MARKER_FILE,
  'serving.json',
  'rejects.jsonl',
  'rejects.json',
  'demo-key',
]);
const PENDING_RESTORE_FOLDER = '.bonafide-restored';
/** Names of the folders in which the program removes files. If one were a link, the program would remove files of another folder. */
const OPENED_FOLDERS = new Set(['uploads', 'sample', 'receipts', PENDING_RESTORE_FOLDER]);

/**
 * Throws if an entry of a data folder has the wrong type: the program would wait forever for a named pipe, and would change another folder through a
 * link. Accepts a link to a regular file. Every command calls this function before it opens a file in the folder. Ignores hidden files of other
 * programs, and entries that this user cannot look up: the code that opens such an entry reports it. Does nothing if there is no folder. Errors:
 * unreadable_file.
 */
export function requireEntryTypes(dataDir: string): void {
  for (const name of listFolderEntryNames(dataDir)) {
    if (name.startsWith('.') && !OPENED_FOLDERS.has(name)) continue;
    const path = join(dataDir, name);
    const entry = resultOr(() => lstatSync(path), null);
    if (entry === null || entry.isFile()) continue;
    if (OPENED_FOLDERS.has(name) && !entry.isDirectory()) throw entryTypeError(path, entry, 'folder');
    const target = resultOr(() => statSync(path, { throwIfNoEntry: false }) ?? entry, null);
    if (target === null) continue;
    const isOpened = OPENED_FILES.has(name);
    // Checked for all names, because the names of temporary files are not fixed.
    const isBlocking = target.isFIFO() || target.isCharacterDevice() || target.isBlockDevice();
    if (isBlocking || (isOpened && !target.isFile())) throw entryTypeError(path, target, 'regular file');
  }
}

function entryTypeError(path: string, stats: Stats, wanted: 'regular file' | 'folder'): BonafideError {
  const link = wanted === 'regular file' && stats.isSymbolicLink() ? ' to a missing file' : '';
  return new BonafideError(
    'unreadable_file',
    `${path} is ${describeFileType(stats)}${link}, not a ${wanted}. Move it away. If a ${wanted} was in its place before, put it back.`,
  );
}

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

const realFolder = (folder: string): string => resultOr(() => realpathSync(folder), folder);

export const listExistingFilesWithPaths = (folder: string, names: string[]) =>
  names.map((name) => ({ name, path: join(folder, name) })).filter(({ path }) => existsSync(path));

/** Returns the folder that contains the restored files until all of them are in place. */
export const getPendingRestoreFolder = (folder: string) => join(folder, PENDING_RESTORE_FOLDER);

/** True if a restore was interrupted while its files were being put in place. `completeInterruptedFileReplacement` completes the restore. */
export const isFileReplacementUnfinished = (folder: string): boolean =>
  existsSync(getPendingRestoreFolder(folder));
