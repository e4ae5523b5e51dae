import { closeSync, openSync, readdirSync, readSync, existsSync } from 'node:fs';
import { join, basename, dirname, relative, resolve, sep } from 'node:path';
import { createByteSearch, doesFileContain, runOrNullIfFileMissing } from '../../platform/byte-search.ts';
import type { RecordStoringGraph } from '../../graph/graph.ts';
import { computeGraphSecretCheckValue } from '../../graph/encryption/keys.ts';
import { getDemoKeyFile } from '../../platform/data-folder.ts';
import { getErrorCode } from '../../platform/files.ts';
import { listTemporaryFiles } from '../../platform/temporary-files.ts';

/**
 * Returns the paths of files in a folder and its subfolders that contain at least one of the byte strings (three bytes or more each). Skips files and
 * folders that this user may not read; `listUnsearchableFiles` lists them.
 */
export function findFilesContaining(folder: string, wanted: readonly Buffer[]): string[] {
  if (wanted.length === 0) return [];
  const find = createByteSearch(wanted);
  return listFilesRecursively(folder)
    .filter((file) => unlessDenied(() => doesFileContain(file, find)) === true)
    .toSorted();
}

/**
 * Returns the paths of all files in a folder and its subfolders, and of the subfolders that this user may not read. Files that are created or
 * removed meanwhile may be missing. Errors: those of the file system.
 */
function listFilesRecursively(folder: string): string[] {
  const entries = unlessDenied(
    () => runOrNullIfFileMissing(() => readdirSync(folder, { withFileTypes: true })) ?? [],
  );
  if (entries === null) return [folder];
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listFilesRecursively(path);
    return entry.isFile() ? [path] : [];
  });
}

/** Runs `work`, which reads a file or folder. Returns null if this user may not read it. Errors: those of the file system. */
function unlessDenied<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (['EACCES', 'EPERM'].includes(getErrorCode(error))) return null;
    throw error;
  }
}

/** True if this user may not read a file or folder. False if it does not exist. Errors: those of the file system. */
const isUnreadable = (path: string): boolean =>
  unlessDenied(() => runOrNullIfFileMissing(() => closeSync(openSync(path, 'r'))) ?? true) === null;

/** Matches the file names of databases with a graph or its records, also of the copies that upgrades keep. */
const DATABASE = /^(?:graph|records)\.db(?:\.version-\d+)?$/;
const LIVE = ['graph.db', 'records.db'];

/** First bytes of a file encrypted with age (https://age-encryption.org/v1), such as an encrypted backup. */
const ENCRYPTED = Buffer.from('age-encryption.org/v1');

/**
 * Returns files and folders that may contain erased data but cannot be searched for it: temporary and uploaded files, encrypted backups, graphs with
 * another secret, and files that this user may not read. Paths are relative to the data folder. Errors: those of the file system.
 */
export function listUnsearchableFiles(dataDir: string, { records }: RecordStoringGraph): string[] {
  const passing = listTemporaryFiles(dataDir).map(({ name }) => name);
  const isPassing = (way: string) => passing.some((name) => way.startsWith(join(name, sep)));
  // Every graph contains a check value of its secret, which is not encrypted.
  const find = createByteSearch([Buffer.from(computeGraphSecretCheckValue(records.fingerprints))]);
  const isOwn = (file: string) => unlessDenied(() => doesFileContain(file, find)) === true;
  const isOther = (file: string) =>
    DATABASE.test(basename(file)) ? !isOwn(file) && !isInvented(dataDir, file) : isEncrypted(file);
  const others = listFilesRecursively(dataDir).flatMap((file) => {
    const way = relative(dataDir, file);
    if (isUnreadable(file)) return way;
    if (LIVE.includes(way) || isPassing(way) || !isOther(file)) return [];
    return way === basename(way) ? way : dirname(way);
  });
  return [...new Set([...passing, ...others])].toSorted();
}

/** Returns the absolute path of the backup folder in a list. The list is empty if the folder is inside the data folder or has no files. */
export function listExternalBackupFolders(dataDir: string, folder: string | undefined): string[] {
  if (folder === undefined) return [];
  const path = resolve(folder);
  const isWithin = path === resolve(dataDir) || path.startsWith(join(resolve(dataDir), sep));
  return isWithin || listFilesRecursively(path).length === 0 ? [] : [path];
}

function isEncrypted(file: string): boolean {
  const bytes = Buffer.alloc(ENCRYPTED.length);
  try {
    const opened = openSync(file, 'r');
    readSync(opened, bytes, 0, bytes.length, 0);
    closeSync(opened);
  } catch {
    // The file was deleted, or another message reports it as unreadable.
    return false;
  }
  return bytes.equals(ENCRYPTED);
}

/** True if a file belongs to the sample data or a demo, so that all its people are invented. */
const isInvented = (dataDir: string, file: string): boolean =>
  file.startsWith(join(dataDir, 'sample', sep)) || existsSync(getDemoKeyFile(dirname(file)));
