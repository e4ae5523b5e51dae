// Creation of one backup: copy a snapshot of the databases, write the copy as one file, read the file back, compare, then rename it.
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { BonafideError } from '../errors.ts';
import { getPackageVersion } from '../platform/assets.ts';
import { makeFolder, flushFolderToDisk, requireFreeSpace } from '../platform/files.ts';
import { requireNoInterruptedRekey } from '../graph/encryption/secret.ts';
import { requireDataFilesNotMissing } from '../platform/data-folder.ts';
import { createScratchFolder } from '../platform/temporary-files.ts';
import { convertStorageErrorToBonafideError, isStorageError } from '../platform/sqlite.ts';
import {
  unpackArchive,
  writeArchive,
  createByteProgressReporter,
  type BackupProgressCallback,
} from './file/archive.ts';
import { sampleGraphAnswers, type SampledGraphAnswer } from './sqlite/answers.ts';
import { requireCopyEqualsOriginal } from './sqlite/check-copy.ts';
import {
  listExistingFilesWithPaths,
  requireNotOwnDataFile,
  SECRET_FILE,
  SETTINGS_FILES_IN_DATA_FOLDER,
} from './data-files.ts';
import { listUsedDatabases, type RelocatableDatabase } from './sqlite/databases.ts';
import {
  readDatabaseContentSample,
  type DatabaseRowCounts,
  type DatabaseContentSample,
} from './sqlite/facts.ts';
import { type BackupManifest, requireNonEmptyBackup } from './file/manifest.ts';
import { openDatabaseSnapshot, type DatabaseSnapshot } from './sqlite/snapshot.ts';

export interface BackupOptions {
  dataDir: string;
  file: string;
  /** Secret from the settings. Default: the secret in the data folder. */
  configuredSecret?: string | undefined;
  /** Secret to include in the backup; undefined to leave it out. */
  secret?: string | undefined;
  /** Passphrase that encrypts the backup; undefined for an unencrypted backup. */
  passphrase?: string | undefined;
  /** True to replace an existing backup file. */
  force?: boolean | undefined;
  /** Databases that the settings keep outside the data folder. Their old files in the data folder are left out. */
  elsewhere?: readonly RelocatableDatabase[] | undefined;
  /** Current time, in milliseconds since 1970. */
  now: number;
  onProgress?: BackupProgressCallback | undefined;
}

export interface BackupSummary {
  file: string;
  bytes: number;
  secret: boolean;
  encrypted: boolean;
  databases: Record<string, DatabaseRowCounts>;
}

const PAGES_PER_STEP = 1000;
/** Free disk space, in bytes, that is required for manifest and settings in addition to the databases. */
const SPARE_BYTES = 16 * 1024 * 1024;

/**
 * Writes the content of a data folder to one backup file; the folder may be in use. The file gets its name only after it was read back and
 * compared with the folder. Errors: invalid_arguments, already_there, empty_backup, data_missing, disk_full, database_busy, damaged_database,
 * damaged_backup, read_only, wrong_secret if `graph rekey` was interrupted.
 */
export async function createBackup(options: BackupOptions): Promise<BackupSummary> {
  const { dataDir, force = false, elsewhere = [] } = options;
  const file = resolve(options.file);
  requireNotOwnDataFile(dataDir, file);
  if (existsSync(file) && !force)
    throw new BonafideError(
      'already_there',
      `${file} already exists. Choose another name, or replace it with --force.`,
    );
  // Backups of an incomplete folder would gradually replace all backups of the complete folder.
  const parts = (['records', 'keys'] as const).filter(
    (part) => !elsewhere.includes(part === 'keys' ? 'store.db' : 'graph.db'),
  );
  requireDataFilesNotMissing(dataDir, ...parts);
  // A backup never contains the old secret, so its store could not be read.
  if (parts.includes('keys')) requireNoInterruptedRekey(dataDir, options.configuredSecret);
  if (listUsedDatabases(dataDir, elsewhere).length === 0)
    throw new BonafideError(
      'empty_backup',
      elsewhere.length === 0
        ? `There is nothing to back up in ${dataDir}: it contains no graph.db and no store.db. Check that it is the right data folder.`
        : `There is nothing to back up in ${dataDir}. ${describeOmittedDatabases(elsewhere)}`,
    );
  try {
    makeFolder(dirname(file));
    const scratch = createScratchFolder(dirname(file));
    try {
      return await createBackupIn(scratch.folder, { ...options, file });
    } finally {
      scratch.remove();
    }
  } catch (error) {
    throw isStorageError(error) ? convertStorageErrorToBonafideError(error, file, { name: 'backup' }) : error;
  }
}

/** Returns a sentence that says which databases a backup does not contain and how to back them up; empty if it contains all. */
export const describeOmittedDatabases = (elsewhere: readonly RelocatableDatabase[]): string =>
  elsewhere.length === 0
    ? ''
    : `The settings keep ${elsewhere.map((name) => PART_NAMES[name]).join(' and ')} outside the data folder, so a backup does not contain ${elsewhere.length > 1 ? 'them' : 'it'}. In PostgreSQL, back up with: pg_dump ${elsewhere.map((name) => `--schema ${SCHEMAS[name]}`).join(' ')}`;

const PART_NAMES = { 'graph.db': 'the graph', 'store.db': 'the store' };
/** PostgreSQL schema in which the data of each database file can be kept instead. */
const SCHEMAS = { 'graph.db': 'bonafide', 'store.db': 'bonafide_store' };

async function createBackupIn(scratch: string, options: BackupOptions): Promise<BackupSummary> {
  const { file, passphrase, secret, onProgress = () => undefined } = options;
  const [copy, back, archive] = ['copy', 'back', 'archive'].map((name) => join(scratch, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(copy, { mode: 0o700 });
  mkdirSync(back, { mode: 0o700 });
  const { names, facts, bytes } = await copyDatabases(copy, options, onProgress);
  const databases = Object.fromEntries(Object.entries(facts).map(([name, { counts }]) => [name, counts]));
  requireNonEmptyBackup(databases);
  const about: Omit<BackupManifest, 'files'> = {
    format: 1,
    made: new Date(options.now).toISOString(),
    program: getPackageVersion(),
    databases,
  };
  const onBytes = createByteProgressReporter(onProgress, 'writing', bytes);
  await writeArchive({ folder: copy, names, about, file: archive, passphrase, onBytes });
  // The copy is removed first: two copies at once would need half as much disk space again.
  rmSync(copy, { recursive: true });
  await unpackArchive({
    file: archive,
    into: back,
    passphrase,
    onBytes: createByteProgressReporter(onProgress, 'reading back', bytes),
  });
  onProgress({ step: 'checking', done: null });
  await requireCopyEqualsOriginal(back, facts);
  renameSync(archive, file);
  flushFolderToDisk(dirname(file));
  const encrypted = passphrase !== undefined;
  return { file, bytes: statSync(file).size, secret: secret !== undefined, encrypted, databases };
}

/**
 * Copies the databases (one snapshot), settings files and secret to `folder`. Returns the names of the files, the row counts and samples for a
 * later comparison, and the size of the databases in bytes.
 */
async function copyDatabases(
  folder: string,
  { dataDir, secret, file, elsewhere }: BackupOptions,
  onProgress: BackupProgressCallback,
) {
  const settings = listExistingFilesWithPaths(dataDir, SETTINGS_FILES_IN_DATA_FOLDER);
  const moment = openDatabaseSnapshot(listUsedDatabases(dataDir, elsewhere), () => {
    for (const { name, path } of settings) copySettings(path, join(folder, name));
  });
  try {
    const bytes = moment.databases.reduce((sum, one) => sum + one.bytes, 0);
    requireFreeSpace(dirname(file), 2 * bytes + SPARE_BYTES, 'The backup');
    onProgress({ step: 'counting', done: null });
    const facts: Record<string, DatabaseContentSample & { answers: SampledGraphAnswer[] }> = {};
    for (const { name, db } of moment.databases)
      facts[name] = {
        ...readDatabaseContentSample(db),
        answers: name === 'graph.db' ? sampleGraphAnswers(db) : [],
      };
    await copyPages(moment, folder, createByteProgressReporter(onProgress, 'copying', bytes));
    const names = [...moment.databases, ...settings].map(({ name }) => basename(name));
    if (secret !== undefined) {
      writeFileSync(join(folder, SECRET_FILE), `${secret}\n`, { mode: 0o600 });
      names.push(SECRET_FILE);
    }
    return { names, facts, bytes };
  } finally {
    moment.close();
  }
}

/** Copies a settings file. Throws an error that names this file if it is not a regular file. Errors: unreadable_file. */
function copySettings(from: string, to: string): void {
  if (!statSync(from).isFile())
    throw new BonafideError(
      'unreadable_file',
      `${from} is not a file. Replace it with the settings file, or remove it.`,
    );
  copyFileSync(from, to);
}

async function copyPages(
  { databases }: DatabaseSnapshot,
  folder: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  for (const { name, db, bytes } of databases) {
    let reported = 0;
    await db.backup(join(folder, name), {
      progress: ({ totalPages, remainingPages }) => {
        const doneBytes = bytes * (1 - remainingPages / totalPages);
        onBytes(doneBytes - reported);
        reported = doneBytes;
        return PAGES_PER_STEP;
      },
    });
    onBytes(bytes - reported);
  }
}
