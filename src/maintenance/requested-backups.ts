// Backups that an operator starts on a server by hand, in the folder of the scheduled backups and named like them.
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { BonafideError } from '../errors.ts';
import { makeFolder } from '../platform/files.ts';
import type { BackupSummary } from './backup.ts';
import { createBackupTask, runMaintenanceTaskInThread } from './background.ts';
import type { BackgroundMaintenanceOptions, RunningMaintenanceTask } from './background.ts';
import { listBackupFiles, removeAndCountOldBackups, type BackupSchedule } from './schedule.ts';
import { isAnyScratchFolderInUse } from '../platform/temporary-files.ts';

export interface BackupFile {
  name: string;
  time: number;
  bytes: number;
  encrypted: boolean;
}

export interface RequestedBackup {
  name: string;
  started: number;
  /** Time at which the backup ended, in milliseconds since 1970; null while it runs. */
  ended: number | null;
  /** True if the backup was made, and a comparison with the data found no difference. */
  ok: boolean;
}

export interface RequestedBackupRunnerOptions extends Pick<
  BackgroundMaintenanceOptions,
  'dataDir' | 'secret' | 'elsewhere' | 'log' | 'run'
> {
  backups: BackupSchedule;
}

/** Lists the backups of a folder, and runs requested backups, only one at the same time. */
export function createRequestedBackupRunner({
  dataDir,
  secret,
  backups,
  elsewhere,
  log,
  run = runMaintenanceTaskInThread,
}: RequestedBackupRunnerOptions) {
  const { to, keep } = backups;
  let running: RunningMaintenanceTask | undefined;
  let last: RequestedBackup | null = null;

  async function finish(
    backup: RequestedBackup,
    onMade: (made: BackupSummary) => Promise<void>,
  ): Promise<void> {
    const outcome = await running?.outcome;
    if (outcome && 'result' in outcome) {
      backup.ok = true;
      log.info(
        `backup made: ${backup.name}; ${removeAndCountOldBackups(to, keep, Date.now())} older removed`,
      );
      await onMade(outcome.result as BackupSummary);
    } else log.error(`the requested backup failed: ${outcome?.failed ?? 'it was not started'}`);
  }

  return {
    list: (): BackupFile[] =>
      listBackupFiles(to).flatMap(({ file, time }) => {
        const fileStats = statSync(file, { throwIfNoEntry: false });
        if (!fileStats?.isFile()) return [];
        return [{ name: basename(file), time, bytes: fileStats.size, encrypted: file.endsWith('.age') }];
      }),
    /** Returns the last requested backup; null if none was requested since the start of the server. */
    last: (): RequestedBackup | null => last,
    /**
     * Starts a backup and returns it; returns the running backup if there is one. `onMade` is called when the backup is complete. Errors:
     * overloaded if another process is making a backup; file_not_found and invalid_arguments if the passphrase cannot be read.
     */
    start(now: number, onMade: (made: BackupSummary) => Promise<void>): RequestedBackup {
      if (running && last) return last;
      makeFolder(to);
      if (isAnyScratchFolderInUse(to))
        throw new BonafideError('overloaded', 'Another backup is being made. Try again when it is complete.');
      const task = createBackupTask({ dataDir, secret, elsewhere }, backups, now);
      running = run(task);
      const requestedBackup: RequestedBackup = {
        name: basename(task.options.file),
        started: now,
        ended: null,
        ok: false,
      };
      last = requestedBackup;
      finish(requestedBackup, onMade)
        .catch((error: unknown) =>
          log.error(
            `the work after a backup failed: ${error instanceof Error ? error.message : 'it failed'}`,
          ),
        )
        .finally(() => {
          running = undefined;
          requestedBackup.ended = Date.now();
        });
      return requestedBackup;
    },
    close: async () => {
      await running?.stop();
    },
  };
}
