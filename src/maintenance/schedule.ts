// Backup schedule: due backups and backups to keep, derived from the file names in the folder, so that a restart changes nothing.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError } from '../errors.ts';
import { readTextFile } from '../platform/files.ts';
import { formatTimeForFileName } from '../platform/iso-time.ts';

const NAME = /^bonafide-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar(\.age)?$/;

export interface BackupSchedule {
  everyMs: number;
  to: string;
  keep: number;
  passphraseFile?: string | undefined;
  withSecret: boolean;
}

export interface BackupFileWithTime {
  file: string;
  time: number;
}

export const createBackupFileName = (time: number, encrypted: boolean): string =>
  `bonafide-${formatTimeForFileName(time)}.tar${encrypted ? '.age' : ''}`;

/** Returns the backups in a folder, newest first. Files with other names are ignored. */
export function listBackupFiles(folder: string): BackupFileWithTime[] {
  if (!existsSync(folder)) return [];
  const copies = readdirSync(folder).flatMap((name): BackupFileWithTime[] => {
    const [, day, hours, minutes, seconds] = NAME.exec(name) ?? [];
    if (day === undefined) return [];
    return [{ file: join(folder, name), time: Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`) }];
  });
  return copies.sort((a, b) => b.time - a.time);
}

/**
 * True if the newest of `copies` is older than `everyMs`. Backups dated in the future, made with a wrong clock, do not count. Times are
 * milliseconds.
 */
export function isNextBackupDue(copies: BackupFileWithTime[], everyMs: number, now: number): boolean {
  const newest = copies.find(({ time }) => time <= now);
  return newest === undefined || now - newest.time >= everyMs;
}

/**
 * Removes all backups except the newest `keep`. Backups dated after `now` (milliseconds) were made before the clock was set back, so they count as
 * the oldest. Returns the number of removed files.
 */
export function removeAndCountOldBackups(folder: string, keep: number, now: number): number {
  const copies = listBackupFiles(folder);
  const isPast = ({ time }: BackupFileWithTime) => time <= now;
  const old = [...copies.filter(isPast), ...copies.filter((copy) => !isPast(copy))].slice(keep);
  for (const { file } of old) rmSync(file, { force: true });
  return old.length;
}

/** Reads a passphrase from the first line of a file; undefined if no file is given. Errors: file_not_found, invalid_arguments. */
export function readPassphrase(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  if (!existsSync(file))
    throw new BonafideError('file_not_found', `The passphrase file ${file} does not exist. Check the path.`);
  const [line = ''] = readTextFile(file).split(/\r?\n/);
  if (line.length >= 8) return line;
  throw new BonafideError(
    'invalid_arguments',
    `The first line of ${file} must be a passphrase of 8 characters or more.`,
  );
}
