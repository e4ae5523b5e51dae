// Stores which data a folder had, so that a deleted database file is not mistaken for a new installation.
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { BonafideError } from '../errors.ts';
import { getErrorCode, makeFolder, flushFolderToDisk, readTextFile } from './files.ts';

const DATABASE_FILES_BY_CONTENT = { records: 'graph.db', keys: 'store.db' } as const;
/** Database of a data folder, named by its contents: `records` (graph) or `keys` (store). */
export type DataFolderDatabase = keyof typeof DATABASE_FILES_BY_CONTENT;

/** Name of the file that lists the databases that the folder once contained. */
export const DATA_FOLDER_DATABASES_LIST_FILE = 'held.json';

/** Returns the databases that a data folder once contained; an empty list if the file with the list is missing or invalid. Errors: unreadable_file. */
function readRememberedDatabases(dataDir: string): DataFolderDatabase[] {
  const file = join(dataDir, DATA_FOLDER_DATABASES_LIST_FILE);
  let text: string;
  try {
    text = readTextFile(file);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(getErrorCode(error))) return [];
    throw cannotUse(file, error);
  }
  try {
    const { held } = JSON.parse(text) as { held: DataFolderDatabase[] };
    return held.filter((part) => Object.hasOwn(DATABASE_FILES_BY_CONTENT, part));
  } catch {
    return [];
  }
}

/**
 * Adds a database to the list of those that the data folder once contained, if the database file exists. Errors: unreadable_file.
 */
export function registerDataFolderDatabase(dataDir: string, what: DataFolderDatabase): void {
  const rememberedDatabases = readRememberedDatabases(dataDir);
  if (rememberedDatabases.includes(what) || !existsSync(join(dataDir, DATABASE_FILES_BY_CONTENT[what])))
    return;
  const file = join(dataDir, DATA_FOLDER_DATABASES_LIST_FILE);
  // Several processes and threads may write at the same time. If a name gets lost, the next server start adds
  // it again.
  const temporaryFile = `${file}.${process.pid}-${threadId}`;
  try {
    makeFolder(dataDir);
    writeFileSync(temporaryFile, `${JSON.stringify({ held: [...rememberedDatabases, what].sort() })}\n`, {
      mode: 0o600,
      flush: true,
    });
    renameSync(temporaryFile, file);
    flushFolderToDisk(dirname(file));
  } catch (error) {
    rmSync(temporaryFile, { force: true });
    throw cannotUse(file, error);
  }
}

const cannotUse = (file: string, error: unknown) =>
  new BonafideError(
    'unreadable_file',
    `${file} cannot be used (${getErrorCode(error) || 'unknown reason'}): it must be a file that can be read and written, on a disk with free space.`,
  );

const RECORDS_FILE = 'records.db';

/** True if the graph file is missing but can be rebuilt from the records file. */
export function canRebuildGraph(dataDir: string): boolean {
  const sizeOf = (name: string) => statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0;
  return sizeOf(DATABASE_FILES_BY_CONTENT.records) === 0 && sizeOf(RECORDS_FILE) > 0;
}

/**
 * Throws if a data folder once contained records or API keys, and the file with them is missing. `wanted` are the databases to check. Errors:
 * data_missing, unreadable_file.
 */
export function requireDataFilesNotMissing(dataDir: string, ...wanted: DataFolderDatabase[]): void {
  for (const what of readRememberedDatabases(dataDir)) {
    const size =
      statSync(join(dataDir, DATABASE_FILES_BY_CONTENT[what]), { throwIfNoEntry: false })?.size ?? 0;
    if (wanted.includes(what) && size === 0) throw dataMissingError(dataDir, what, 'is missing');
  }
}

/** Throws if a data folder once contained records or API keys, and the file with them is empty. Errors: data_missing, unreadable_file. */
export function requireDatabaseNeverHeldData(dataDir: string, what: DataFolderDatabase): void {
  if (readRememberedDatabases(dataDir).includes(what)) throw dataMissingError(dataDir, what, 'is empty');
}

function dataMissingError(dataDir: string, what: DataFolderDatabase, how: string): BonafideError {
  if (what === 'records' && canRebuildGraph(dataDir)) return createGraphFileMissingError(dataDir);
  return new BonafideError(
    'data_missing',
    `${join(dataDir, DATABASE_FILES_BY_CONTENT[what])} ${how}, but it contained ${what} before. Put the file back, or restore a backup. To start with an empty database instead, delete ${join(dataDir, DATA_FOLDER_DATABASES_LIST_FILE)}.`,
  );
}

export const createGraphFileMissingError = (dataDir: string): BonafideError =>
  new BonafideError(
    'data_missing',
    `${join(dataDir, DATABASE_FILES_BY_CONTENT.records)} is missing, but its records are in ${RECORDS_FILE}. Create the file again, with the same identity numbers: bonafide graph link`,
  );

/** Name of the file in which `graph rekey` keeps the old secret until the store has the new one. */
export const OLD_SECRET_FILE = 'secret.old';
/** Name of the file with the times of the last restore. */
export const RESTORED_MARKER_FILE = 'restored';

/** Returns the path of the file with the demo's API key. A data folder with this file contains only invented people. */
export const getDemoKeyFile = (dataDir: string): string => join(dataDir, 'demo-key');

export function isDataFolder(dataDir: string): boolean {
  return [...Object.values(DATABASE_FILES_BY_CONTENT), DATA_FOLDER_DATABASES_LIST_FILE, 'secret'].some(
    (name) => existsSync(join(dataDir, name)),
  );
}

const CHECK_EVERY_MS = 1000;

export interface DataFileMonitor {
  /**
   * Returns the database whose file is missing, empty or replaced since the start; null if all files are there. The result may be one second old.
   */
  missing(): DataFolderDatabase | null;
  close(): void;
}

/**
 * Watches the database files of an open data folder, because a process can go on writing to a deleted file, and lose the data. @param parts the
 * parts whose files are watched
 */
export function monitorDataFiles(
  dataDir: string,
  parts: DataFolderDatabase[],
  onChange: (missing: DataFolderDatabase | null) => void,
): DataFileMonitor {
  const stamp = (what: DataFolderDatabase) => {
    const stat = statSync(join(dataDir, DATABASE_FILES_BY_CONTENT[what]), { throwIfNoEntry: false });
    return stat && stat.size > 0 ? `${stat.dev} ${stat.ino}` : 'none';
  };
  const first = parts.map(stamp);
  let missing: DataFolderDatabase | null = null;
  const look = () => {
    const changedDatabase = parts.find((what, i) => stamp(what) !== first[i]) ?? null;
    if (changedDatabase !== missing) onChange(changedDatabase);
    missing = changedDatabase;
  };
  const timer = setInterval(look, CHECK_EVERY_MS).unref();
  return { missing: () => missing, close: () => clearInterval(timer) };
}
