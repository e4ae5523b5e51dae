// Restore of a backup: unpack, verify and open the files in a scratch folder, then move them into the data folder.
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError } from '../errors.ts';
import { openSqliteGraph } from '../graph/sqlite/open.ts';
import { makeFolder, readTextFile, requireFreeSpace } from '../platform/files.ts';
import { checkpointUnusedDatabase, listDatabases } from './sqlite/databases.ts';
import { createScratchFolder } from '../platform/temporary-files.ts';
import { registerDataFolderDatabase } from '../platform/data-folder.ts';
import { convertStorageErrorToBonafideError, isStorageError } from '../platform/sqlite.ts';
import { openSqliteStore, getStoreFile } from '../store/sqlite/open.ts';
import { unpackArchive, createByteProgressReporter, type BackupProgressCallback } from './file/archive.ts';
import { requireCopyEqualsOriginal } from './sqlite/check-copy.ts';
import { BACKED_UP_FILES, SECRET_FILE } from './data-files.ts';
import { countBackupRecords, requireNonEmptyBackup, type BackupManifest } from './file/manifest.ts';
import type { DatabaseRowCounts } from './sqlite/facts.ts';
import { completeInterruptedFileReplacement, replaceDataFiles } from './swap.ts';

export interface RestoreOptions {
  file: string;
  dataDir: string;
  passphrase?: string | undefined;
  /** Secret of the graph, if the settings contain it. Default: the secret in the backup or in the data folder. */
  secret?: string | undefined;
  /** True to replace existing databases. They are moved to a subfolder of the data folder. */
  force?: boolean | undefined;
  /** Current time, in milliseconds since 1970. */
  now: number;
  onProgress?: BackupProgressCallback | undefined;
}

export interface RestoreSummary {
  dataDir: string;
  /** Time at which the backup was made, ISO 8601. */
  made: string;
  databases: Record<string, DatabaseRowCounts>;
  /** Folder with the replaced files; null if nothing was replaced. */
  replaced: string | null;
  /** True if the secret of the graph is known. Without it, the graph cannot be opened. */
  secret: boolean;
}

const SPARE_BYTES = 16 * 1024 * 1024;

/**
 * Restores a data folder from a backup. The folder stays unchanged until the backup was unpacked, verified and opened; then all files are
 * replaced or none. Errors: file_not_found, unreadable_file, already_there, database_busy, disk_full, wrong_passphrase, damaged_backup,
 * empty_backup, newer_database, wrong_secret, read_only.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreSummary> {
  const { file, dataDir } = options;
  if (!existsSync(file))
    throw new BonafideError('file_not_found', `The backup file ${file} does not exist. Check the path.`);
  if (statSync(file).isDirectory())
    throw new BonafideError(
      'unreadable_file',
      `${file} is a folder, but a backup is a single file. Name the backup file.`,
    );
  const createsFolder = !existsSync(dataDir);
  try {
    makeFolder(dataDir);
    completeInterruptedFileReplacement(dataDir);
    requireReplaceAllowed(options);
    requireFreeSpace(dataDir, statSync(file).size + SPARE_BYTES, 'Restoring');
    const scratch = createScratchFolder(dataDir);
    try {
      return await restoreBackupIn(scratch.folder, options);
    } finally {
      scratch.remove();
    }
  } catch (error) {
    if (createsFolder) removeEmptyFolder(dataDir);
    throw isStorageError(error)
      ? convertStorageErrorToBonafideError(error, dataDir, { name: 'data folder' })
      : error;
  }
}

function removeEmptyFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // The folder is not empty, so it stays.
  }
}

function requireReplaceAllowed({ dataDir, force = false }: RestoreOptions): void {
  const databases = listDatabases(dataDir);
  const [first] = databases;
  if (first && !force)
    throw new BonafideError(
      'already_there',
      `The data folder ${dataDir} already has ${first.name}. Name another folder with --data-dir, or replace the data with --force, which moves the old files to a subfolder.`,
    );
  for (const { file, kind } of databases) checkpointUnusedDatabase(file, kind);
}

async function restoreBackupIn(scratch: string, options: RestoreOptions): Promise<RestoreSummary> {
  const { file, dataDir, passphrase, now, onProgress = () => undefined } = options;
  const into = join(scratch, 'unpacked');
  mkdirSync(into, { mode: 0o700 });
  const onBytes = createByteProgressReporter(onProgress, 'reading back', statSync(file).size);
  const manifest = await unpackArchive({ file, into, passphrase, onBytes });
  onProgress({ step: 'checking', done: null });
  const { made, databases } = manifest;
  await requireCopyEqualsOriginal(
    into,
    Object.fromEntries(Object.entries(databases).map(([name, counts]) => [name, { counts }])),
  );
  for (const { name, version } of listDatabases(into))
    if ((databases[name]?.version ?? 0) > version)
      throw new BonafideError(
        'newer_database',
        `${name} in the backup was made by a newer Bonafide. Restore it with that version.`,
      );
  requireNonEmptyBackup(databases);
  const secret = await openRestoredDatabases(into, manifest, options).catch((error: unknown) => {
    if (!(error instanceof BonafideError)) throw error;
    // The scratch folder, which the message names, will have been removed.
    const message = error.message.replaceAll(join(into, '/'), '');
    throw new BonafideError(error.code, `The backup cannot be restored. ${message}`, error.details);
  });
  onProgress({ step: 'putting in place', done: null });
  for (const name of readdirSync(into))
    if (!BACKED_UP_FILES.includes(name)) rmSync(join(into, name), { recursive: true });
  if (countBackupRecords(databases) > 0) registerDataFolderDatabase(into, 'records');
  if ((databases['store.db']?.tables.keys ?? 0) > 0) registerDataFolderDatabase(into, 'keys');
  // A server may have been started while the backup was verified.
  for (const database of listDatabases(dataDir)) checkpointUnusedDatabase(database.file, database.kind);
  const { replaced } = replaceDataFiles(dataDir, into, now);
  return { dataDir, made, databases, replaced, secret };
}

function findSecret(into: string, { dataDir, secret }: RestoreOptions): string | undefined {
  if (secret !== undefined) return secret;
  const file = [into, dataDir].map((folder) => join(folder, SECRET_FILE)).find((path) => existsSync(path));
  return file === undefined ? undefined : readTextFile(file).trim();
}

/** Opens the unpacked databases, which migrates them to the current version. Returns false if the secret is needed but not known. */
async function openRestoredDatabases(
  folder: string,
  { databases }: BackupManifest,
  options: RestoreOptions,
): Promise<boolean> {
  const secret = findSecret(folder, options);
  if ('store.db' in databases) openSqliteStore({ file: getStoreFile(folder) }).close();
  if (!('graph.db' in databases)) return true;
  if (secret === undefined) return false;
  await openSqliteGraph({ dataDir: folder, secret, create: false }).close();
  for (const { file, kind } of listDatabases(folder)) checkpointUnusedDatabase(file, kind);
  return true;
}
