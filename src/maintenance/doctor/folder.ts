// The data folder as the file system has it: modes, room, the clock, what is left over.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { getFreeBytes, formatBytes } from '../../platform/files.ts';
import { listTemporaryFiles } from '../../platform/temporary-files.ts';
import { DERIVED_FILES, KEPT_FILES } from '../data-files.ts';
import { databasesIn } from '../sqlite/databases.ts';
import { bad, fine, warning, type Finding } from './finding.ts';
import { type ScheduledBackups, copiesIn } from '../schedule.ts';

const OTHERS = 0o077;
const octal = (mode: number) => `0${(mode & 0o777).toString(8)}`;

/** Is what the folder holds private? */
export function checkModes(folder: string): Finding {
  if (!existsSync(folder))
    return bad(
      'folder',
      `There is no folder ${folder}.`,
      'Name the right one with --data-dir, or import records into it.',
    );
  if (process.platform === 'win32') return fine('folder', folder);
  const open = ['', ...KEPT_FILES, ...DERIVED_FILES]
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path) && (statSync(path).mode & OTHERS) !== 0);
  const [first] = open;
  if (first === undefined) return fine('folder', `${folder}, private`);
  const mode = statSync(first).isDirectory() ? '700' : '600';
  const says = `${first} has mode ${octal(statSync(first).mode)}: other users of the machine may get at it.`;
  return bad('folder', says, `chmod ${mode} ${open.join(' ')}`);
}

/** A backup takes twice the databases, an upgrade 2.3 times; a server that cannot write answers 503. */
const ROOM = 2.3;
const LEAST = 100e6;

export function checkSpace(folder: string): Finding {
  const held = databasesIn(folder).reduce((sum, { file }) => sum + statSync(file).size, 0);
  const free = getFreeBytes(folder);
  const says = `${formatBytes(free)} free, ${formatBytes(held)} in databases`;
  if (free < LEAST) return bad('disk', `${says}: calls soon cannot be recorded.`, 'Free some space now.');
  if (free >= ROOM * held) return fine('disk', says);
  return warning(
    'disk',
    `${says}: not enough to upgrade, nor to back up onto this disk.`,
    'Free some space.',
  );
}

/** No version of this program is older. */
const BEGINNING = Date.UTC(2026, 0, 1);
const TOLERANCE_MS = 60_000;

/** A clock that is behind shows in files that were written in its future. */
export function checkClock(folder: string, now: number): Finding {
  const written = databasesIn(folder).map(({ file }) => statSync(file).mtimeMs);
  const newest = Math.max(BEGINNING, ...written);
  if (now >= newest - TOLERANCE_MS) return fine('clock', new Date(now).toISOString());
  const says = `The clock says ${new Date(now).toISOString()}, and a database was written on ${new Date(newest).toISOString()}.`;
  return bad(
    'clock',
    says,
    'Set the clock (and run a time service): keys expire and calls are counted by it.',
  );
}

/** Earlier versions of files, the files before a restore, and room that a killed process held on the disk. */
const LEFT = /\.version-\d+$|^replaced-|-room-[0-9a-f]{12}$/;

/** What upgrades, restores and killed processes left: in the folder, and where backups go. */
export function checkLeftovers(folder: string, backups?: string): Finding {
  const kept = existsSync(folder) ? readdirSync(folder).filter((name) => LEFT.test(name)) : [];
  const left = [folder, ...(backups === undefined ? [] : [backups])].flatMap((one) =>
    listTemporaryFiles(one).flatMap(({ path, owner }) => (owner === 'alive' ? [] : [path])),
  );
  const all = [...new Set([...kept.map((name) => join(folder, name)), ...left])];
  if (all.length === 0) return fine('leftovers', 'none');
  const says = `${all.join(', ')}: kept by an upgrade or a restore, or left by a process that was killed; copies of records may be in them.`;
  return warning('leftovers', says, 'When all is well, delete them.');
}

/** Are the scheduled backups made? */
export function checkBackups(backups: ScheduledBackups | undefined, now: number): Finding {
  const how = 'Set backup in the settings, or run bonafide backup FILE from a timer.';
  if (!backups) return warning('backups', 'None are scheduled.', how);
  const { to, everyMs, passphraseFile } = backups;
  const log = 'Look into the log of the server for why.';
  if (passphraseFile !== undefined && !existsSync(passphraseFile))
    return bad(
      'backups',
      `There is no file ${passphraseFile}.`,
      'Put the passphrase there: without it no backup is made.',
    );
  const [newest] = copiesIn(to);
  if (!newest)
    return warning(
      'backups',
      `There is none in ${to} yet.`,
      'The server makes one a minute after it starts.',
    );
  const says = `The newest is ${newest.file}.`;
  return now - newest.time > 2 * everyMs
    ? bad('backups', `${says} It is overdue.`, log)
    : fine('backups', says);
}
