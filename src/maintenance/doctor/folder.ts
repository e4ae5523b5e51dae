// Diagnostics of the data folder in the file system: file modes, disk space, clock, left-over files and backups.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { getFreeBytes, formatBytes } from '../../platform/files.ts';
import { listTemporaryFiles } from '../../platform/temporary-files.ts';
import { BACKED_UP_FILES, DATA_FILES, listExistingFilesWithPaths } from '../data-files.ts';
import { describeOmittedDatabases } from '../backup.ts';
import { listDatabases, listUsedDatabases, type RelocatableDatabase } from '../sqlite/databases.ts';
import {
  createBadCheckResult,
  createOkCheckResult,
  createWarningCheckResult,
  type DoctorCheckResult,
} from './finding.ts';
import { type BackupSchedule, listBackupFiles } from '../schedule.ts';

const OTHERS = 0o077;
const octal = (mode: number) => `0${(mode & 0o777).toString(8)}`;

/**
 * Checks that other users of the machine cannot read the data folder and its files. The folder may be missing if the graph is kept elsewhere.
 */
export function checkFilePermissions(folder: string, isGraphElsewhere: boolean): DoctorCheckResult {
  if (!existsSync(folder) && isGraphElsewhere) return createOkCheckResult('folder', `${folder}: none yet`);
  if (!existsSync(folder))
    return createBadCheckResult(
      'folder',
      `There is no folder ${folder}.`,
      'Name another folder with --data-dir, or create it by an import of records.',
    );
  if (process.platform === 'win32') return createOkCheckResult('folder', folder);
  const open = ['', ...DATA_FILES]
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path) && (statSync(path).mode & OTHERS) !== 0);
  const [first] = open;
  if (first === undefined) return createOkCheckResult('folder', `${folder}, private`);
  const mode = statSync(first).isDirectory() ? '700' : '600';
  const says = `${first} has mode ${octal(statSync(first).mode)}: other users of the machine can open it.`;
  return createBadCheckResult('folder', says, `chmod ${mode} ${open.join(' ')}`);
}

/** Free disk space that an upgrade needs, as a multiple of the size of the databases. */
const UPGRADE_FACTOR = 2.3;
const MIN_FREE_BYTES = 100e6;

export function checkDiskSpace(folder: string): DoctorCheckResult {
  const databaseBytes = listDatabases(folder).reduce((sum, { file }) => sum + statSync(file).size, 0);
  const free = getFreeBytes(folder);
  const says = `${formatBytes(free)} free, ${formatBytes(databaseBytes)} in databases`;
  if (free < MIN_FREE_BYTES)
    return createBadCheckResult('disk', `${says}: calls soon cannot be recorded.`, 'Free some space now.');
  if (free >= UPGRADE_FACTOR * databaseBytes) return createOkCheckResult('disk', says);
  return createWarningCheckResult(
    'disk',
    `${says}: not enough to upgrade, nor to back up onto this disk.`,
    'Free some space.',
  );
}

/** Earliest plausible time of the system clock, in milliseconds since 1970. This program is newer. */
const EARLIEST_TIME = Date.UTC(2026, 0, 1);
const TOLERANCE_MS = 60_000;

/** Checks that the system clock is not behind. It is behind if a database file was modified at a later time. */
export function checkSystemClock(folder: string, now: number): DoctorCheckResult {
  const written = listDatabases(folder).map(({ file }) => statSync(file).mtimeMs);
  const newest = Math.max(EARLIEST_TIME, ...written);
  if (now >= newest - TOLERANCE_MS) return createOkCheckResult('clock', new Date(now).toISOString());
  const says = `The clock shows ${new Date(now).toISOString()}, and a database was written on ${new Date(newest).toISOString()}.`;
  return createBadCheckResult(
    'clock',
    says,
    'Set the clock (and run a time service): keys expire and calls are counted by it.',
  );
}

/** Pattern of the names of left-over files: earlier versions, files replaced by a restore, and disk space reserved by a killed process. */
const LEFTOVER_NAME = /\.version-\d+$|^replaced-|-room-[0-9a-f]{12}$/;

/** Checks the data folder and the backup folder for files that upgrades, restores and killed processes left. */
export function checkLeftoverFiles(folder: string, backups?: string): DoctorCheckResult {
  const leftoverFolders = existsSync(folder)
    ? readdirSync(folder).filter((name) => LEFTOVER_NAME.test(name))
    : [];
  const temporaryFiles = [folder, ...(backups === undefined ? [] : [backups])].flatMap((one) =>
    listTemporaryFiles(one).flatMap(({ path, owner }) => (owner === 'alive' ? [] : [path])),
  );
  const all = [...new Set([...leftoverFolders.map((name) => join(folder, name)), ...temporaryFiles])];
  if (all.length === 0) return createOkCheckResult('leftovers', 'none');
  const says = `${all.join(', ')}: kept by an upgrade or a restore, or left by a process that was killed; copies of records may be in them.`;
  return createWarningCheckResult('leftovers', says, 'Delete them when the installation works.');
}

/** Checks that backups are scheduled and that the newest backup is not overdue. */
export function checkBackups(
  folder: string,
  { backups, elsewhere }: { backups: BackupSchedule | undefined; elsewhere: readonly RelocatableDatabase[] },
  now: number,
): DoctorCheckResult {
  const leftOut = describeOmittedDatabases(elsewhere);
  const isEmpty = elsewhere.length > 0 && listUsedDatabases(folder, elsewhere).length === 0;
  if (isEmpty && !backups) return createOkCheckResult('backups', leftOut);
  if (isEmpty)
    return createBadCheckResult(
      'backups',
      `The setting backup has no effect. ${leftOut}`,
      'Remove the setting backup.',
    );
  const how = 'Set backup in the settings, or run bonafide backup FILE from a timer.';
  if (!backups && listExistingFilesWithPaths(folder, BACKED_UP_FILES).length === 0)
    return createOkCheckResult('backups', 'nothing to back up yet');
  if (!backups) return createWarningCheckResult('backups', 'None are scheduled.', how);
  const { to, everyMs, passphraseFile } = backups;
  const log = 'Look for the reason in the log of the server.';
  if (passphraseFile !== undefined && !existsSync(passphraseFile))
    return createBadCheckResult(
      'backups',
      `The passphrase file ${passphraseFile} does not exist.`,
      'Write the passphrase to this file. Without it, no backup is made.',
    );
  const [newest] = listBackupFiles(to);
  if (!newest)
    return createWarningCheckResult(
      'backups',
      `There is none in ${to} yet.`,
      'The server makes one a minute after it starts.',
    );
  const says = `The newest is ${newest.file}.`;
  return now - newest.time > 2 * everyMs
    ? createBadCheckResult('backups', `${says} It is overdue.`, log)
    : createOkCheckResult('backups', leftOut === '' ? says : `${says} ${leftOut}`);
}
