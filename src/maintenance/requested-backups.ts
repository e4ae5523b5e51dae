// Backups that an operator asks a server for: into the folder of the settings, under names of our own.
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { BonafideError } from '../errors.ts';
import { makeFolder } from '../platform/files.ts';
import type { BackupSummary } from './backup.ts';
import { createBackupTask, runTaskInThread } from './background.ts';
import type { RunningTask } from './background.ts';
import { listBackupFiles, removeOldBackups } from './schedule.ts';
import type { ScheduledBackups } from './schedule.ts';
import { hasScratchFolderInUse } from '../platform/temporary-files.ts';
import type { MaintenanceTask } from './worker.ts';

/** A backup that is there. */
export interface BackupFile {
  /** Its file's name in the folder. */
  name: string;
  /** When it was begun, in milliseconds since 1970. */
  time: number;
  bytes: number;
  encrypted: boolean;
}

/** A backup that was asked for. */
export interface RequestedBackup {
  name: string;
  started: number;
  /** Null while it is at work. */
  ended: number | null;
  /** It is made, read back and compared. */
  ok: boolean;
}

export interface RequestedBackupsOptions {
  dataDir: string;
  /** The graph's secret, where it comes from the settings. */
  secret?: string | undefined;
  backups: ScheduledBackups;
  log: { info(text: string): void; error(text: string): void };
  /** Does the work of a task; a thread of its own unless a test says otherwise. */
  run?: (task: MaintenanceTask) => RunningTask;
}

/** The backups of a folder, and one at a time that is asked for. */
export function openRequestedBackups({
  dataDir,
  secret,
  backups,
  log,
  run = runTaskInThread,
}: RequestedBackupsOptions) {
  const { to, keep } = backups;
  let running: RunningTask | undefined;
  let last: RequestedBackup | null = null;

  async function finish(
    asked: RequestedBackup,
    onMade: (made: BackupSummary) => Promise<void>,
  ): Promise<void> {
    const outcome = await running?.outcome;
    if (outcome && 'result' in outcome) {
      asked.ok = true;
      log.info(`backup made: ${asked.name}; ${removeOldBackups(to, keep)} older removed`);
      await onMade(outcome.result as BackupSummary);
    } else log.error(`the backup that was asked for failed: ${outcome?.failed ?? 'it was not begun'}`);
  }

  return {
    /** The newest first. */
    list: (): BackupFile[] =>
      listBackupFiles(to).flatMap(({ file, time }) => {
        const found = statSync(file, { throwIfNoEntry: false });
        if (!found?.isFile()) return [];
        return [{ name: basename(file), time, bytes: found.size, encrypted: file.endsWith('.age') }];
      }),
    /** The one that was asked for last. */
    last: (): RequestedBackup | null => last,
    /**
     * Begins one, or tells of the one at work; `onMade` is called when it is there.
     *
     * Errors: overloaded where another process makes one in the folder; those of reading the passphrase and the secret.
     */
    start(now: number, onMade: (made: BackupSummary) => Promise<void>): RequestedBackup {
      if (running && last) return last;
      makeFolder(to);
      if (hasScratchFolderInUse(to))
        throw new BonafideError('overloaded', 'Another backup is being made. Ask again when it is there.');
      const task = createBackupTask({ dataDir, secret }, backups, now);
      running = run(task);
      const asked: RequestedBackup = {
        name: basename(task.options.file),
        started: now,
        ended: null,
        ok: false,
      };
      last = asked;
      finish(asked, onMade)
        .catch((error: unknown) =>
          log.error(`after a backup: ${error instanceof Error ? error.message : 'it failed'}`),
        )
        .finally(() => {
          running = undefined;
          asked.ended = Date.now();
        });
      return asked;
    },
    close: async () => {
      await running?.stop();
    },
  };
}
