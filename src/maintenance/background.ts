// What a server does by itself to keep its data: backups when they are due, and a slow check of integrity once a day.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { getModuleFile } from '../platform/assets.ts';
import { makeFolder, formatBytes } from '../platform/files.ts';
import type { BackupSummary } from './backup.ts';
import { describeDamage, type DatabaseDamage } from './integrity.ts';
import {
  readPassphrase,
  listBackupFiles,
  createBackupName,
  isNextBackupDue,
  removeOldBackups,
  type ScheduledBackups,
} from './schedule.ts';
import { hasScratchFolderInUse } from '../platform/temporary-files.ts';
import { SECRET_FILE } from './data-files.ts';
import type { TaskOutcome, MaintenanceTask } from './worker.ts';

export interface BackgroundOptions {
  dataDir: string;
  /** The graph's secret, where it comes from the settings. */
  secret?: string | undefined;
  backups?: ScheduledBackups | undefined;
  log: { info(text: string): void; error(text: string): void };
  /** Told after each check of integrity what is damaged; nothing where all is whole. */
  onChecked?: (damages: DatabaseDamage[]) => void;
  /** Called with the reason when a scheduled backup failed. */
  onBackupFailed?: (reason: string) => void;
  /** Does the work of a task; a thread of its own unless a test says otherwise. */
  run?: (task: MaintenanceTask) => RunningTask;
}

/** A task at work. */
export interface RunningTask {
  outcome: Promise<TaskOutcome>;
  stop(): Promise<unknown>;
}

/** Nothing is begun in the first minute: a start has enough to do. */
const CHECK_DUE_EVERY_MS = 60_000;
const INTEGRITY_EVERY_MS = 86_400_000;
const RETRY_MS = 600_000;

/** Starts it; ends with `close`, which gives up what is at work. */
export function startBackgroundMaintenance(options: BackgroundOptions): { close(): Promise<void> } {
  const { run = runTaskInThread } = options;
  let running: RunningTask | undefined;
  const start = async (task: MaintenanceTask) => {
    running = run(task);
    const outcome = await running.outcome;
    running = undefined;
    return outcome;
  };
  const next = { check: 0, backup: 0 };
  const runDueTask = async () => {
    if (running) return;
    const now = Date.now();
    if (options.backups && now >= next.backup && isBackupDue(options.backups, now)) {
      next.backup = now + RETRY_MS;
      await runScheduledBackup(options, options.backups, start);
    } else if (now >= next.check) {
      next.check = now + INTEGRITY_EVERY_MS;
      await integrity(options, start);
    }
  };
  const timer = setInterval(() => {
    runDueTask().catch((error: unknown) =>
      options.log.error(
        `keeping the data failed: ${error instanceof Error ? error.message : 'no reason given'}`,
      ),
    );
  }, CHECK_DUE_EVERY_MS).unref();
  return {
    close: async () => {
      clearInterval(timer);
      await running?.stop();
    },
  };
}

type Start = (task: MaintenanceTask) => Promise<TaskOutcome>;

function isBackupDue({ to, everyMs }: ScheduledBackups, now: number): boolean {
  makeFolder(to);
  return isNextBackupDue(listBackupFiles(to), everyMs, now) && !hasScratchFolderInUse(to);
}

type BackupTask = Extract<MaintenanceTask, { task: 'backup' }>;

/** A backup that is begun now, into the folder of the settings and as they say. Errors: those of `passphraseOf`. */
export function createBackupTask(
  { dataDir, ...given }: Pick<BackgroundOptions, 'dataDir' | 'secret'>,
  { to, passphraseFile, withSecret }: ScheduledBackups,
  now: number,
): BackupTask {
  const passphrase = readPassphrase(passphraseFile);
  const secret = withSecret
    ? (given.secret ?? readFileSync(join(dataDir, SECRET_FILE), 'utf8').trim())
    : undefined;
  const file = join(to, createBackupName(now, passphrase !== undefined));
  return { task: 'backup', options: { dataDir, file, secret, passphrase, now } };
}

async function runScheduledBackup(options: BackgroundOptions, backups: ScheduledBackups, start: Start) {
  const { log } = options;
  const { to, keep } = backups;
  const task = createBackupTask(options, backups, Date.now());
  const { file } = task.options;
  const outcome = await start(task);
  if ('failed' in outcome) {
    options.onBackupFailed?.(outcome.failed);
    return log.error(`the scheduled backup failed, and is tried again: ${outcome.failed}`);
  }
  const { bytes } = outcome.result as BackupSummary;
  const removed = removeOldBackups(to, keep);
  log.info(`backup made: ${file}, ${formatBytes(bytes)}, read back and compared; ${removed} older removed`);
}

async function integrity({ dataDir, log, onChecked }: BackgroundOptions, start: Start): Promise<void> {
  const outcome = await start({ task: 'integrity', dataDir });
  if ('failed' in outcome) return log.error(`the databases could not be checked: ${outcome.failed}`);
  const damages = outcome.result as DatabaseDamage[];
  onChecked?.(damages);
  for (const damage of damages)
    log.error(
      `${describeDamage(damage)} Stop the server and restore a backup: bonafide restore FILE --force`,
    );
  if (damages.length === 0) log.info('the databases were checked and are whole');
}

/** Does the work of a task in a thread of its own. */
export function runTaskInThread(task: MaintenanceTask): RunningTask {
  const worker = new Worker(getModuleFile('maintenance/worker'), { workerData: task });
  const outcome = new Promise<TaskOutcome>((resolve) => {
    worker.on('message', resolve);
    worker.on('error', (error) => resolve({ failed: `its thread ended with ${error.name}` }));
    worker.on('exit', () => resolve({ failed: 'its thread was ended' }));
  });
  return { outcome, stop: () => worker.terminate() };
}
