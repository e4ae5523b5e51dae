import { existsSync } from 'node:fs';
import type { ScheduledBackups } from '../schedule.ts';
import { copiesIn } from '../schedule.ts';
import { bad, fine, warning } from './finding.ts';
import type { Finding } from './finding.ts';

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
